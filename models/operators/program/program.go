package program

import (
	"fmt"

	"stripswm/models/operators/check"
	"stripswm/models/strips"
	"stripswm/models/taskgraph"
)

// Program is a 0/1 program over the variables 1..Vars. A literal is a variable or
// its negative. Every constraint asks for at least so many true literals.
type Program struct {
	Vars        int
	Constraints []Constraint
	// Terms are the objectives, the most important first: sums of variables to
	// be minimised, xi, eta, effects and preconditions.
	Terms [4]Term

	graph   *taskgraph.Graph
	missing []check.Pair
	m       int
	x       [][]int // x̂_{s,p}
	add     [][]int // add_{a,p}
	del     [][]int // del_{a,p}
	pos     [][]int // pre⁺_{a,p}
	neg     [][]int // pre⁻_{a,p}
	xi      [][]int // ξ_{e,p}
	eta     []int   // η_{s,a}, by missing pair
}

// Constraint asks for at least AtLeast of Lits to be true; 1 makes it a clause.
type Constraint struct {
	Lits    []int
	AtLeast int
}

// Term is a weighted sum of variables.
type Term struct {
	Vars    []int
	Weights []int // nil for ones
}

// Options are the paper's optional constraints.
type Options struct {
	// Distinct are the pairs of nodes that need different codes (P_dist).
	Distinct [][2]strips.StateID
	// MinUnique is the least number of different codes, |X̂| >= k.
	MinUnique int
	// BySupport weights the slack of an edge by its support count.
	BySupport bool
}

// validate reports what the program cannot be written for.
func (opt *Options) validate(g *taskgraph.Graph, missing []check.Pair) error {
	if err := g.Validate(); err != nil {
		return err
	}
	outside := func(s strips.StateID) bool { return s < 0 || int(s) >= g.NumStates() }
	for _, pair := range missing {
		if outside(pair.State) || pair.Action < 1 || int(pair.Action) > g.NumActions() {
			return fmt.Errorf("missing pair (%d, %d): want nodes 0..%d and actions 1..%d", pair.State,
				pair.Action, g.NumStates()-1, g.NumActions())
		}
	}
	for _, pair := range opt.Distinct {
		if outside(pair[0]) || outside(pair[1]) {
			return fmt.Errorf("distinct pair (%d, %d): want nodes 0..%d", pair[0], pair[1], g.NumStates()-1)
		}
	}
	if opt.MinUnique < 0 || opt.MinUnique > g.NumStates() {
		return fmt.Errorf("at least %d different codes, want 0..%d for %d nodes", opt.MinUnique,
			g.NumStates(), g.NumStates())
	}
	return nil
}

// Build writes the program for m predicates, m >= 1.
func Build(g *taskgraph.Graph, missing []check.Pair, m int, opt Options) (*Program, error) {
	if m < 1 {
		return nil, fmt.Errorf("program: %d predicates, want at least 1", m)
	}
	if err := opt.validate(g, missing); err != nil {
		return nil, fmt.Errorf("program: %w", err)
	}
	b := &Program{graph: g, missing: missing, m: m}
	b.x = b.grid(g.NumStates())
	b.add, b.del = b.grid(g.NumActions()), b.grid(g.NumActions())
	b.pos, b.neg = b.grid(g.NumActions()), b.grid(g.NumActions())
	b.xi = b.grid(len(g.Edges))
	for a := range g.Labels {
		for p := range m {
			b.clause(-b.add[a][p], -b.del[a][p])
			b.clause(-b.pos[a][p], -b.neg[a][p])
		}
	}
	for i, e := range g.Edges {
		b.observed(i, e)
	}
	for _, pair := range missing {
		b.negative(pair)
	}
	for _, pair := range opt.Distinct {
		b.clause(b.different(int(pair[0]), int(pair[1]))...)
	}
	if opt.MinUnique > 1 {
		b.minUnique(opt.MinUnique)
	}
	b.objective(opt.BySupport)
	return b, nil
}

func (b *Program) variable() int {
	b.Vars++
	return b.Vars
}

func (b *Program) grid(rows int) [][]int {
	out := make([][]int, rows)
	for i := range out {
		out[i] = make([]int, b.m)
		for p := range out[i] {
			out[i][p] = b.variable()
		}
	}
	return out
}

func (b *Program) clause(lits ...int) {
	b.Constraints = append(b.Constraints, Constraint{lits, 1})
}

