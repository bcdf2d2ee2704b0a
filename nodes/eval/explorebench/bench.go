package explorebench

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"stripswm/models/imageplan"
	"stripswm/nodes/eval"
	robots "stripswm/nodes/exploration"
	"stripswm/nodes/sim"
)

// Point is what came of learning from so many attempts.
type Point struct {
	Attempts  int     `json:"attempts"`
	Succeeded int     `json:"succeeded"`          // of them
	States    int     `json:"states"`             // true ones that had been seen
	Nodes     int     `json:"nodes"`              // of the task graph that was learned then
	Best      int     `json:"best"`               // attempts of the training round that stands for the robot then, and is evaluated: an explorer's best, a policy's last
	Refitted  bool    `json:"refitted,omitempty"` // of this training round all but the encoder stands for the robot; that is of an earlier one
	Seconds   float64 `json:"seconds"`            // that learning took, all stages
	Expected  float64 `json:"expected"`           // success, by the explorer
	Unseen    float64 `json:"unseen"`             // states, by the explorer
	Pairs     int     `json:"pairs"`              // of states, asked for; 0 where nobody asked
	Solved    int     `json:"solved"`
}

// Success is the share of the pairs that are solved.
func (p Point) Success() float64 { return float64(p.Solved) / float64(max(p.Pairs, 1)) }

// Curve is what a robot's models come to as it goes on.
type Curve struct {
	Points []Point `json:"points"`
	Reason string  `json:"why"` // it ended
}

// Attempts is how many it took until this share of the pairs was solved, and from then on; 0 where
// it never was.
func (c Curve) Attempts(share float64) int {
	at := 0
	for _, p := range c.Points {
		switch {
		case p.Success() < share:
			at = 0
		case at == 0:
			at = p.Attempts
		}
	}
	return at
}

// Seconds is what all learning took.
func (c Curve) Seconds() (all float64) {
	for _, p := range c.Points {
		all += p.Seconds
	}
	return all
}

// Result compares two robots in one world.
type Result struct {
	World    string `json:"world"`
	Seed     uint64 `json:"seed"`
	States   int    `json:"states"` // asked for
	Explorer Curve  `json:"explorer"`
	Random   Curve  `json:"random"` // the random policy
}

// Run explores a world, within as many states as its data set has, and records with the random
// policy until randomAttempts or until all pairs are solved. Queries are the number of pairs for
// each horizon. When ctx ends, Out keeps what was recorded, learned and evaluated, and
// Learner.Resume continues with it.
func Run(ctx context.Context, w sim.World, o Options, randomAttempts, queries int) (Result, error) {
	states := w.Dataset().States
	r := Result{World: w.Name(), Seed: o.Record.Seed, States: states}
	if o.Within = states; states >= w.NumStates() {
		o.Within = 0
	}
	out := o.Out
	o.Out = filepath.Join(out, "explorer")
	x, err := enter(ctx, w, o, true)
	if err != nil {
		return r, err
	}
	if x.curve.Reason == "" { // it did not end
		err = errors.Join(x.explore(ctx), x.keepCurve())
	}
	if err := errors.Join(err, x.rig.Close()); err != nil {
		return r, fmt.Errorf("explorer: %w", err)
	}
	part := sim.Around(w, x.rig.Visited(), states)
	for i := range x.curve.Points {
		if err := x.evaluate(ctx, part, &x.curve.Points[i], queries); err != nil {
			return r, fmt.Errorf("explorer: %w", err)
		}
	}
	r.Explorer = x.curve
	o.Out = filepath.Join(out, "random")
	u, err := enter(ctx, w, o, true)
	if err != nil {
		return r, err
	}
	err = errors.Join(u.random(ctx, randomAttempts, queries), u.rig.Close())
	if r.Random = u.curve; err != nil {
		return r, fmt.Errorf("random policy: %w", err)
	}
	return r, nil
}

// randomFirst is how many attempts a policy learns from first, and randomGrows by how many times as
// many it has made when it learns again.
const (
	randomFirst = 100
	randomGrows = 1.5
)

// random draws among all skills, and never leaves the states that a data set of the world has.
func (r *robot) random(ctx context.Context, attempts, queries int) error {
	g, err := sim.Explored(r.world, r.Record.Seed)
	if err != nil {
		return err
	}
	next, tried, past := randomFirst, 0, r.rig.Attempts()
	for step := range g.RunPolicy(sim.Uninformed, r.Record.Seed, attempts) {
		if tried == attempts {
			break
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		if tried++; tried > past {
			if _, _, _, err := r.rig.Try(step.Action); err != nil {
				return err
			}
		}
		if step.OK {
			r.made++
		}
		r.status.Attempts = tried
		r.tell("")
		if tried != next && tried != attempts {
			continue
		}
		next = int(float64(next) * randomGrows)
		p, err := r.trainingRoundOf(ctx, tried)
		if err != nil {
			return err
		}
		if err := r.evaluate(ctx, g, p, queries); err != nil {
			return err
		}
		if p.Solved == p.Pairs {
			r.curve.Reason = "all is solved"
			return nil
		}
	}
	r.curve.Reason = robots.Spent
	return nil
}

// trainingRoundOf is the point of a policy that has made so many attempts: what was learned then,
// or is now.
func (r *robot) trainingRoundOf(ctx context.Context, attempts int) (*Point, error) {
	for i := range r.curve.Points {
		if p := &r.curve.Points[i]; p.Attempts == attempts {
			p.Best = attempts // which it stood for, or was about to
			return p, nil
		}
	}
	recognizer, err := r.learn(ctx, attempts)
	if err != nil {
		return nil, err
	}
	if err := errors.Join(recognizer.Close(), r.accept(attempts)); err != nil {
		return nil, err
	}
	return &r.curve.Points[len(r.curve.Points)-1], nil
}

// evaluate asks a model for ways between all states of a part of the world, if nobody did.
func (r *robot) evaluate(ctx context.Context, part *sim.Graph, p *Point, queries int) error {
	if p.Pairs > 0 {
		return nil
	}
	plans, err := imageplan.Open(r.bundle(*p), imageplan.Options{})
	if err != nil {
		return err
	}
	defer plans.Close()
	horizons, err := eval.Success(ctx, plans, part, eval.Options{
		Queries: queries, Seed: r.Record.Seed, Size: r.Record.Size, Nuisance: r.Record.Nuisance,
		Workers: r.Record.Workers,
		Progress: func(what string, done, total int) {
			r.tell(fmt.Sprintf("%s %d of %d", what, done, total))
		},
	})
	if err != nil {
		return err
	}
	for _, h := range horizons {
		p.Pairs, p.Solved = p.Pairs+h.Pairs, p.Solved+h.SolvedPairs
	}
	return r.keepCurve()
}
