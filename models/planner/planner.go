package planner

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"stripswm/models/planner/check"
	"stripswm/models/strips"
)

// Outcome says how a search ended.
type Outcome int

const (
	// Found: a plan is in the result.
	Found Outcome = iota
	// Unsolvable: every state that can be reached was expanded, or one of the
	// two states cannot be a state of the model at all.
	Unsolvable
	// LimitReached: a limit ended the search; a plan may exist.
	LimitReached
)

func (o Outcome) String() string {
	return [...]string{"found", "unsolvable", "limit reached"}[o]
}

// Algorithm is a search. All but Greedy return shortest plans.
type Algorithm int

const (
	// BreadthFirst expands states in order of their distance from the start.
	// Memory: one entry a reached state.
	BreadthFirst Algorithm = iota
	// Auto is BreadthFirst up to autoStates reached states, and Greedy beyond.
	Auto
	// LandmarkCut is A* guided by LM-cut: fewer states than the others, each of which takes longer.
	LandmarkCut
	// Greedy follows relaxed plans, then shortens the plan that it finds: for large worlds.
	// Result.Shortest says where the plan is proved to be shortest.
	Greedy
)

// ErrLength is returned for a state whose number of predicates is not the model's.
var ErrLength = errors.New("state does not have the model's number of predicates")

// Limits bound a search. A zero field is no limit.
type Limits struct {
	States int           // reached states kept in memory
	Time   time.Duration // wall clock
}

// Planner searches one model. It is safe for concurrent use.
type Planner struct {
	model            *strips.Model
	variants         [][]strips.Operator // by action-1
	refused          map[strips.Refusal]bool
	byRefuse         []bool // by action-1: whether it is in any refusal
	nondeterministic map[strips.State][]nondeterministic
}

// New prepares a model for search. The model must not change afterwards.
func New(m *strips.Model) (*Planner, error) {
	if err := m.Validate(); err != nil {
		return nil, fmt.Errorf("planner: %w", err)
	}
	p := &Planner{model: m, refused: m.Refusals(), byRefuse: make([]bool, m.Actions()),
		nondeterministic: nondeterministicOutcomes(m)}
	for a := range m.Actions() {
		p.variants = append(p.variants, m.Variants(strips.ActionID(a+1)))
	}
	for r := range p.refused {
		p.byRefuse[r.Action-1] = true
	}
	return p, nil
}

// Result is the outcome of a query.
type Result struct {
	Outcome Outcome
	Plan    []strips.ActionID // empty if start is goal
	States  []strips.State    // the states that it goes through, start and goal included
	// its steps whose outcome is not certain, none where there is a plan without
	Uncertain []UncertainStep
	Shortest  bool // no plan is shorter, or of fewer expected attempts
	Expanded  int
	Reached   int
	Elapsed   time.Duration
}

// Find searches for a plan from start to goal in which every outcome is
// certain. If there is none, it looks for one that counts on outcomes the model
// calls nondeterministic and on what nobody tried, with the fewest expected attempts: a step
// to an outcome that was seen in 3 of 10 attempts costs 10/3, one never tried 2. A canceled
// context ends it like a time limit. The error is for malformed queries, and for a plan that
// fails its check, which would be a fault in this package.
func (p *Planner) Find(ctx context.Context, start, goal strips.State, with Algorithm,
	limits Limits) (Result, error) {
	if err := p.valid(goal, nil); err != nil {
		return Result{}, err
	}
	return p.FindGoal(ctx, start, strips.GoalOf(goal), with, limits)
}

// FindGoal is [Planner.Find] for a goal that may leave predicates open.
func (p *Planner) FindGoal(ctx context.Context, start strips.State, goal strips.Goal,
	with Algorithm, limits Limits) (Result, error) {
	if err := p.valid(start, goal); err != nil {
		return Result{}, err
	}
	if with == Auto {
		return p.auto(ctx, start, goal, limits)
	}
	began := time.Now()
	if limits.Time > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, limits.Time)
		defer cancel()
	}
	s := p.newSearch(start, newTarget(p.model.Predicates, goal), limits)
	r := Result{Shortest: with != Greedy}
	task := relax(p.model, goal)
	task.costs(start, task.unit(), false)
	switch {
	case task.value[task.goal()] == unreachable:
		r.Outcome = Unsolvable
	case with == LandmarkCut:
		s.estimate = newLMCut(task).estimate
		r.Outcome = s.bestFirst(ctx, start)
	case with == Greedy:
		r.Outcome = s.greedy(ctx, start, newRelaxedPlan(task))
	default:
		r.Outcome = s.breadthFirst(ctx, start)
	}
	r.Expanded = s.expanded
	if r.Outcome == Unsolvable && len(p.nondeterministic) > 0 {
		s = p.newSearch(start, s.goal, limits)
		s.nondeterministic = true
		r.Outcome, r.Shortest = s.bestFirst(ctx, start), true
		r.Expanded += s.expanded
	}
	r.Reached = len(s.came)
	if r.Outcome == Found {
		r.Plan, r.States, r.Uncertain = s.path(start)
		if with == Greedy && !s.nondeterministic {
			p.shorten(ctx, &r, goal)
		}
		if err := p.verify(start, goal, r); err != nil {
			return Result{}, fmt.Errorf("planner: the plan found fails its check: %w", err)
		}
	}
	r.Shortest = r.Shortest && r.Outcome == Found
	r.Elapsed = time.Since(began)
	return r, nil
}

// valid says what is wrong with a query.
func (p *Planner) valid(start strips.State, goal strips.Goal) error {
	if start.Len() != p.model.Predicates {
		return fmt.Errorf("planner: %d predicates, want %d: %w", start.Len(), p.model.Predicates,
			ErrLength)
	}
	if err := goal.Validate(p.model.Predicates); err != nil {
		return fmt.Errorf("planner: %w", err)
	}
	return nil
}

// verify has the plan replayed, and compares what it calls nondeterministic.
func (p *Planner) verify(start strips.State, goal strips.Goal, r Result) error {
	left, err := check.Path(p.model, start, goal, r.Plan, r.States)
	if err != nil {
		return err
	}
	if !slices.EqualFunc(left, r.Uncertain, func(step int, c UncertainStep) bool {
		return step == c.Step
	}) {
		return fmt.Errorf("steps %v are nondeterministic, not %v", left, r.Uncertain)
	}
	return nil
}

// Successors calls yield with every action that the model allows in s and the
// state it leads to for certain, by action, until yield returns false.
func (p *Planner) Successors(s strips.State, yield func(strips.ActionID, strips.State) bool) {
	for i, variants := range p.variants {
		a := strips.ActionID(i + 1)
		next, ok := strips.Predict(variants, s)
		if !ok || p.byRefuse[i] && p.refused[strips.Refusal{Code: s, Action: a}] {
			continue
		}
		if !yield(a, next) {
			return
		}
	}
}

// autoStates is how many reached states BreadthFirst may keep before Greedy takes over: a few
// seconds, and more states than a task graph has.
const autoStates = 20_000

// auto searches breadth-first as far as autoStates, and then greedily.
func (p *Planner) auto(ctx context.Context, start strips.State, goal strips.Goal, limits Limits,
) (Result, error) {
	few := limits
	few.States = min(cmp.Or(limits.States, autoStates), autoStates)
	r, err := p.FindGoal(ctx, start, goal, BreadthFirst, few)
	if err != nil || r.Outcome != LimitReached || limits.States > 0 && limits.States <= autoStates ||
		ctx.Err() != nil {
		return r, err
	}
	return p.FindGoal(ctx, start, goal, Greedy, limits)
}
