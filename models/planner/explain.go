package planner

import (
	"slices"

	"stripswm/models/strips"
)

// Obstacles say why no plan was found. Without deletes, both a predicate and its negation may hold
// at once; a literal that cannot be reached even so cannot be reached at all.
type Obstacles struct {
	// Literals that the goal needs and that cannot be reached: those of the goal first, then the
	// preconditions of actions that set them, then those of these actions.
	Literals []Obstacle
	Goal     int // how many of the literals are the goal's
	// Exclusive are pairs of literals of the goal that can be reached, and never hold together.
	Exclusive [][2]strips.Literal
	Proved    bool // no plan exists: one of the above, or all states were expanded
}

// Obstacle is a literal that cannot be reached, and the actions that would set it.
type Obstacle struct {
	strips.Literal
	Setters []Setter // none: no known action sets it
}

// Setter is an action, and its preconditions that cannot be reached. At least one of them has to be
// wrong for the action to apply.
type Setter struct {
	Action  strips.ActionID
	Variant int // of [strips.Model.Variants]
	Missing []strips.Literal
}

// Explain says why the search for the goal from start ended so: it takes the outcome of FindGoal.
// Where nothing is listed and nothing proved, a limit ended the search. It counts on the effects of
// operators alone; what only a nondeterministic outcome sets is listed, too. The error is for
// malformed queries.
func (p *Planner) Explain(start strips.State, goal strips.Goal, outcome Outcome) (
	Obstacles, error) {
	if err := p.valid(start, goal); err != nil {
		return Obstacles{}, err
	}
	task := relax(p.model, goal)
	task.costs(start, task.unit(), false)
	o := Obstacles{Proved: outcome == Unsolvable}
	listed := map[strips.Literal]bool{}
	list := func(literals []strips.Literal) {
		for _, l := range literals {
			if !listed[l] && task.value[l.ID()] == unreachable {
				listed[l] = true
				o.Literals = append(o.Literals, Obstacle{Literal: l})
			}
		}
	}
	list(goal)
	o.Goal = len(o.Literals)
	if o.Goal == 0 && outcome != Found && len(p.nondeterministic) == 0 {
		o.Exclusive = exclusive(p.model, start, goal)
		o.Proved = o.Proved || len(o.Exclusive) > 0
	}
	for i := 0; i < len(o.Literals); i++ {
		setters := p.setters(task, o.Literals[i].Literal)
		o.Literals[i].Setters = setters
		for _, s := range setters {
			list(s.Missing)
		}
	}
	return o, nil
}

// setters are the operators that set a literal that cannot be reached.
func (p *Planner) setters(task *relaxed, l strips.Literal) (all []Setter) {
	variant := 0
	for i := range p.model.Operators {
		op := &p.model.Operators[i]
		if variant++; i == 0 || op.Action != p.model.Operators[i-1].Action {
			variant = 0
		}
		rule := op.Rule()
		if !slices.Contains(rule.Sets, l.ID()) {
			continue
		}
		s := Setter{Action: op.Action, Variant: variant}
		for _, need := range rule.Needs {
			if task.value[need] == unreachable {
				s.Missing = append(s.Missing, strips.Literal{Predicate: need.Predicate(), Negated: need&1 == 1})
			}
		}
		all = append(all, s)
	}
	return all
}
