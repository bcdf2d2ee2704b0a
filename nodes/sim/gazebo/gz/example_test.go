package gz_test

import (
	"context"
	"fmt"

	"stripswm/nodes/sim/gazebo"
	"stripswm/nodes/sim/gazebo/gz"
)

// A link to Gazebo Fortress or Harmonic is made again when Gazebo is restarted.
func ExampleConnect() {
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	show := func(p gazebo.Image) { fmt.Println(p.Width, p.Height, p.Time) }
	dial := func(ctx context.Context) (gazebo.Link, error) {
		return gz.Connect(ctx, gz.FromEnvironment(), "blocksworld", show)
	}
	link := gazebo.Keep(ctx, dial, func(err error) { fmt.Println("Gazebo:", err) })
	err := link.Show(ctx, []gazebo.Body{{Name: "body_00", Orientation: [4]float64{0, 0, 0, 1}}})
	fmt.Println(err)
}
