package sim_test

import (
	"fmt"

	"stripswm/nodes/sim"
)

func Example() {
	w, err := sim.New("blocksworld")
	if err != nil {
		fmt.Println(err)
		return
	}
	s := w.Initial()
	fmt.Println(w.Describe(s))
	next, ok := w.Apply(s, 3)
	fmt.Println(w.ActionName(3), ok, w.Describe(next))
	_, ok = w.Apply(s, 1)
	fmt.Println(w.ActionName(1), ok)

	g := sim.GroundTruth(w)
	plan, _ := g.Path(s, 8)
	fmt.Print(w.Describe(8), ":")
	for _, a := range plan {
		fmt.Print(" ", w.ActionName(a))
	}
	// Output:
	// blocks in regions 0, 1, 2: 3, 0, 0; gripper empty
	// pick_0_3 true blocks in regions 0, 1, 2: 2, 0, 0; gripper holds a block
	// pick_0_1 false
	// blocks in regions 0, 1, 2: 1, 0, 2; gripper empty: pick_0_3 place_2_1 pick_0_2 place_2_2
}
