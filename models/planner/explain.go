package planner

import (
	"slices"

	"stripswm/models/internal/bitset"
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

// exclusive lists the pairs of literals of the goal that never hold together in a state reached
// from s, as far as pairs of literals prove it.
func exclusive(m *strips.Model, s strips.State, goal strips.Goal) (pairs [][2]strips.Literal) {
	start := bitset.Make[strips.LiteralID](2 * m.Predicates)
	for _, l := range strips.GoalOf(s) {
		start.Set(l.ID())
	}
	var rules []strips.Rule
	for i := range m.Operators {
		rules = append(rules, m.Operators[i].Rule())
	}
	together := NewPairs(m.Predicates)
	together.Start(start)
	together.Reach(rules)
	for i, a := range goal {
		for _, b := range goal[:i] {
			if !together[a.ID()].Has(b.ID()) {
				pairs = append(pairs, [2]strips.Literal{b, a})
			}
		}
	}
	return pairs
}

// Pairs has, by literal, those that may hold together with it in a state that operators reach, as
// far as pairs of literals prove it (h^2, Haslum and Geffner 2000). A literal that holds in no such
// state is without itself.
type Pairs []bitset.Of[strips.LiteralID]

// NewPairs has no pairs of so many predicates.
func NewPairs(predicates int) Pairs {
	p := make(Pairs, 2*predicates)
	for l := range p {
		p[l] = bitset.Make[strips.LiteralID](len(p))
	}
	return p
}

// Start adds the pairs of literals that hold in a state.
func (p Pairs) Start(state bitset.Of[strips.LiteralID]) {
	for l := range state.Each {
		p[l].Add(state)
	}
}

// Reach adds what operators lead to, until nothing follows. Time: passes x operators x effects x
// literals / 64.
func (p Pairs) Reach(rules []strips.Rule) {
	for grew := true; grew; {
		grew = false
		for _, e := range rules {
			grew = p.apply(e) || grew
		}
	}
}

// apply adds the pairs that an operator leads to, and says whether there are more.
func (p Pairs) apply(e strips.Rule) (grew bool) {
	beside := bitset.Make[strips.LiteralID](len(p)) // what may hold together with all preconditions
	for l := range strips.LiteralID(len(p)) {
		if p[l].Has(l) {
			beside.Set(l)
		}
	}
	for _, l := range e.Needs {
		if !beside.Has(l) {
			return false
		}
		beside.Keep(p[l])
	}
	for _, l := range e.Sets {
		beside.Clear(l.Not())
	}
	for _, l := range e.Sets {
		beside.Set(l)
	}
	for _, l := range e.Sets {
		toggled := beside.Has(l.Not())
		if beside.Clear(l.Not()); !beside.Within(p[l]) {
			p[l].Add(beside)
			grew = true
		}
		for k := range beside.Each {
			if !p[k].Has(l) {
				p[k].Set(l)
				grew = true
			}
		}
		if toggled {
			beside.Set(l.Not())
		}
	}
	return grew
}

// Place says where a predicate state stands among the known ones.
type Place struct {
	Nodes    []strips.StateID // task-graph nodes with exactly this code; none if it is unknown
	Nearest  []strips.Known   // the nearest known states, the state itself if it is known
	Distance int              // predicates in which those differ from it; -1 if no state is known
}

// Known says whether the state is the code of a task-graph node.
func (p Place) Known() bool { return len(p.Nodes) > 0 }

// Indistinct lists the nodes that have the code of start, where the goal is that whole code and
// several nodes share it: the model cannot tell them apart, so an empty plan from start to goal
// would be a guess.
func Indistinct(m *strips.Model, start strips.State, goal strips.Goal) []strips.StateID {
	if len(goal) < m.Predicates || !goal.Holds(start) {
		return nil
	}
	if nodes := Locate(m, start).Nodes; len(nodes) > 1 {
		return nodes
	}
	return nil
}

// Locate looks a state up in the model. A planner that is given an unknown state
// should say so, with the nearest known ones, instead of guessing.
func Locate(m *strips.Model, s strips.State) Place {
	var place Place
	for _, k := range m.States {
		if k.Code == s {
			place.Nodes = append(place.Nodes, k.Node)
		}
	}
	place.Nearest, place.Distance = m.Nearest(s)
	return place
}
