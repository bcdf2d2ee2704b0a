package dds_test

import (
	"fmt"

	"stripswm/msgs"
	"stripswm/nodes/ros"
	"stripswm/nodes/ros/dds"
)

// Two transports on the loopback interface, as two processes would have them.
func Example() {
	config := dds.Config{Domain: 198, Range: dds.Localhost}
	warn := func(text string) { fmt.Println("warning:", text) }
	var ends [2]ros.Endpoints
	for i, name := range []string{"talker", "listener"} {
		t, err := dds.Open(config, warn)
		if err != nil {
			fmt.Println(err)
			return
		}
		defer t.Close()
		if ends[i], err = t.AddNode(ros.NodeName{Namespace: "/", Name: name}); err != nil {
			fmt.Println(err)
			return
		}
	}
	chat, err := ends[0].NewWriter("/chat", "std_msgs/msg/String", ros.Latched, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	payload, _ := msgs.Marshal(&msgs.String{Data: "hello"})
	if err := chat.Write(payload); err != nil {
		fmt.Println(err)
		return
	}
	// The listener comes late: the writer keeps its last message.
	heard := make(chan string)
	if _, err := ends[1].NewReader("/chat", "std_msgs/msg/String", ros.Latched, func(s ros.Sample) {
		var m msgs.String
		if err := msgs.Unmarshal(s.Payload, &m); err == nil {
			heard <- m.Data
		}
	}, nil); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(<-heard)
	// Output: hello
}
