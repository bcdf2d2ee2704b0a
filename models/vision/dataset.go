package vision

import (
	"errors"
	"fmt"

	"stripswm/models/strips"
)

// ErrData is returned for transitions that cannot be learned from.
var ErrData = errors.New("unusable data")

// Transition is one (image, action, image), by index into a Dataset's images.
type Transition struct {
	Before, After int
	Action        strips.ActionID
	// Follows says that the transition before it left the scene as this one found
	// it: After there and Before here are two images of one state.
	Follows bool
}

// Dataset is the transitions to learn from, images held in memory as they enter
// the network: Size x Size RGB bytes each. Refused attempts show no effect, but
// in stage 1 their images stand for those of the transitions beside them.
type Dataset struct {
	Size        int
	Actions     int // L; 0 while it is not known, which allows any action
	Transitions []Transition
	Refused     []Transition // After is Before
	pixels      []uint8
}

// NewDataset starts an empty data set with room for that many images.
func NewDataset(size, actions, images int) *Dataset {
	return &Dataset{Size: size, Actions: actions, pixels: make([]uint8, 0, images*size*size*3)}
}

// AddImage appends an image of Size*Size*3 bytes and returns its index.
func (d *Dataset) AddImage(pix []uint8) (int, error) {
	if len(pix) != d.imageBytes() {
		return 0, fmt.Errorf("add image: %w: %d bytes, want %d (%dx%d rgb)", ErrData, len(pix), d.imageBytes(), d.Size, d.Size)
	}
	d.pixels = append(d.pixels, pix...)
	return d.Images() - 1, nil
}

// AddTransition appends a transition between images already added.
func (d *Dataset) AddTransition(t Transition) error {
	if err := d.check(t); err != nil {
		return fmt.Errorf("add transition %d: %w", len(d.Transitions), err)
	}
	d.Transitions = append(d.Transitions, t)
	return nil
}

// Part is the attempts that show images from begin up to end only, which it shares with d.
func (d *Dataset) Part(begin, end int) *Dataset {
	p := &Dataset{Size: d.Size, Actions: d.Actions, pixels: d.pixels[begin*d.imageBytes() : end*d.imageBytes() : end*d.imageBytes()]}
	within := func(all []Transition) (some []Transition) {
		for _, t := range all {
			if min(t.Before, t.After) < begin || max(t.Before, t.After) >= end {
				continue
			}
			t.Before, t.After = t.Before-begin, t.After-begin
			t.Follows = t.Follows && len(some) > 0
			some = append(some, t)
		}
		return some
	}
	p.Transitions, p.Refused = within(d.Transitions), within(d.Refused)
	return p
}

// AddRefused appends an attempt that was refused.
func (d *Dataset) AddRefused(t Transition) error {
	if err := d.check(t); err != nil {
		return fmt.Errorf("add refused attempt %d: %w", len(d.Refused), err)
	}
	d.Refused = append(d.Refused, t)
	return nil
}

func (d *Dataset) check(t Transition) error {
	if t.Action < 1 || d.Actions > 0 && int(t.Action) > d.Actions {
		return fmt.Errorf("%w: action %d is not one of 1..%d", ErrData, t.Action, d.Actions)
	}
	if min(t.Before, t.After) < 0 || max(t.Before, t.After) >= d.Images() {
		return fmt.Errorf("%w: images %d and %d: there are %d", ErrData, t.Before, t.After, d.Images())
	}
	return nil
}

// Images is the number of images.
func (d *Dataset) Images() int { return len(d.pixels) / d.imageBytes() }

// Image is image i's bytes, not to be changed.
func (d *Dataset) Image(i int) []uint8 { return d.pixels[i*d.imageBytes() : (i+1)*d.imageBytes()] }

func (d *Dataset) imageBytes() int { return d.Size * d.Size * 3 }

// validate says why nothing can be learnt from the data.
func (d *Dataset) validate() error {
	if n := len(d.Transitions); n < often {
		return fmt.Errorf("%w: %d successful attempts, where one state needs at least %d (%d refused ones do not count); record more",
			ErrData, n, often, len(d.Refused))
	}
	if d.Actions < 1 {
		return fmt.Errorf("%w: the number of actions is not set", ErrData)
	}
	return nil
}
