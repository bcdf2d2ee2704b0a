package vision

import (
	"math"
	"stripswm/models/augment"
	"stripswm/models/dataset"
	"stripswm/models/pixels"
)

// nuisancePersists says whether what is no state, such as where in its place a cup stands, lasts
// from one picture of a moment to the other. Then the two are nearer to each other than to
// any picture of another moment; and if it does not, hardly ever, since other moments show
// the same state.
//
// Contrast would tell moments apart by what lasts. (Of recordings of walks whose every picture
// has its own light and places, 0 to 2 moments in 100 are such; of those with both from one
// camera in one moment 100.)
func nuisancePersists(d *dataset.Dataset) bool {
	const intervals, others = 200, 2000
	var links [][2]int
	for i := 1; i < len(d.Transitions); i++ {
		if d.Transitions[i].Follows {
			links = append(links, [2]int{d.Transitions[i-1].After, d.Transitions[i].Before})
		}
	}
	images, thumbnails := dataset.Spread(d.Images(), others), []pixels.Thumbnail{}
	for _, image := range images {
		thumbnails = append(thumbnails, pixels.NewThumbnail(d.Image(image), d.Size))
	}
	chosen, nearest := dataset.Spread(len(links), intervals), 0
	for _, k := range chosen {
		one, other := links[k][0], links[k][1]
		at, least := pixels.NewThumbnail(d.Image(one), d.Size), math.Inf(1)
		for i, l := range thumbnails {
			if images[i] < one || images[i] > other { // between are those of refused attempts
				least = min(least, at.Distance(l))
			}
		}
		if at.Distance(pixels.NewThumbnail(d.Image(other), d.Size)) < least {
			nearest++
		}
	}
	return 2*nearest > len(chosen)
}

// variation is the one of a preset to use with a recording in which what is no state lasts, or
// does not: where it does, the few scenes that were recorded do not show how far those of one
// state differ.
func variation(of augment.Variation, lasts bool) augment.Variation {
	if of == augment.Camera && lasts {
		return augment.Scene
	}
	return of
}
