package planner

import (
	"context"
	"errors"
	"fmt"
	"time"

	"stripswm/models/planner/check"
	"stripswm/models/strips"
)

// Outcome says how a search ended.
type Outcome int

const (
	// Found: a shortest plan is in the result.
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

// Algorithm is a search that returns shortest plans.
type Algorithm int

const (
	// BreadthFirst expands states in order of their distance from the start.
	// Memory: one entry a reached state.
	BreadthFirst Algorithm = iota
	// AStar is guided by the number of wrong predicates divided by the most
	// that one action can change, which never overestimates and is consistent.
	AStar
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
	model    *strips.Model
	refused  map[strips.Refusal]bool
	byRefuse []bool // by action-1: whether it is in any refusal
	reach    int    // the most predicates that one action can change
}

// New prepares a model for search. The model must not change afterwards.
func New(m *strips.Model) (*Planner, error) {
	if err := m.Validate(); err != nil {
		return nil, fmt.Errorf("planner: %w", err)
	}
	p := &Planner{model: m, refused: m.Refusals(), byRefuse: make([]bool, len(m.Operators))}
	for r := range p.refused {
		p.byRefuse[r.Action-1] = true
	}
	for _, op := range m.Operators {
		p.reach = max(p.reach, len(op.Add)+len(op.Del))
	}
	return p, nil
}

// Result is the outcome of a query.
type Result struct {
	Outcome  Outcome
	Plan     []strips.ActionID // shortest, empty if start is goal
	States   []strips.State    // the states that it goes through, start and goal included
	Expanded int
	Reached  int
	Elapsed  time.Duration
}

// Find searches for a shortest plan from start to goal. A canceled context ends
// it like a time limit. The error is for malformed queries, and for a plan that
// fails its check, which would be a fault in this package.
func (p *Planner) Find(ctx context.Context, start, goal strips.State, with Algorithm, limits Limits) (Result, error) {
	for _, s := range []strips.State{start, goal} {
		if s.Len() != p.model.Predicates {
			return Result{}, fmt.Errorf("planner: %d predicates, want %d: %w", s.Len(), p.model.Predicates, ErrLength)
		}
	}
	began := time.Now()
	if limits.Time > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, limits.Time)
		defer cancel()
	}
	s := search{planner: p, goal: goal, came: map[strips.State]step{start: {}}, limit: limits.States}
	var outcome Outcome
	if with == AStar {
		outcome = s.bestFirst(ctx, start)
	} else {
		outcome = s.breadthFirst(ctx, start)
	}
	r := Result{Outcome: outcome, Expanded: s.expanded, Reached: len(s.came), Elapsed: time.Since(began)}
	if outcome != Found {
		return r, nil
	}
	r.Plan, r.States = s.path(start)
	if err := check.Plan(p.model, start, goal, r.Plan); err != nil {
		return Result{}, fmt.Errorf("planner: the plan found fails its check: %w", err)
	}
	return r, nil
}

// Successors calls yield with every action that the model allows in s and the
// state it leads to, by action, until yield returns false.
func (p *Planner) Successors(s strips.State, yield func(strips.ActionID, strips.State) bool) {
	for i := range p.model.Operators {
		op := &p.model.Operators[i]
		if !op.Applicable(s) || p.byRefuse[i] && p.refused[strips.Refusal{Code: s, Action: op.Action}] {
			continue
		}
		if !yield(op.Action, op.Apply(s)) {
			return
		}
	}
}
