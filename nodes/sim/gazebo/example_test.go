package gazebo_test

import (
	"context"
	"fmt"

	"stripswm/nodes/sim/gazebo"
)

// A body is moved up by 10 cm in a running world of Gazebo gazebo.
func Example() {
	ctx := context.Background()
	show := func(p gazebo.Image) { fmt.Println(p.Width, p.Height, p.Time) }
	link, err := gazebo.Connect(ctx, gazebo.DefaultMaster, "blocksworld", show)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer link.Close()
	err = link.Show(ctx, []gazebo.Body{{
		Name:        "body_00",
		Position:    [3]float64{0, 0, 0.1},
		Orientation: [4]float64{0, 0, 0, 1},
	}})
	fmt.Println(err)
}
