package dataset_test

import (
	"fmt"

	"stripswm/models/dataset"
)

// One transition between two images of 4x4 pixels.
func ExampleDataset() {
	d := dataset.New(4, 1, 2)
	for range 2 {
		if _, err := d.AddImage(make([]uint8, 4*4*3)); err != nil {
			fmt.Println(err)
		}
	}
	if err := d.AddTransition(dataset.Transition{Before: 0, After: 1, Action: 1}); err != nil {
		fmt.Println(err)
	}
	fmt.Println(d.Images(), "images,", len(d.Transitions), "transition")
	fmt.Println(d.AddTransition(dataset.Transition{Before: 0, After: 1, Action: 2}))
	// Output:
	// 2 images, 1 transition
	// add transition 1: unusable data: action 2 is not one of 1..1
}
