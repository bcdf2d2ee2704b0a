package record

import (
	"context"
	"errors"
	"fmt"
	"time"

	"stripswm/bags"
	"stripswm/models/strips"
	"stripswm/msgs"
	"stripswm/nodes/sim"
)

// ErrOther is wrapped by the error of going on with a recording of another world, or of another
// seed.
var ErrOther = errors.New("the recording is another")

// ContinueRig goes on with a rig's recording in dir, in the state that its attempts led to. Its
// images are those that a rig would have taken that never stopped.
func ContinueRig(ctx context.Context, w *sim.World, dir string, o Options) (*Rig, error) {
	r, err := continueRig(ctx, w, dir, o)
	if err != nil {
		return nil, fmt.Errorf("go on with %s: %w", dir, err)
	}
	return r, nil
}

func continueRig(ctx context.Context, w *sim.World, dir string, o Options) (*Rig, error) {
	past, err := bags.Open(dir)
	if err != nil {
		return nil, err
	}
	defer past.Close()
	if err := same(ctx, past, w, o.Seed); err != nil {
		return nil, err
	}
	clock := begin
	r := newRig(w, &recorder{options: o, clock: &clock, seen: map[sim.State]bool{}})
	if err := r.relive(ctx, past); err != nil {
		return nil, err
	}
	r.recorder.bag, _, err = bags.Continue(ctx, dir,
		bags.Options{SyncEvery: 1, Clock: func() time.Time { return clock }})
	return r, err
}

// same says whether a recording is of a world and a seed.
func same(ctx context.Context, past *bags.Reader, w *sim.World, seed uint64) error {
	var text msgs.String
	for m, err := range past.Messages(ctx, bags.SimulationTopic) {
		if err == nil {
			err = m.Decode(&text)
		}
		if err != nil {
			return err
		}
	}
	was, err := bags.Parse[bags.Simulation](&text)
	if err != nil {
		return err
	}
	if is := (bags.Simulation{World: w.Name(), Seed: seed, Whole: sim.IsWhole(w)}); was != is {
		return fmt.Errorf("%w: it is of %v, not of %v", ErrOther, was, is)
	}
	return nil
}

// relive brings the rig to where its recorded attempts led.
func (r *Rig) relive(ctx context.Context, past *bags.Reader) error {
	for t, err := range past.Transitions(ctx) {
		if err != nil {
			return err
		}
		if t.Reset {
			r.Reset(r.world.Initial())
		}
		step, setUps, err := r.step(strips.ActionID(t.Action))
		if err != nil {
			return fmt.Errorf("%w: attempt %d: %w", ErrOther, t.Index, err)
		}
		if step.OK != (t.Outcome == bags.Succeeded) {
			return fmt.Errorf("%w: attempt %d of action %d has another outcome here", ErrOther, t.Index,
				t.Action)
		}
		r.leave(step, setUps)
		r.recorder.count++
		*r.recorder.clock = t.After.Stamp.GoTime().Add(idle)
	}
	return nil
}