// observed: the preconditions hold in the source, eq. (obs-pre-pos-app) and
// (obs-pre-neg-app), and the effects give the target unless slack is paid, eq.
// (obs-add-app) to (obs-inertia-2-app). Each inequality over 0/1 variables there
// excludes one combination of values, so each is a clause.
func (b *Program) observed(i int, e taskgraph.Edge) {
	a := e.Action - 1
	for p := range b.m {
		from, to, slack := b.x[e.Source][p], b.x[e.Target][p], b.xi[i][p]
		b.clause(from, -b.pos[a][p])
		b.clause(-from, -b.neg[a][p])
		b.clause(to, slack, -b.add[a][p])
		b.clause(-to, slack, -b.del[a][p])
		b.clause(-to, from, b.add[a][p], b.del[a][p], slack)
		b.clause(-from, to, b.add[a][p], b.del[a][p], slack)
	}
}

// negative: v⁺ and v⁻ say which preconditions a missing pair violates, eq.
// (v-pos-app) and (v-neg-app); one of them or eta is needed, eq.
// (negative-evidence-app).
func (b *Program) negative(pair check.Pair) {
	a := pair.Action - 1
	eta := b.variable()
	b.eta = append(b.eta, eta)
	some := []int{eta}
	for p := range b.m {
		x := b.x[pair.State][p]
		vPos, vNeg := b.variable(), b.variable()
		b.clause(-vPos, b.pos[a][p])
		b.clause(-vPos, -x)
		b.clause(vPos, -b.pos[a][p], x)
		b.clause(-vNeg, b.neg[a][p])
		b.clause(-vNeg, x)
		b.clause(vNeg, -b.neg[a][p], -x)
		some = append(some, vPos, vNeg)
	}
	b.clause(some...)
}

// different makes the variables d_{s,r,p}, eq. (diff-1-app) to (diff-4-app).
func (b *Program) different(s, r int) []int {
	out := make([]int, b.m)
	for p := range out {
		d, x, y := b.variable(), b.x[s][p], b.x[r][p]
		b.clause(d, -x, y)
		b.clause(d, x, -y)
		b.clause(-d, x, y)
		b.clause(-d, -x, -y)
		out[p] = d
	}
	return out
}

// minUnique: a node counts if its code differs from those of all nodes before it,
// and at least k nodes count.
func (b *Program) minUnique(k int) {
	counts := make([]int, len(b.x))
	for s := range b.x {
		counts[s] = b.variable()
		for r := range s {
			b.clause(append(b.different(s, r), -counts[s])...)
		}
	}
	b.Constraints = append(b.Constraints, Constraint{counts, k})
}

func (b *Program) objective(bySupport bool) {
	for i, row := range b.xi {
		b.Terms[0].Vars = append(b.Terms[0].Vars, row...)
		for range row {
			if bySupport {
				b.Terms[0].Weights = append(b.Terms[0].Weights, b.graph.Edges[i].Support)
			}
		}
	}
	b.Terms[1].Vars = b.eta
	for a := range b.add {
		b.Terms[2].Vars = append(append(b.Terms[2].Vars, b.add[a]...), b.del[a]...)
		b.Terms[3].Vars = append(append(b.Terms[3].Vars, b.pos[a]...), b.neg[a]...)
	}
}

// Model reads an assignment, value[v-1] of variable v.
func (b *Program) Model(value []bool) (*strips.Model, error) {
	if len(value) < b.Vars {
		return nil, fmt.Errorf("program: %d values, want %d", len(value), b.Vars)
	}
	holds := func(row []int) (mask []strips.Predicate) {
		for p, v := range row {
			if value[v-1] {
				mask = append(mask, strips.Predicate(p))
			}
		}
		return mask
	}
	m := &strips.Model{Predicates: b.m}
	for a, label := range b.graph.Labels {
		m.Operators = append(m.Operators, strips.Operator{Action: strips.ActionID(a + 1), Name: label,
			PrePos: holds(b.pos[a]), PreNeg: holds(b.neg[a]), Add: holds(b.add[a]), Del: holds(b.del[a])})
	}
	for s, row := range b.x {
		m.States = append(m.States, strips.Known{Node: strips.StateID(s),
			Code: strips.NewState(b.m, holds(row)...)})
	}
	for i, e := range b.graph.Edges {
		for _, p := range holds(b.xi[i]) {
			m.Slack = append(m.Slack, strips.Slack{Source: e.Source, Action: e.Action, Target: e.Target,
				Predicate: p})
		}
	}
	seen := map[strips.Refusal]bool{}
	for _, e := range b.graph.Edges {
		seen[strips.Refusal{Code: m.States[e.Source].Code, Action: e.Action}] = true
	}
	for i, pair := range b.missing {
		if value[b.eta[i]-1] {
			m.Exceptions = append(m.Exceptions, strips.Exception{Node: pair.State, Action: pair.Action,
				Shared: seen[strips.Refusal{Code: m.States[pair.State].Code, Action: pair.Action}]})
		}
	}
	return m, m.Validate()
}
