package camera_test

import (
	"fmt"

	"stripswm/nodes/sim"
	"stripswm/nodes/sim/camera"
)

func Example() {
	w, err := sim.New("blocksworld")
	if err != nil {
		fmt.Println(err)
		return
	}
	c := camera.New(228, 228)
	img, err := c.Render(w, w.Initial(), 1)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(img.Bounds().Size())

	_, err = c.Render(w, 99, 1)
	fmt.Println(err)
	// Output:
	// (228,228)
	// blocksworld has no state 99: states are 0 to 15
}
