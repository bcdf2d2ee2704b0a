package msgs_test

import (
	"fmt"

	"stripswm/msgs"
)

func Example() {
	payload, err := msgs.Marshal(&msgs.Transition{
		ImageTopic: "/camera/image",
		Before:     msgs.Time{Sec: 10},
		Action:     7,
		After:      msgs.Time{Sec: 12, Nanosec: 500_000_000},
		Outcome:    msgs.TransitionSucceeded,
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	var t msgs.Transition
	if err := msgs.Unmarshal(payload, &t); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(t.ROSType(), "action", t.Action, "from", t.Before.GoTime().Unix(), "to",
		t.After.GoTime().Unix())
	// Output: strips_wm_msgs/msg/Transition action 7 from 10 to 12
}
