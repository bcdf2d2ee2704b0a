package pairing_test

import (
	"fmt"
	"time"

	"stripswm/bags/pairing"
	"stripswm/msgs"
)

func Example() {
	begin := time.Unix(1000, 0)
	p := pairing.New(pairing.Options{})
	thumbnail := func() (v pairing.View, err error) { v[0] = 255; return v, nil }
	status := func(ms int, phase uint8) []pairing.RecordedAttempt {
		stamp := begin.Add(time.Duration(ms) * time.Millisecond)
		return p.Status(&msgs.SkillStatus{Header: msgs.Header{Stamp: msgs.TimeFrom(stamp)}, Action: 7,
			Phase: phase, ExecutionID: msgs.UUID{UUID: [16]uint8{1}}}, stamp)
	}
	for ms := 0; ms < 2000; ms += 100 {
		switch ms {
		case 500:
			status(ms, msgs.SkillStatusStarted)
		case 1000:
			status(ms, msgs.SkillStatusSucceeded)
		}
		stamp := begin.Add(time.Duration(ms) * time.Millisecond)
		for _, a := range p.Frame(&pairing.Frame{Stamp: stamp, Received: stamp, Thumbnail: thumbnail}) {
			fmt.Println("action", a.Action, "from", a.Before.Stamp.Sub(begin), "to",
				a.After.Stamp.Sub(begin))
		}
	}
	// Output: action 7 from 500ms to 1.3s
}
