package eval

import (
	"cmp"
	"context"
	"math/rand/v2"

	"stripswm/models/imageplan"
	"stripswm/models/planner"
	"stripswm/models/strips"
	"stripswm/nodes/sim"
)

// Calibration is how far the classifier can be believed at one strength of the
// nuisance. The true predicate values of a state are its majority code: the one that
// most of its images show at the strength of the recording, or in a folder most of
// the recorded ones.
type Calibration struct {
	Strength float64 `json:"strength"` // times the recording's: 1 is as trained
	// Of the images, each is right, wrong (a known state but another) or not
	// recognised; certain ones among the wrong have no uncertain predicate.
	Images       int `json:"images"`
	Right        int `json:"right"`
	Wrong        int `json:"wrong"`
	WrongCertain int `json:"wrong_certain"`
	Unrecognized int `json:"unrecognized"`

	Together   Reliability   `json:"together"`   // all predicates as one
	Predicates []Reliability `json:"predicates"` // by predicate

	Abstention Abstention `json:"abstention"`
}

// Abstention is what comes of planning from the images, over the same queries,
// where an image that is not recognised is not planned from, and where its
// nearest known state is taken instead.
type Abstention struct {
	Queries int      `json:"queries"`
	With    Outcomes `json:"with"`
	Without Outcomes `json:"without"`
	// WrongAvoided and RightLost are the queries that were abstained from whose
	// plan would have missed the goal, and whose plan would have reached it.
	WrongAvoided int `json:"wrong_avoided"`
	RightLost    int `json:"right_lost"`
}

// Outcomes are what became of queries in the world, as far as it can be known.
type Outcomes struct {
	Reached   int `json:"reached"` // the goal
	Wrong     int `json:"wrong"`   // a plan was executed and missed the goal
	NoPlan    int `json:"no_plan"`
	Abstained int `json:"abstained"`
}

// queriesPerHorizon of the comparison with and without abstention.
const queriesPerHorizon = 50

func calibrate(ctx context.Context, m *strips.Model, s *stateRecognitions,
	o Options,
) ([]Calibration, error) {
	search, err := planner.New(m)
	if err != nil {
		return nil, err
	}
	var list []Calibration
	for k, seen := range s.seen {
		c := Calibration{Strength: s.strengths[k]}
		for i, images := range seen {
			for _, r := range images {
				c.count(r, s.majority[i])
			}
		}
		c.Predicates, c.Together = reliabilities(seen, s.majority, m.Predicates)
		if c.Abstention, err = abstain(ctx, search, s, k, o); err != nil {
			return nil, err
		}
		list = append(list, c)
	}
	return list, nil
}

func (c *Calibration) count(r imageplan.Recognition, majority strips.State) {
	c.Images++
	switch {
	case !r.Known():
		c.Unrecognized++
	case r.Code == majority:
		c.Right++
	default:
		c.Wrong++
		if r.Certain() {
			c.WrongCertain++
		}
	}
}

// abstain plans between images at the k-th strength.
func abstain(ctx context.Context, search *planner.Planner, s *stateRecognitions, k int,
	o Options,
) (Abstention, error) {
	seen := map[sim.State][]imageplan.Recognition{}
	for i, state := range s.states {
		seen[state] = s.seen[k][i]
	}
	rng := rand.New(rand.NewPCG(o.Seed, uint64(k)))
	draw := func(images []imageplan.Recognition) imageplan.Recognition {
		return images[rng.IntN(len(images))]
	}
	var a Abstention
	for _, queries := range s.source.queries(queriesPerHorizon) {
		for _, q := range queries {
			start, goal := draw(seen[q.Start]), draw(seen[q.Goal])
			r, err := search.Find(ctx, nearest(start), nearest(goal), planner.BreadthFirst, limits)
			if err = cmp.Or(err, ctx.Err()); err != nil {
				return a, err
			}
			reached, _ := reaches(q, r.Plan, s.source.apply, s.source.knows)
			a.count(start.Known() && goal.Known(), r.Outcome == planner.Found, reached)
		}
	}
	return a, nil
}

// nearest is the known state that is nearest to what an image shows.
func nearest(r imageplan.Recognition) strips.State {
	if len(r.Place.Nearest) == 0 {
		return r.Code
	}
	return r.Place.Nearest[0].Code
}

// count adds a query: whether both images are recognised, whether a plan was
// found from the nearest known states, and whether it reaches the goal.
func (a *Abstention) count(known, found, reaches bool) {
	a.Queries++
	a.Without.count(found, reaches)
	switch {
	case known:
		a.With.count(found, reaches)
		return
	case found && reaches:
		a.RightLost++
	case found:
		a.WrongAvoided++
	}
	a.With.Abstained++
}

func (o *Outcomes) count(found, reaches bool) {
	switch {
	case !found:
		o.NoPlan++
	case reaches:
		o.Reached++
	default:
		o.Wrong++
	}
}
