package learn

import (
	"context"
	"runtime"

	"stripswm/models/baselines"
	"stripswm/models/bundle"
	"stripswm/models/pixels"
)

// BaselineLearner learns a baseline from a recording into a bundle of its own.
type BaselineLearner struct {
	Method   baselines.Learner
	Bag, Out string // recording; the bundle's directory
	Actions  int    // L; 0 takes the highest id in the recording
	// share of the transitions, the last ones, not to learn from (Recording.Split)
	ValidationFraction float64
	Version            string // of the program, for the manifest
	baselines.LearnOptions
}

// Run learns.
func (l BaselineLearner) Run(ctx context.Context) (*bundle.Bundle, *baselines.Learned, error) {
	recording, err := Load(ctx, l.Bag, Frame{Side: l.Method.Side, Fit: pixels.Letterbox}, l.Actions,
		func(n int) {
			if l.Progress != nil {
				l.Progress("read recording", n, 0)
			}
		})
	if err != nil {
		return nil, nil, err
	}
	defer recording.Close()
	l.Threads = min(l.Threads, runtime.NumCPU())
	manifest := bundle.Manifest{Preset: l.Method.ID, Seed: l.Seed}
	if err := describe(&manifest, l.Version, []string{l.Bag}, recording); err != nil {
		return nil, nil, err
	}
	w, err := bundle.Create(l.Out, manifest) // before the work, which may be for nothing
	if err != nil {
		return nil, nil, err
	}
	defer w.Abort()
	learnFrom := recording
	if l.ValidationFraction > 0 {
		learnFrom, _ = recording.Split(l.ValidationFraction)
	}
	if len(recording.Names) == recording.Data.Actions {
		l.Labels = recording.Names
	}
	learned, err := l.Method.Learn(ctx, learnFrom.Data, l.LearnOptions)
	if err != nil {
		return nil, nil, err
	}
	for _, p := range learned.Parts {
		if err := w.Add(p.Part, p.Data); err != nil {
			return nil, nil, err
		}
	}
	b, err := w.Commit()
	return b, learned, err
}
