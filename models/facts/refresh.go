package facts

import (
	"context"
	"errors"
	"fmt"
	"math"

	"stripswm/models/dataset"
	"stripswm/models/strips"
	"stripswm/models/vision"
)

// ErrWorse is returned, wrapped, by Refresh where what it learns reads old images worse.
var ErrWorse = errors.New("old images would be read worse")

// ErrNothingNew is returned, wrapped, by Refresh where new recordings have no image to learn from.
var ErrNothingNew = errors.New("nothing to learn from")

// Judged is how many images held out are recognized as what they show.
type Judged struct {
	Images int `json:"images"`
	Before int `json:"before"`
	After  int `json:"after"`
}

// Refreshed is what Refresh did.
type Refreshed struct {
	Old Judged `json:"old"` // images of the old recording
	New Judged `json:"new"` // of the new ones
	// Strange are images of the new recordings whose look is new, and that nobody confirmed: they may
	// show another thing. They were not learned from.
	Strange      []int `json:"strange,omitempty"`
	Contradicted int   `json:"contradicted"` // successes that images contradict
}

// RefreshOptions says how to refresh.
type RefreshOptions struct {
	Old int // images of the dataset that are of the old recording, the first ones
	// Confirmed says that somebody saw that all things in the new recordings are those of the model,
	// whatever they look like.
	Confirmed bool
	// Beyond says of each image that its camera had moved farther than can be corrected: a thing in it
	// would be taken for one at the place beside. It is not looked at. Nil: of none.
	Beyond   []bool
	Preset   vision.Preset
	Training vision.Options
}

func (o RefreshOptions) beyond(image int) bool { return o.Beyond != nil && o.Beyond[image] }

// judgedBlocks is of how many blocks of static intervals one is held out to judge by.
const judgedBlocks = 10

// Refresh learns anew what images look like, from an old recording and newer ones, such as of
// executed plans. What the predicates mean stays. A recognizer that reads old images worse is none.
func (z *Recognizer) Refresh(ctx context.Context, d *dataset.Dataset, m *strips.Model,
	o RefreshOptions,
) (*Recognizer, Refreshed, error) {
	var r Refreshed
	facts := z.Appearance.facts()
	if facts == 0 {
		return nil, r, fmt.Errorf("refresh: %w: the bundle is of an early version: learn it again",
			dataset.ErrData)
	}
	f, err := z.follow(ctx, d, m, o)
	if err != nil {
		return nil, r, fmt.Errorf("refresh: %w", err)
	}
	r.Contradicted = f.cuts
	r.Strange = f.strange
	l := labelled{shows: f.shows, targets: f.targets, facts: facts}
	var judges [2][]int // old, new
	for _, i := range f.images {
		age := 0
		if i >= o.Old {
			age = 1
		}
		if f.shows[i]/blockLength%judgedBlocks == judgedBlocks/2 {
			judges[age] = append(judges[age], i)
		} else {
			l.images = append(l.images, i)
		}
	}
	if n := len(l.images); n == 0 || l.images[n-1] < o.Old {
		beyond := 0
		for i := o.Old; i < d.Images(); i++ {
			if o.beyond(i) {
				beyond++
			}
		}
		return nil, r, fmt.Errorf("refresh: %w: of %d new images %d are of a camera that has moved too "+
			"far: put it back; on %d others model and sight agree, and these look like nothing that is "+
			"known: confirm them if all things are the model's", ErrNothingNew, d.Images()-o.Old, beyond,
			len(r.Strange))
	}
	blank := Recognizer{Constraints: z.Constraints, Limit: 1, size: d.Size,
		Unexplained: z.Unexplained}
	next, err := blank.train(ctx, d, l, o.Preset, o.Training)
	if err != nil {
		return nil, r, fmt.Errorf("refresh: %w", err)
	}
	for k, judged := range []*Judged{&r.Old, &r.New} {
		if *judged, err = judge(ctx, z, next, d, judges[k], f.targets); err != nil {
			return nil, r, fmt.Errorf("refresh: %w", err)
		}
	}
	if r.Old.worse() {
		return nil, r, fmt.Errorf("refresh: %w: of %d that were held out %d were recognized, and %d "+
			"would be", ErrWorse, r.Old.Images, r.Old.Before, r.Old.After)
	}
	return next, r, nil
}

// worse says that fewer are recognized by more than one in a hundred and what chance explains.
func (j Judged) worse() bool {
	lost, n := float64(j.Before-j.After), float64(j.Images)
	return lost > 0.01*n+2*math.Sqrt(float64(j.Images-j.After))
}

// judge counts images that are recognized as their targets.
func judge(ctx context.Context, before, after *Recognizer, d *dataset.Dataset, images []int,
	targets [][]float32,
) (Judged, error) {
	j := Judged{Images: len(images)}
	for _, i := range images {
		for _, z := range []*Recognizer{before, after} {
			all, err := z.Recognize(ctx, d.Image(i))
			if err != nil {
				return j, err
			}
			if all[0].Refusal != "" || !all[0].agrees(targets[i]) {
				continue
			}
			if z == before {
				j.Before++
			} else {
				j.After++
			}
		}
	}
	return j, nil
}
