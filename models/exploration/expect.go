package exploration

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"stripswm/models/planner"
	"stripswm/models/strips"
)

const (
	sampled    = 24   // worlds
	pairs      = 2    // of states in each: the standard error is at most 7 % with all
	walked     = 1000 // random steps to a state: it depends little on where they begin
	legStates  = 2000 // states of a search for a plan: what is farther away counts as not planned
	lasting    = 0.25 // share of the attempts, the last ones, whose expectations count
	openListed = 0.1  // probability from which a literal is listed as one that a skill may need
)

// expected is what was expected of the model after so many attempts.
type expected struct {
	attempts int
	success  float64
}

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

// Expect draws worlds that the attempts allow ([traces.Result.Sample]), and plans with the learned
// model between states that random steps in such a world lead to. It counts the plans that apply in
// that world, times the probability that all their steps are known.
//
// Attempts are chosen by worlds of the same distribution, and soon none of these tells that a fact
// is wrong which all of them need. So the mean of the expectations in the last quarter of the
// attempts is returned.
func (e *Explorer) Expect(ctx context.Context, names []string) (Expectation, error) {
	x := Expectation{Never: e.never()}
	if e.beliefs == nil || e.beliefs.result.Report.Intervals == 0 {
		return x, nil
	}
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
	known, planned, sum := e.known(), 0, 0.0
	for range sampled {
		world := e.beliefs.result.Sample(rng)
		for range pairs {
			from, to := e.walk(world, rng), e.walk(world, rng)
			if from == to {
				continue
			}
			planned++
			found, err := p.Find(ctx, from, to, planner.Greedy, planner.Limits{States: legStates})
			if err != nil {
				return x, fmt.Errorf("exploration: %w", err)
			}
			if found.Outcome == planner.Found && applies(world, from, found.Plan) {
				sum += math.Pow(known, float64(len(found.Plan)))
			}
		}
	}
	x.Success = e.recently(sum / float64(max(planned, 1)))
	return x, ctx.Err()
}

// recently notes an expectation, and returns the mean of the last ones.
func (e *Explorer) recently(success float64) float64 {
	attempts := 0
	for a, n := range e.succeeded {
		attempts += n + e.refused[a]
	}
	e.expected = append(e.expected, expected{attempts, success})
	sum, n := 0.0, 0.0
	for _, x := range slices.Backward(e.expected) {
		if float64(x.attempts) < (1-lasting)*float64(attempts) {
			break
		}
		sum, n = sum+x.success, n+1
	}
	return sum / n
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

// walk is a state after random steps in a world, from one of the recording.
func (e *Explorer) walk(world []strips.Operator, rng *rand.Rand) strips.State {
	r := e.beliefs.result
	s := r.State(rng.IntN(r.Report.Intervals))
	for range walked {
		var next *strips.Operator
		n := 0
		for i := range world {
			if world[i].Applicable(s) {
				if n++; rng.IntN(n) == 0 {
					next = &world[i]
				}
			}
		}
		if next == nil {
			break
		}
		s = next.Apply(s)
	}
	return s
}

// applies says whether all steps of a plan apply in a world.
func applies(world []strips.Operator, s strips.State, plan []strips.ActionID) bool {
	for _, a := range plan {
		o := &world[slices.IndexFunc(world, func(o strips.Operator) bool { return o.Action == a })]
		if !o.Applicable(s) {
			return false
		}
		s = o.Apply(s)
	}
	return true
}

// known is the probability that the effects of a step are known and that it applies where the model
// says so. The first is the share of skills with effects in the model, of those that apply
// somewhere. A skill that was refused much more often than any other one before its first success
// hardly applies anywhere. The second is the share of successes, where the others are the refusals
// that the model does not explain.
func (e *Explorer) known() float64 {
	r := &e.beliefs.result.Report
	usual := float64(max(e.actions, slices.Max(e.before)))
	unknown, known, unexplained := 0.0, 0.0, 0
	for a, n := range e.succeeded {
		o := e.beliefs.skills[a].operator
		switch {
		case o != nil && o.Effects() > 0:
			known++
		case n > 0:
			unknown++
		case !e.excluded[a]:
			unknown += usual / (usual + float64(e.refused[a]))
		}
		if n > 0 {
			unexplained += r.Actions[a].Unexplained()
		}
	}
	succeeded := float64(r.Successes)
	return known / max(known+unknown, 1) * succeeded / (succeeded + float64(unexplained))
}

// open says whether the probability is neither small nor large.
func (l needed) open() bool { return l.probability > openListed && l.probability < 1-openListed }

// open lists the literals that skills may need.
func (e *Explorer) open(m *strips.Model) (all []Open) {
	for a, s := range e.beliefs.skills {
		for _, l := range s.literals {
			if l.open() {
				all = append(all, Open{action(a), words(m, l), l.probability})
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
