package eval

import (
	"cmp"
	"context"
	"math"
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
	// recognized; certain ones among the wrong have no uncertain predicate.
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
// where an image that is not recognized is not planned from, and where its
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

// count adds a query: whether both images are recognized, whether a plan was
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

// Reliability is how well the probabilities of one predicate agree with its true
// values.
type Reliability struct {
	// ECE is the expected calibration error: the distance between predicted and
	// true share in a bin, averaged over the images.
	ECE float64 `json:"ece"`
	// Brier is the mean square error of the probability.
	Brier float64 `json:"brier"`
	Bins  []Bin   `json:"bins,omitempty"` // those with images, by probability
}

// Bin is the images to which the classifier gives about the same probability.
type Bin struct {
	Images    int     `json:"images"`
	Predicted float64 `json:"predicted"` // mean probability that the predicate holds
	Holds     float64 `json:"holds"`     // share of the images in which it does
}

// binCount divides 0..1 evenly.
const binCount = 10

// tally gathers predictions of one predicate.
type tally struct {
	predicted, holds [binCount]float64
	images           [binCount]int
	square           float64
}

func (t *tally) add(probability float64, holds bool) {
	k := min(int(probability*binCount), binCount-1)
	t.images[k]++
	t.predicted[k] += probability
	value := 0.0
	if holds {
		value = 1
	}
	t.holds[k] += value
	t.square += (probability - value) * (probability - value)
}

func (t *tally) reliability() Reliability {
	all := 0
	for _, n := range t.images {
		all += n
	}
	var r Reliability
	if all == 0 {
		return r
	}
	r.Brier = t.square / float64(all)
	for k, n := range t.images {
		if n == 0 {
			continue
		}
		r.ECE += math.Abs(t.predicted[k]-t.holds[k]) / float64(all)
		r.Bins = append(r.Bins, Bin{n, t.predicted[k] / float64(n), t.holds[k] / float64(n)})
	}
	return r
}

// reliabilities compares images of the states with the states' majority codes: by
// predicate, and all together.
func reliabilities(seen [][]imageplan.Recognition, majority []strips.State,
	predicates int,
) ([]Reliability, Reliability) {
	each := make([]tally, predicates)
	var together tally
	for i, images := range seen {
		if majority[i].Len() != predicates {
			continue // no image of the state is ever known
		}
		for _, r := range images {
			for p, probability := range r.Probabilities {
				holds := majority[i].Get(strips.Predicate(p))
				each[p].add(float64(probability), holds)
				together.add(float64(probability), holds)
			}
		}
	}
	list := make([]Reliability, predicates)
	for p := range each {
		list[p] = each[p].reliability()
	}
	return list, together.reliability()
}
