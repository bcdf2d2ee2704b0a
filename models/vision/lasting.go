package vision

import "math"

// lasting says whether what is no state, such as where in its place a cup stands, lasts
// from one image of a static interval to the other. Then the two are nearer to each other than to
// any image of another static interval; and if it does not, hardly ever, since other static intervals show
// the same state.
//
// Contrast would tell static intervals apart by what lasts. (Of recordings of walks whose every image
// has its own light and places, 0 to 2 static intervals in 100 are such; of those with both from one
// camera in one static interval 100.)
func lasting(d *Dataset) bool {
	const intervals, others = 200, 2000
	var links [][2]int
	for i := 1; i < len(d.Transitions); i++ {
		if d.Transitions[i].Follows {
			links = append(links, [2]int{d.Transitions[i-1].After, d.Transitions[i].Before})
		}
	}
	images, looks := spread(d.Images(), others), []look{}
	for _, image := range images {
		looks = append(looks, lookOf(d, image))
	}
	chosen, nearest := spread(len(links), intervals), 0
	for _, k := range chosen {
		one, other := links[k][0], links[k][1]
		at, least := lookOf(d, one), math.Inf(1)
		for i, l := range looks {
			if images[i] < one || images[i] > other { // between are those of refused attempts
				least = min(least, at.distance(l))
			}
		}
		if at.distance(lookOf(d, other)) < least {
			nearest++
		}
	}
	return 2*nearest > len(chosen)
}

// spread is up to so many of n numbers, evenly.
func spread(n, most int) []int {
	some := make([]int, min(n, most))
	for k := range some {
		some[k] = k * n / len(some)
	}
	return some
}

// distance is the squared distance of looks.
func (l look) distance(other look) float64 {
	var sum float32
	for i, v := range l {
		sum += (v - other[i]) * (v - other[i])
	}
	return float64(sum)
}
