package vision

import (
	"math"

	"stripswm/internal/spread"
	"stripswm/models/augment"
	"stripswm/models/dataset"
	"stripswm/models/pixels"
)

// nuisancePersists says whether what is no state, such as where in its place a cup stands, is the
// same in the two images of a static interval. Then these two are nearer to each other than to
// any image of another interval. Where it changes they hardly ever are, since other intervals show
// the same state. The loss contrast would separate static intervals by persistent nuisance.
func nuisancePersists(d *dataset.Dataset) bool {
	var intervals [][2]int
	for i := 1; i < len(d.Transitions); i++ {
		if d.Transitions[i].Follows {
			intervals = append(intervals, [2]int{d.Transitions[i-1].After, d.Transitions[i].Before})
		}
	}
	thumbnail := func(image int) pixels.Thumbnail {
		return pixels.NewThumbnail(d.Image(image),
			d.Size)
	}
	images := spread.Indices(d.Images(), persistentImages)
	thumbnails := make([]pixels.Thumbnail, len(images))
	for i, image := range images {
		thumbnails[i] = thumbnail(image)
	}
	chosen, nearest := spread.Indices(len(intervals), persistentIntervals), 0
	for _, k := range chosen {
		first, last := intervals[k][0], intervals[k][1]
		at, least := thumbnail(first), math.Inf(1)
		for i, other := range thumbnails {
			if images[i] < first || images[i] > last { // between are those of refused attempts
				least = min(least, at.Distance(other))
			}
		}
		if at.Distance(thumbnail(last)) < least {
			nearest++
		}
	}
	return persistentHalf*nearest > len(chosen)
}

// variation is the one to train with. Where nuisance persists, the few scenes that were recorded
// do not show how much the scenes of one state differ, so that images are warped, too.
func variation(of augment.Variation, persists bool) augment.Variation {
	if of == augment.Camera && persists {
		return augment.Scene
	}
	return of
}
