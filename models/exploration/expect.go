package exploration

import (
	"cmp"
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
// that the steps apply and that the facts are facts. A skill that applies somewhere and never
// succeeded is needed for a plan as often as another one.
func (e *Explorer) Expect(ctx context.Context, names []string) (Expectation, error) {
	var x Expectation
	if e.beliefs == nil || e.beliefs.result.Report.Intervals == 0 {
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
	x.Success = e.beliefs.sound() * sum / float64(max(planned, 1))
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

// missing is the expected share of skills that apply somewhere and never succeeded. A skill that
// was refused much more often than any other one before its first success hardly applies anywhere.
func (e *Explorer) missing() float64 {
	usual := float64(max(e.actions, slices.Max(e.before)))
	sum, usable := 0.0, 0.0
	for a, n := range e.succeeded {
		switch {
		case n > 0:
			usable++
		case !e.excluded[a]:
			sum += usual / (usual + float64(e.refused[a]))
		}
	}
	return sum / max(sum+usable, 1)
}

// sound is the probability that all predicates are facts of the world. One that is not has a value
// that depends on the path, so that a plan for a goal with this value leads elsewhere.
func (b *beliefs) sound() float64 {
	p := 1.0
	for _, r := range b.result.Report.Predicates {
		p *= sigmoid(r.Nats)
	}
	return p
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
	slices.SortStableFunc(all, func(x, y Open) int { return cmp.Compare(y.Needs, x.Needs) })
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
