package workcell_test

import (
	"fmt"
	"time"

	"stripswm/models/strips"
	"stripswm/nodes/sim"
	"stripswm/nodes/sim/camera"
	"stripswm/nodes/sim/workcell"
)

func Example() {
	world, _ := sim.New("blocksworld")
	r, err := workcell.New(workcell.Options{World: world, Camera: camera.New(64, 64), Seed: 1,
		Tuning: workcell.Tuning{Skill: time.Second}})
	if err != nil {
		fmt.Println(err)
		return
	}
	now := time.Unix(1000, 0)
	clock := func() time.Time { return now }
	for _, action := range []int{12, 3} {
		e, _ := r.Begin(strips.ActionID(action), clock)
		now = e.Ends
		r.End(e)
		fmt.Println("action", e.Action, "outcome", e.Outcome, e.Note)
	}
	// Output:
	// action 12 outcome 2 not applicable: action 12, place_0_3
	// action 3 outcome 1
}
