package effects

import (
	"context"
	"errors"
	"fmt"
)

// ErrAttempts is wrapped by what Learn returns for attempts that it cannot read.
var ErrAttempts = errors.New("unusable attempts")

// Attempt is one execution of a skill, with the features of the images before and after it: some
// hundred to ten thousand values, such as those of a thumbnail.
type Attempt struct {
	Action    int // from 1
	Succeeded bool
	Segment   int       // ascending; another one begins where the state is not known
	Before    []float32 // nil where there is no image
	After     []float32
}

// Options say how features are laid out.
type Options struct {
	// Channels of the features, which alternate; each may have a gain of its own. 0 is 1.
	Channels int
	// Width of the image that they are of, in pixels of so many channels, row by row: what a skill
	// changes at places that do not touch may be several facts. 0: they are no image.
	Width int
}

// Learn finds facts in attempts, in the order of the recording. It returns an error that wraps
// ErrAttempts where features differ in length, or the context's.
func Learn(ctx context.Context, attempts []Attempt, o Options) (*Result, error) {
	if err := check(attempts, o); err != nil {
		return nil, err
	}
	c, err := measure(ctx, attempts, max(o.Channels, 1))
	if err != nil {
		return nil, err
	}
	parts, err := detect(ctx, c, o.Width, max(o.Channels, 1))
	if err != nil {
		return nil, err
	}
	meetings := make([][]meeting, len(parts))
	for i, p := range parts {
		if meetings[i], err = c.follow(ctx, p); err != nil {
			return nil, err
		}
	}
	return c.facts(parts, meetings), nil
}

func check(attempts []Attempt, o Options) error {
	values, segment := -1, 0
	for i, a := range attempts {
		if a.Action < 1 {
			return fmt.Errorf("effects: %w: attempt %d has action %d", ErrAttempts, i, a.Action)
		}
		if i > 0 && a.Segment < segment {
			return fmt.Errorf("effects: %w: attempt %d is of segment %d, after %d", ErrAttempts, i,
				a.Segment, segment)
		}
		segment = a.Segment
		for _, f := range [][]float32{a.Before, a.After} {
			if f == nil {
				continue
			}
			if values < 0 {
				values = len(f)
			}
			if len(f) != values || len(f)%max(o.Channels, 1) != 0 {
				return fmt.Errorf("effects: %w: attempt %d has %d features, want %d, of %d channels",
					ErrAttempts, i, len(f), values, max(o.Channels, 1))
			}
		}
	}
	return nil
}
