package networks_test

import (
	"context"
	"fmt"
	"math/rand/v2"

	"stripswm/models/inference"
	"stripswm/models/networks"
)

// Two images go through a network with random weights, which returns three numbers for each.
func ExampleNewEncoder() {
	b := networks.Isotropic{
		Size: 16, Patch: 4, Dim: 16, Depth: 1, Kernel: 3, Expand: 2, Reduced: 4, Hidden: 16,
	}
	var l networks.Layout
	b.Declare(&l, 3)
	weights := l.Initial(rand.New(rand.NewPCG(1, 1)))
	encoder, err := networks.NewEncoder(b, &l, 3, inference.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer encoder.Close()
	outputs, err := encoder.Encode(context.Background(), weights, make([]uint8, 2*16*16*3))
	fmt.Println(len(outputs), err)
	// Output: 6 <nil>
}
