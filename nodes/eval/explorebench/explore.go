package explorebench

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"stripswm/internal/files"
	"stripswm/models/inference"
	"stripswm/models/pixels"
	"stripswm/models/policy"
	"stripswm/models/strips"
	robots "stripswm/nodes/exploration"
	"stripswm/nodes/learn"
	"stripswm/nodes/sim"
	"stripswm/nodes/sim/record"
)

// Options of an exploration.
type Options struct {
	Out            string         // folder of recording and bundle
	Learner        learn.Learner  // how to learn; its Bag and Out are not looked at
	Record         record.Options // its images and seed
	Excluded       []strips.ActionID
	Within         int     // states to explore; 0 is all
	Budget         int     // of attempts; 0 is none
	TargetCoverage float64 // success expected, to stop at
	// Progress is told after each attempt, and of what is learned.
	Progress func(s robots.Status, note string)
}

// robot is one that attempts things and learns from them.
type robot struct {
	Options
	world sim.World
	rig   *record.Rig
	keep  bool // every bundle that is learned, not the best alone
	// training rounds is the folder of what is learned; without keep, a temporary one.
	rounds string
	status robots.Status
	made   int // attempts that succeeded
	curve  Curve
}

// enter begins, or goes on with what is there.
func enter(ctx context.Context, w sim.World, o Options, keep bool) (*robot, error) {
	r := &robot{Options: o, world: w, keep: keep, rounds: filepath.Join(o.Out, "training rounds")}
	bag := filepath.Join(o.Out, "bag")
	if _, err := os.Lstat(bag); errors.Is(err, fs.ErrNotExist) {
		if _, err := os.Lstat(learn.BundleDir(o.Out)); err == nil {
			return nil, fmt.Errorf("%s is there without an exploration's recording: choose another folder",
				learn.BundleDir(o.Out))
		}
	}
	var err error
	r.rig, err = record.OpenRig(w, bag, o.Record)
	if o.Learner.Resume && errors.Is(err, fs.ErrExist) {
		err = r.reopen(ctx)
	}
	if err == nil && !keep {
		r.rounds, err = files.Draft(r.rounds)
	}
	return r, err
}

// Explore lets an explorer loose on a world. What it recorded is in Out/bag, the best that it
// learned in Out/bundle, its curve in Out/explored.json. When ctx ends, these are kept, and the
// curve so far is returned with ctx's error; with Learner.Resume it goes on with what is there.
func Explore(ctx context.Context, w sim.World, o Options) (Curve, error) {
	r, err := enter(ctx, w, o, false)
	if err != nil {
		return Curve{}, err
	}
	err = r.explore(ctx)
	return r.curve, errors.Join(err, r.keepCurve(), r.rig.Close(), os.RemoveAll(r.rounds))
}

func (r *robot) explore(ctx context.Context) error {
	frame := pixels.Frame{Side: r.Learner.Preset.ImageSize(), Fit: pixels.Letterbox}
	s, err := robots.New(sim.ActionNames(r.world), frame, policy.Options{Within: r.Within,
		Excluded: r.Excluded, Seed: r.Record.Seed})
	if err != nil {
		return err
	}
	if err := r.remember(ctx, s); err != nil {
		return fmt.Errorf("go on with %s: %w", r.Out, err)
	}
	e := robots.Explorer{Session: s, Robot: Robot{r.world, r.rig}, Learn: r.learn, Refit: r.refit,
		Accepted: r.accept, Wait: true, Budget: r.Budget, TargetCoverage: r.TargetCoverage,
		Progress: func(st robots.Status) {
			if r.status, r.made = st, s.Successes(); st.Learned > 0 {
				r.expects(st)
			}
			r.tell("")
		}}
	st, err := e.Run(ctx)
	r.curve.Reason = st.Reason
	// there is nothing better
	if n := len(r.curve.Points); err == nil && n > 0 && st.Accepted == 0 && !s.Sees() && !r.keep {
		return r.accept(r.curve.Points[n-1].Attempts)
	}
	return err
}

// expects notes what the robot expects of what it learned last.
func (r *robot) expects(st robots.Status) {
	if len(r.curve.Points) == 0 { // the first training rounds failed
		return
	}
	if last := &r.curve.Points[len(r.curve.Points)-1]; last.Attempts == st.Attempts {
		last.Expected, last.Unseen = st.Success, st.MoreStates
	}
}

func (r *robot) tell(note string) {
	if r.Progress != nil {
		r.Progress(r.status, note)
	}
}

// learn learns from all that is recorded.
func (r *robot) learn(ctx context.Context, attempts int) (*robots.Recognizer, error) {
	return r.trainingRound(ctx, attempts, "")
}

// refit learns all but the encoder from all that is recorded.
func (r *robot) refit(ctx context.Context, attempts int) (*robots.Recognizer, error) {
	return r.trainingRound(ctx, attempts, r.bundle(r.curve.Points[len(r.curve.Points)-1]))
}

// trainingRound makes a point of what is learned, with the encoder of a bundle or one of its own.
func (r *robot) trainingRound(ctx context.Context, attempts int,
	encoder string,
) (*robots.Recognizer, error) {
	begin := time.Now()
	l := r.Learner
	l.Encoder = encoder
	l.Bag, l.Out, l.Live = filepath.Join(r.Out, "bag"), r.round(attempts), true
	// other weights to begin with: what one encoder confuses, the next distinguishes
	l.Seed += uint64(attempts)
	l.Domain, l.Labels = r.world.Name(), sim.ActionNames(r.world)
	l.Progress = func(what string, done, total int, note string) { r.tell(what) }
	result, err := l.Run(ctx)
	if result != nil && result.Recording != nil {
		err = errors.Join(err, result.Recording.Close())
	}
	if err != nil {
		return nil, err
	}
	p := Point{
		Attempts: attempts, Succeeded: r.made, States: len(r.rig.Visited()),
		Nodes:   result.Graph.NumStates(),
		Seconds: time.Since(begin).Seconds(), Best: attempts, Refitted: encoder != "",
	}
	if n := len(r.curve.Points); n > 0 {
		last := r.curve.Points[n-1]
		if p.Refitted {
			p.Seconds += last.Seconds // of the training round that was not accepted
		}
		// refitted, or learned again by one that goes on
		if p.Best = last.Best; last.Attempts == attempts {
			r.curve.Points = r.curve.Points[:n-1]
		}
	}
	r.curve.Points = append(r.curve.Points, p)
	if err := r.keepCurve(); err != nil {
		return nil, err
	}
	return robots.OpenRecognizer(result.Bundle.Dir, inference.Options{Threads: 1})
}

// round is the folder of what is learned from so many attempts.
func (r *robot) round(attempts int) string {
	return filepath.Join(r.rounds, fmt.Sprint(attempts))
}

// bundle is the folder of the one that stood for the robot at a point; of an explorer that keeps
// the best alone, that is the last.
func (r *robot) bundle(p Point) string {
	if !r.keep {
		return learn.BundleDir(r.Out)
	}
	return learn.BundleDir(r.round(p.Best))
}

// accept has what was learned last stand for the robot.
func (r *robot) accept(attempts int) error {
	last := &r.curve.Points[len(r.curve.Points)-1]
	last.Best = attempts
	if r.keep {
		return r.keepCurve()
	}
	if err := files.Place(learn.BundleDir(r.round(attempts)), r.bundle(*last)); err != nil {
		return err
	}
	return os.RemoveAll(r.rounds)
}
