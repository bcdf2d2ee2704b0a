package eval

import (
	"context"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"

	"stripswm/models/imageplan"
)

// Photographs are those of one kind, as they are and with camera and light changed. Right are
// accepted as the state that the photograph itself is, Wrong as another.
type Photographs struct {
	Kind    string              `json:"kind"`
	Changes []OutOfDistribution `json:"changes"`
}

// RecognizePhotographs has a planner look at the images of a folder. What a file's name begins
// with, as in arm_03.jpg, is their kind.
func RecognizePhotographs(ctx context.Context, p *imageplan.Planner, folder string,
) (all []Photographs, err error) {
	paths, err := filepath.Glob(filepath.Join(folder, "*_*.*g"))
	if err != nil {
		return nil, err
	}
	changes := append([]Change{{Name: "as it is"}}, Changes()...)
	rng := rand.New(rand.NewPCG(1, 0))
	for _, path := range paths {
		img, err := readPhoto(path)
		if err != nil {
			return nil, err
		}
		name := filepath.Base(path)
		kind := name[:strings.LastIndex(name, "_")]
		at := slices.IndexFunc(all, func(s Photographs) bool { return s.Kind == kind })
		if at < 0 {
			at = len(all)
			all = append(all, Photographs{Kind: kind})
			for _, c := range changes {
				all[at].Changes = append(all[at].Changes, OutOfDistribution{Kind: c.Name})
			}
		}
		itself, err := p.Recognize(img)
		if err != nil {
			return nil, err
		}
		for k, c := range changes {
			changed := img
			if k > 0 {
				d := c.Draw(rng)
				if changed, err = d.Moved(img); err != nil {
					return nil, err
				}
				changed = d.Lit(changed)
			}
			if _, err := all[at].Changes[k].show(ctx, p, changed, itself.Code); err != nil {
				return nil, err
			}
		}
	}
	return all, nil
}
