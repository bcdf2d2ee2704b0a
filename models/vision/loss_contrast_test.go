package vision

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	g "github.com/gomlx/gomlx/core/graph"
)

// latents are those of a batch's images before, of those after, and of all.
func latents(values int) (now, next, images []float32) {
	rng := rand.New(rand.NewPCG(1, 1))
	now, next = make([]float32, values), make([]float32, values)
	for i := range now {
		now[i], next[i] = 2*rng.Float32(), 2*rng.Float32()
	}
	return now, next, slices.Concat(now, next)
}

// TestContrastFindsTheInterval computes the loss by hand: each image of a link is searched
// for among all images but the anchor.
func TestContrastFindsTheInterval(t *testing.T) {
	const batch, dims, temperature = 6, 2, 0.5
	now, next, images := latents(batch * dims)
	near := func(a, b int) float64 {
		sum := 0.0
		for k := range dims {
			d := float64(images[a*dims+k] - images[b*dims+k])
			sum += d * d
		}
		return math.Exp(-sum / temperature)
	}
	overLinks(t, batch, dims, now, next, 1e-4, contrast, func(linked []float32) float64 {
		sum, links := 0.0, 0.0
		for i, l := range linked {
			left, found := batch+i, batch/2+i
			for _, pair := range [][2]int{{left, found}, {found, left}} {
				all := 0.0
				for other := range 2 * batch {
					if other != pair[0] {
						all += near(pair[0], other)
					}
				}
				sum -= float64(l) * math.Log(near(pair[0], pair[1])/all) / 2
			}
			links += float64(l)
		}
		return sum / max(links, 1)
	})
}

// TestForesightFindsThePrediction works the loss out by hand: each image after an action
// is looked for, from what was predicted, among all but the other image of its static interval.
func TestForesightFindsThePrediction(t *testing.T) {
	const batch, dims, temperature = 6, 2, 0.5
	now, next, images := latents(batch * dims)
	predict := func(now *g.Node) *g.Node { return g.AddScalar(g.MulScalar(now, 0.7), 0.1) }
	near := func(row, image int) float64 {
		sum := 0.0
		for k := range dims {
			d := 0.7*float64(now[row*dims+k]) + 0.1 - float64(images[image*dims+k])
			sum += d * d
		}
		return math.Exp(-sum / temperature)
	}
	overLinks(t, batch, dims, now, next, 1e-4, func(now, next, linked *g.Node) *g.Node {
		return foresight(predict(now), now, next, linked)
	}, func(linked []float32) float64 {
		sum := 0.0
		for row := range batch {
			all := 0.0
			for image := range 2 * batch {
				if row < batch/2 && linked[row] == 1 && image == batch/2+row {
					continue // shows the same static interval
				}
				all += near(row, image)
			}
			sum -= math.Log(near(row, batch+row)/all) / batch
		}
		return sum
	})
}
