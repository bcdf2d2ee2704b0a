package eval

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"strings"
	"time"

	"stripswm/bags"
	"stripswm/models/bundle"
	"stripswm/models/effects"
	"stripswm/models/effects/check"
	"stripswm/models/pixels"
	"stripswm/msgs"
	"stripswm/nodes/cvbridge"
	"stripswm/nodes/sim"
)

// Effects is how well the facts that images show agree with what was true.
type Effects struct {
	Attempts  int `json:"attempts"` // without those that failed
	Variables int `json:"variables"`
	Variants  int `json:"variants"` // of skills
	check.Score
	Seconds float64 `json:"seconds"` // of learning
}

// LearnEffects learns facts from the images of a recording (package effects), from thumbnails of so
// many pixels a side at most, and compares them with the truth: of a bag, that of the simulated
// world, and of a folder of images that of truth.csv, whose states are the places of objects, such
// as "3 1".
func LearnEffects(ctx context.Context, path string, most int) (e Effects, err error) {
	reader, err := bags.Open(path)
	if err != nil {
		return e, err
	}
	defer reader.Close()
	truth, stop, err := truthOf(ctx, reader, path)
	if err != nil {
		return e, err
	}
	defer stop()
	var all []effects.Attempt
	var steps []check.Step
	skills, segment, begins := 0, 0, true
	for t, err := range reader.Transitions(ctx) {
		if err != nil {
			return e, err
		}
		before, after := truth(t)
		if t.Outcome == bags.Failed {
			begins = true // nobody knows what it left
			continue
		}
		if begins = begins || t.Reset; begins {
			segment++
		}
		a := effects.Attempt{Action: int(t.Action), Succeeded: t.Outcome == bags.Succeeded,
			Segment: segment}
		if a.Before, err = thumbnail(t.Before, most); err != nil {
			return e, err
		}
		if a.After, err = thumbnail(t.After, most); err != nil {
			return e, err
		}
		all, skills = append(all, a), max(skills, a.Action)
		steps = append(steps, check.Step{Action: a.Action, Succeeded: a.Succeeded, Begins: begins,
			Before: before, After: after})
		begins = false
	}
	began := time.Now()
	r, err := effects.Learn(ctx, all, effects.Options{Channels: 3, Skills: skills})
	if err != nil {
		return e, err
	}
	e = Effects{Attempts: len(all), Variables: len(r.Variables), Variants: len(r.Variants),
		Seconds: time.Since(began).Seconds()}
	var facts []check.Fact
	for _, f := range r.Facts {
		c := check.Fact{Values: make([][2]int, len(all)), Sets: f.Sets, Clears: f.Clears}
		for i := range c.Values {
			for end := range 2 {
				if value, known := r.Value(f, i, end); known && value {
					c.Values[i][end] = 1
				} else if known {
					c.Values[i][end] = -1
				}
			}
		}
		facts = append(facts, c)
	}
	e.Score = check.Compare(facts, steps, r.Actions)
	return e, nil
}

func thumbnail(im bags.Image, most int) ([]float32, error) {
	m, err := im.Message()
	if err != nil {
		return nil, err
	}
	img, err := cvbridge.RGB(m, 0)
	if err != nil {
		return nil, fmt.Errorf("image %s: %w", im, err)
	}
	square, err := img.Square(most, pixels.Letterbox)
	if err != nil {
		return nil, fmt.Errorf("image %s: %w", im, err)
	}
	return pixels.Shrink(square.Pix, most, most), nil
}

// truthOf says what is true before and after each transition, in their order.
func truthOf(ctx context.Context, reader *bags.Reader, path string) (
	truth func(bags.Transition) (before, after []string), stop func(), err error,
) {
	l, err := readLabels(path)
	if err == nil {
		places := func(im bags.Image) (words []string) {
			for o, place := range strings.Fields(l.names[l.state[im.File()]]) {
				words = append(words, fmt.Sprintf("object %d at %s", o, place))
			}
			return words
		}
		return func(t bags.Transition) ([]string, []string) {
			return places(t.Before), places(t.After)
		}, func() {}, nil
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return nil, nil, err
	}
	for m, err := range reader.Messages(ctx, bags.SimulationTopic) {
		if err != nil {
			return nil, nil, err
		}
		var text msgs.String
		if err := m.Decode(&text); err != nil {
			return nil, nil, err
		}
		s, err := bags.Parse[bags.Simulation](&text)
		if err != nil {
			return nil, nil, err
		}
		w, err := sim.New(s.World)
		if err != nil {
			return nil, nil, err
		}
		if s.Whole {
			w = sim.Whole(w)
		}
		steps, err := replayed(w, bundle.Simulation(s))
		if err != nil {
			return nil, nil, err
		}
		next, stop := iter.Pull(steps)
		return func(bags.Transition) ([]string, []string) {
			step, _ := next()
			words := func(s sim.State) []string { return strings.Split(w.Describe(s), ", ") }
			return words(step.State), words(step.Next)
		}, stop, nil
	}
	return nil, nil, fmt.Errorf("%s is of no simulated world, and has no %s", path, TruthName)
}
