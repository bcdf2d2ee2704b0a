package dataset

import (
	"errors"
	"fmt"
	"sort"

	"stripswm/models/strips"
)

// ErrData is returned, wrapped, for data that nothing can be learned from.
var ErrData = errors.New("unusable data")

// Transition is one (image, action, image), by index into the images of a Dataset.
type Transition struct {
	Before, After int
	Action        strips.ActionID
	// Follows says that this transition started in the scene that the one before left: After there
	// and Before here are two images of one state, the ends of a static interval.
	Follows bool
	// Resumes says that it would follow if no attempt in between had failed.
	Resumes bool
}

// Dataset has the attempts of a recording, with images in memory as they enter the network: Size x
// Size RGB bytes each. Refused attempts show no effect, but in stage 1 their images stand for those
// of the transitions beside them.
type Dataset struct {
	Size        int
	Actions     int // L; 0 while it is not known, which allows any action
	Transitions []Transition
	Refused     []Transition // After is Before
	Failed      []Transition // what happened is unknown
	pixels      []uint8
}

// New starts an empty dataset with room for that many images.
func New(size, actions, images int) *Dataset {
	return &Dataset{Size: size, Actions: actions, pixels: make([]uint8, 0, images*size*size*3)}
}

// AddImage appends an image of Size*Size*3 bytes and returns its index.
func (d *Dataset) AddImage(pix []uint8) (int, error) {
	if len(pix) != d.ImageBytes() {
		return 0, fmt.Errorf("add image: %w: %d bytes, want %d (%dx%d rgb)",
			ErrData, len(pix), d.ImageBytes(), d.Size, d.Size)
	}
	d.pixels = append(d.pixels, pix...)
	return d.Images() - 1, nil
}

// AddTransition appends a transition between images already added.
func (d *Dataset) AddTransition(t Transition) error {
	return d.add(&d.Transitions, "transition", t)
}

// Append adds the images and attempts of another dataset, which follow nothing of this one.
func (d *Dataset) Append(other *Dataset) error {
	if other.Size != d.Size || other.Actions > d.Actions {
		return fmt.Errorf("append data: %w: images of %d pixels and %d actions, want %d and at most %d",
			ErrData, other.Size, other.Actions, d.Size, d.Actions)
	}
	first := d.Images()
	d.pixels = append(d.pixels, other.pixels...)
	for _, list := range [...]struct{ to, from *[]Transition }{
		{&d.Transitions, &other.Transitions}, {&d.Refused, &other.Refused}, {&d.Failed, &other.Failed},
	} {
		for _, t := range *list.from {
			t.Before, t.After = t.Before+first, t.After+first
			*list.to = append(*list.to, t)
		}
	}
	return nil
}

// Part has the attempts that show only images from begin up to end, which it shares with d.
func (d *Dataset) Part(begin, end int) *Dataset {
	from, to := begin*d.ImageBytes(), end*d.ImageBytes()
	p := &Dataset{Size: d.Size, Actions: d.Actions, pixels: d.pixels[from:to:to]}
	within := func(all []Transition) (some []Transition) {
		for _, t := range all {
			if min(t.Before, t.After) < begin || max(t.Before, t.After) >= end {
				continue
			}
			t.Before, t.After = t.Before-begin, t.After-begin
			t.Follows, t.Resumes = t.Follows && len(some) > 0, t.Resumes && len(some) > 0
			some = append(some, t)
		}
		return some
	}
	p.Transitions, p.Refused, p.Failed = within(d.Transitions), within(d.Refused), within(d.Failed)
	return p
}

// AddRefused appends an attempt that was refused.
func (d *Dataset) AddRefused(t Transition) error {
	return d.add(&d.Refused, "refused attempt", t)
}

// AddFailed appends an attempt of which nobody knows what happened.
func (d *Dataset) AddFailed(t Transition) error { return d.add(&d.Failed, "failed attempt", t) }

func (d *Dataset) add(to *[]Transition, what string, t Transition) error {
	if err := d.check(t); err != nil {
		return fmt.Errorf("add %s %d: %w", what, len(*to), err)
	}
	*to = append(*to, t)
	return nil
}

func (d *Dataset) check(t Transition) error {
	if t.Action < 1 || d.Actions > 0 && int(t.Action) > d.Actions {
		return fmt.Errorf("%w: action %d is not one of 1..%d", ErrData, t.Action, d.Actions)
	}
	if min(t.Before, t.After) < 0 || max(t.Before, t.After) >= d.Images() {
		return fmt.Errorf("%w: images %d and %d: there are %d", ErrData, t.Before, t.After,
			d.Images())
	}
	return nil
}

// Images is the number of images; 0 also where the data have no size yet.
func (d *Dataset) Images() int { return len(d.pixels) / max(1, d.ImageBytes()) }

// Image is image i's bytes, not to be changed.
func (d *Dataset) Image(i int) []uint8 { return d.pixels[i*d.ImageBytes() : (i+1)*d.ImageBytes()] }

// Packed are the bytes of images begin up to end, one after the other, not to be changed.
func (d *Dataset) Packed(begin, end int) []uint8 {
	return d.pixels[begin*d.ImageBytes() : end*d.ImageBytes()]
}

// ImageBytes is the size of an image, bytes.
func (d *Dataset) ImageBytes() int { return d.Size * d.Size * 3 }

// Validate says why nothing can be learned from the data.
func (d *Dataset) Validate() error {
	if n := len(d.Transitions); n < MinVisits {
		return fmt.Errorf("%w: %d successful attempts, where one state needs at least %d "+
			"(%d refused ones do not count); record more", ErrData, n, MinVisits, len(d.Refused))
	}
	if d.Actions < 1 {
		return fmt.Errorf("%w: the number of actions is not set", ErrData)
	}
	return nil
}

// MinVisits is the fewest visits to a state from which training can find it.
const MinVisits = 4

// Cut marks transitions as not starting in the scene that the one before left.
func (d *Dataset) Cut(transitions []int) {
	for _, i := range transitions {
		d.Transitions[i].Follows = false
	}
}

// RefusedBetween lists, for each transition, the images of refused attempts between the transition
// before and this one. Images are numbered in the order of the recording.
func (d *Dataset) RefusedBetween() [][]int {
	all := make([][]int, len(d.Transitions))
	for _, r := range d.Refused {
		for _, image := range []int{r.Before, r.After} {
			i := sort.Search(len(all), func(i int) bool { return d.Transitions[i].Before > image })
			if i == 0 || i == len(all) || d.Transitions[i-1].After >= image {
				continue
			}
			if had := all[i]; len(had) == 0 || had[len(had)-1] != image {
				all[i] = append(had, image)
			}
		}
	}
	return all
}
