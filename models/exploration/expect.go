package exploration

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"

	"stripswm/models/planner"
	"stripswm/models/strips"
)

const (
	legs       = 24   // plans that the expectation rests on: its standard error is at most a tenth
	legStates  = 5000 // states of a search for one: what is farther away counts as not planned
	openListed = 0.1  // probability from which a literal is listed as one that a skill may need
)

// Expectation is what is expected of the model.
type Expectation struct {
	Success float64 // expected share of pairs of states between which a plan leads to the goal
	Never   []strips.ActionID
	Open    []Open
}

// Open is a literal that a skill needs with the given probability, which is neither small nor
// large.
type Open struct {
	Action  strips.ActionID
	Literal string
	Needs   float64
}

// Expect plans between states of the recording, one after another, and multiplies the probabilities
// that the steps apply. A skill that never succeeded may be needed for a plan as often as another
// one, unless those that succeeded were hardly ever refused so often before.
func (e *Explorer) Expect(ctx context.Context, names []string) (Expectation, error) {
	var x Expectation
	if e.beliefs == nil {
		return x, nil
	}
	x.Never = e.never()
	model, err := e.beliefs.result.Model.Strips(names)
	if err != nil {
		return x, fmt.Errorf("exploration: %w", err)
	}
	x.Open = e.open(model)
	p, err := planner.New(model)
	if err != nil {
		return x, fmt.Errorf("exploration: %w", err)
	}
	rng := rand.New(rand.NewPCG(uint64(e.successes), 0xe9ec))
	v, r, at := slices.Clone(e.values), e.recent.clone(), e.values.state()
	missing, planned, sum := e.missing(), 0, 0.0
	for range legs {
		goal := e.beliefs.in(rng.IntN(e.beliefs.result.Report.Intervals)).state()
		if goal == at {
			continue
		}
		planned++
		found, err := p.Find(ctx, at, goal, planner.Greedy, planner.Limits{States: legStates})
		if err != nil {
			return x, fmt.Errorf("exploration: %w", err)
		}
		if found.Outcome != planner.Found {
			continue
		}
		share := 1.0
		for _, a := range found.Plan {
			share *= e.evaluate(int(a)-1, v, &r, v.key()).applies * (1 - missing)
			v.apply(e.beliefs.skills[a-1].operator)
			e.succeed(int(a)-1, &r)
		}
		sum, at = sum+share, goal
	}
	x.Success = sum / float64(max(planned, 1))
	return x, ctx.Err()
}

// never lists the skills that never succeeded, of those that may be tried.
func (e *Explorer) never() (all []strips.ActionID) {
	for a, n := range e.succeeded {
		if n == 0 && !e.excluded[a] {
			all = append(all, action(a))
		}
	}
	return all
}

// missing is the expected share of skills that apply somewhere and never succeeded: a skill that
// was refused so often is expected to succeed as often as one that did was refused as often before.
func (e *Explorer) missing() float64 {
	sum, usable := 0.0, 0
	for a, n := range e.succeeded {
		if n > 0 {
			usable++
			continue
		}
		if e.excluded[a] {
			continue
		}
		later, all := 1.0, 2.0
		for b, n := range e.succeeded {
			if n > 0 {
				all++
				if e.before[b] >= e.refused[a] {
					later++
				}
			}
		}
		sum += later / all
	}
	return sum / max(sum+float64(usable), 1)
}

// open lists the literals that skills may need.
func (e *Explorer) open(m *strips.Model) (all []Open) {
	for a, s := range e.beliefs.skills {
		for _, l := range s.literals {
			if p := l.probability(); p > openListed && p < 1-openListed {
				name := m.PredicateLabel(l.Predicate)
				if l.Negated {
					name = "not " + name
				}
				all = append(all, Open{action(a), name, p})
			}
		}
	}
	slices.SortStableFunc(all, func(x, y Open) int {
		switch {
		case x.Needs > y.Needs:
			return -1
		case x.Needs < y.Needs:
			return 1
		}
		return 0
	})
	return all
}

// Words says what is not known yet, a line for each skill that never succeeded and for each literal
// that a skill may need.
func (x Expectation) Words(name func(strips.ActionID) string) (lines []string) {
	for _, a := range x.Never {
		lines = append(lines, name(a)+": never succeeded")
	}
	for _, o := range x.Open {
		lines = append(lines, fmt.Sprintf("%s: may need %s (%.0f %%)", name(o.Action), o.Literal,
			100*o.Needs))
	}
	return lines
}
