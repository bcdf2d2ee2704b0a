package augment_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"

	"stripswm/models/augment"
)

// The same seed gives the same variation.
func ExampleVariation_Apply() {
	const size = 32
	image := bytes.Repeat([]uint8{100}, size*size*3)
	varied := [2][]uint8{make([]uint8, len(image)), make([]uint8, len(image))}
	for _, dst := range varied {
		augment.Scene.Apply(dst, image, size, rand.New(rand.NewPCG(1, 1)))
	}
	fmt.Println(bytes.Equal(varied[0], varied[1]), bytes.Equal(varied[0], image))
	// Output: true false
}
