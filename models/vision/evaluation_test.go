package vision

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"stripswm/models/dataset"
	"stripswm/models/identity"
	"stripswm/models/strips"
)

// TestScore codes a recording on a grid, of which some attempts are refused, in several ways: each
// fault of an encoder has to lower the score, with and without wrong labels, and in a grid of
// ten times as many cells that is seen ten times as long.
func TestScore(t *testing.T) {
	for name, c := range map[string]struct {
		side, attempts int
		mislabelled    float64
	}{
		"small": {4, 400, 0}, "wrong labels": {4, 400, 0.1}, "large": {13, 4000, 0},
	} {
		rng := rand.New(rand.NewPCG(1, 1))
		d := &dataset.Dataset{Size: 1, Actions: 4}
		var cells []int // of each image
		show := func(cell int) int { cells = append(cells, cell); return len(cells) - 1 }
		x, y := 0, 0
		for range c.attempts {
			before, action := show(y*c.side+x), rng.IntN(4)
			nx, ny := x+[]int{1, -1, 0, 0}[action], y+[]int{0, 0, 1, -1}[action]
			ok := min(nx, ny) >= 0 && max(nx, ny) < c.side
			if rng.Float64() < c.mislabelled {
				action = rng.IntN(4)
			}
			tr := dataset.Transition{Before: before, After: before,
				Action: strips.ActionID(1 + action)}
			if !ok {
				d.Refused = append(d.Refused, tr)
				continue
			}
			x, y = nx, ny
			tr.After = show(y*c.side + x)
			d.Transitions = append(d.Transitions, tr)
		}
		coded := func(code func(image, cell int) string) float64 {
			codes := make([]identity.Code, len(cells))
			for image, cell := range cells {
				codes[image] = identity.Code(code(image, cell))
			}
			return score(d, codes)
		}
		truth := coded(func(_, cell int) string { return fmt.Sprint(cell) })
		for fault, got := range map[string]float64{
			"one code":        coded(func(int, int) string { return "" }),
			"a code an image": coded(func(image, _ int) string { return fmt.Sprint(image) }),
			"two states in one code": coded(func(_,
				cell int) string {
				return fmt.Sprint(max(cell, 1))
			}),
			// From two opposite corners no action leads to two codes.
			"states without a common action": coded(func(_,
				cell int) string {
				return fmt.Sprint(cell % (c.side*c.side - 1))
			}),
			"only the columns": coded(func(_,
				cell int) string {
				return fmt.Sprint(cell % c.side)
			}),
			"two codes of each state": coded(func(image,
				cell int) string {
				return fmt.Sprint(cell, rng.IntN(2))
			}),
			"images misread": coded(func(image, cell int) string {
				if image%20 == 0 {
					cell = rng.IntN(c.side * c.side)
				}
				return fmt.Sprint(cell)
			}),
		} {
			if got >= truth {
				t.Errorf("%s, %s: score %.3f, that of the states is %.3f", name, fault, got, truth)
			}
		}
	}
}
