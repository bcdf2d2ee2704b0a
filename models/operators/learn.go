package operators

import (
	"context"
	"fmt"
	"slices"
	"time"

	"stripswm/models/operators/internal/regions"
	"stripswm/models/operators/internal/variants"
	"stripswm/models/operators/internal/work"
	"stripswm/models/strips"
	"stripswm/models/taskgraph"
)

// Options of Learn. The zero Options trust every node and look for the smallest
// number of predicates.
type Options struct {
	// Predicates is m; 0 looks for the smallest that reaches the least xi and eta.
	Predicates int
	// Single asks for the paper's model: one operator an action, nodes may share
	// codes, and transition slack pays for what is asked for beyond that. So do a
	// number of predicates, Distinct, MinUnique, AllowCollapse, BySupport and SlackBudget.
	Single bool
	// Distinct are nodes that need different codes, MinUnique the least number
	// of different codes.
	Distinct  Distinct
	MinUnique int
	// AllowCollapse permits a model in which all states look alike if there is
	// no negative evidence; otherwise one predicate that changes is kept.
	AllowCollapse bool
	// BySupport weights transition slack by the support count of the edge.
	BySupport bool
	// SlackBudget lists edges whose effects may be wrong: what does not fit there is
	// transition slack. See Suspects for which.
	SlackBudget []taskgraph.Edge
	// Trust says which missing edges are negative evidence.
	Trust Trust
	// Work is how much is done to improve the model, in millions of steps, a step
	// being about a propagation of the SAT solver. The same work gives the same
	// model on any machine, and more work never gives more operators. 0 stands for
	// DefaultWork or, with a Budget, for what an idle machine gets done in it.
	Work int
	// Budget is when improving ends even if the work is not done, which
	// Report.CutShort tells: 0 stands for a minute or, with Work, for never. A
	// model with a proved eta is returned however short it is.
	Budget time.Duration
	// Seed of the randomised improvements.
	Seed uint64
}

// Distinct are the pairs of nodes that need different codes (P_dist in the
// paper): all, or a list. The zero Distinct asks for none.
type Distinct struct {
	All   bool
	Pairs [][2]strips.StateID
}

// List is the pairs one by one, for a graph with the given number of nodes.
func (d Distinct) List(states int) [][2]strips.StateID {
	if !d.All {
		return d.Pairs
	}
	var pairs [][2]strips.StateID
	for t := range strips.StateID(states) {
		for s := range t {
			pairs = append(pairs, [2]strips.StateID{s, t})
		}
	}
	return pairs
}

// single says whether the paper's model is asked for.
func (opt *Options) single() bool {
	return opt.Single || opt.Predicates > 0 || opt.Distinct.All || len(opt.Distinct.Pairs) > 0 ||
		opt.MinUnique > 0 || opt.AllowCollapse || opt.BySupport || len(opt.SlackBudget) > 0
}

// work is what may be done once eta is proved: the options' steps and time, both so many times.
func (opt *Options) work(ctx context.Context, began time.Time, times int) (*work.Work,
	context.CancelFunc,
) {
	planned, clock := int64(opt.Work)*stepsOfWork, opt.Budget
	if opt.Work == 0 && opt.Budget > 0 {
		planned = int64(opt.Budget.Seconds() * workPerSecond * stepsOfWork)
	} else if opt.Work == 0 {
		planned, clock = DefaultWork*stepsOfWork, safetyNet
	}
	planned, clock = int64(times)*planned, time.Duration(times)*clock
	if clock == 0 {
		return work.New(ctx, planned), func() {}
	}
	ctx, stop := context.WithDeadline(ctx, began.Add(clock))
	return work.New(ctx, planned), stop
}

func (opt *Options) demands() regions.Demands {
	return regions.Demands{Predicates: opt.Predicates, AllDistinct: opt.Distinct.All || !opt.single(),
		Distinct: opt.Distinct.Pairs, MinUnique: opt.MinUnique, AllowCollapse: opt.AllowCollapse,
		Seed: opt.Seed}
}

// validate reports the first option that makes no sense for the graph.
func (opt *Options) validate(g *taskgraph.Graph) error {
	states := g.NumStates()
	switch {
	case opt.Predicates < 0:
		return fmt.Errorf("%d predicates, want 0 for the fewest or a positive number", opt.Predicates)
	case opt.MinUnique < 0 || opt.MinUnique > states:
		return fmt.Errorf("at least %d different codes, want 0..%d for %d nodes", opt.MinUnique, states,
			states)
	case opt.Work < 0:
		return fmt.Errorf("work of %d, want 0 for the default or a positive number", opt.Work)
	case opt.Budget < 0:
		return fmt.Errorf("budget of %v, want 0 for the default or a positive time", opt.Budget)
	}
	for _, e := range opt.SlackBudget {
		if !slices.Contains(g.Targets(e.Source, e.Action), e.Target) {
			return fmt.Errorf("edge (%d, %d, %d) to pay for: the graph has none", e.Source, e.Action,
				e.Target)
		}
	}
	for _, pair := range opt.Distinct.Pairs {
		for _, s := range pair {
			if s < 0 || int(s) >= states {
				return fmt.Errorf("distinct pair (%d, %d): want nodes 0..%d", pair[0], pair[1], states-1)
			}
		}
		if pair[0] == pair[1] {
			return fmt.Errorf("distinct pair (%d, %d): a node cannot differ from itself", pair[0], pair[1])
		}
	}
	return nil
}

// Result is a learned model and its report.
type Result struct {
	Model  *strips.Model
	Report Report
	// Missing are the trusted missing pairs; it tells refused attempts from
	// closed-world guesses.
	Missing []Missing
	// Inseparable are missing pairs that no predicate can rule out without
	// transition slack, each with its proof: all of them up to a few hundred.
	Inseparable []Proof
}

// Learn finds predicates and operators for a task graph. Every node gets a code of
// its own. Where one operator an action allows that, each action has one; otherwise
// operators may toggle predicates, and actions have as few operators (variants) in
// all as were found, with no slack at all. A pair for which the graph has several
// outcomes is nondeterministic. With Options.Single it is the paper's model: one
// operator an action, and codes that nodes may share.
//
// It fails on a malformed graph or options, and if states cannot be kept distinct as
// the options ask; a context that ends early only ends the improvements.
func Learn(ctx context.Context, g *taskgraph.Graph, opt Options) (*Result, error) {
	r, err := begin(g, opt)
	if err != nil {
		return nil, err
	}
	d := r.p.Decide(ctx)
	always := context.WithoutCancel(ctx) // what kind of model it is takes as long as it takes
	if opt.single() || d.Distinguishes(always) {
		return r.finish(ctx, d)
	}
	r.p = r.p.Toggling()
	if d = r.p.Decide(always); len(d.Lost()) > 0 || !d.Distinguishes(always) {
		d = r.vary(ctx)
	}
	return r.finish(ctx, d)
}

// run is one call of Learn.
type run struct {
	began            time.Time
	g                *taskgraph.Graph // as it was given
	certain          *taskgraph.Graph // without the nondeterministic pairs
	nondeterministic []strips.Nondeterminism
	opt              Options
	missing          []Missing
	p                *regions.Problem
	split            *split // nil if each action has one operator
	cut              bool   // the context ended the search for variants
}

func begin(g *taskgraph.Graph, opt Options) (*run, error) {
	r := &run{began: time.Now(), g: g, certain: g, opt: opt}
	var err error
	if r.missing, err = trusted(g, opt.Trust); err != nil {
		return nil, err
	}
	if err := opt.validate(g); err != nil {
		return nil, fmt.Errorf("operators: %w", err)
	}
	if !opt.single() {
		r.certain, r.nondeterministic = withoutNondeterminism(g)
	}
	r.p = regions.New(r.certain, pairs(r.missing), opt.SlackBudget, opt.BySupport)
	return r, nil
}

// vary makes an action of each variant of an action, and the problem one of these. The search for
// variants ends when it has found nothing for long; it may do more than its default only where
// more work than the default is asked for.
func (r *run) vary(ctx context.Context) *regions.Decided {
	g := grouped(r.certain, r.missing)
	w, stop := r.opt.work(ctx, r.began, searchTimes)
	defer stop()
	enough := float64(variants.Enough(g)) *
		max(1, float64(w.Left())/(searchTimes*DefaultWork*stepsOfWork))
	var found *variants.Found
	var toggling bool
	w.AtMost(int64(enough), func() { found, toggling = variants.Find(w, g, r.opt.Seed) })
	r.cut = w.CutShort()
	r.split = splitActions(r.certain, pairs(r.missing), found.Of)
	r.p = regions.New(r.split.graph, r.split.missing, nil, false)
	if toggling {
		r.p = r.p.Toggling()
	}
	return r.p.Decide(ctx, found.Regions...)
}

// finish chooses regions, now that it is known which constraints can be separated.
func (r *run) finish(ctx context.Context, d *regions.Decided) (*Result, error) {
	etaSeconds := time.Since(r.began).Seconds()
	w, stop := r.opt.work(ctx, r.began, 1)
	defer stop()
	s, err := d.Learn(ctx, w, r.opt.demands())
	if err != nil {
		return nil, fmt.Errorf("operators: %w", err)
	}
	m := s.Model
	m.Nondeterministic = r.nondeterministic
	res := &Result{Model: m, Missing: r.missing, Report: Report{Proved: s.Proved, Bounds: s.Bounds,
		CutShort: r.cut || w.CutShort() || d.Undecided() > 0, EtaSeconds: etaSeconds}}
	out := &res.Report
	out.Effects, out.Preconditions, out.DistinctCodes = s.Effects, s.Preconditions, s.Codes
	if r.split != nil {
		r.split.model(m, r.g.Labels)
		out.Preconditions += r.split.excludeEachOther(m)
	} else {
		res.Inseparable = proofs(ctx, r.p, r.g, r.missing, d.Lost())
	}
	m.Untried = untried(r.g, r.missing, m)
	r.sum(out, m)
	return res, nil
}

// sum fills in what a report says of the graph and of the operators.
func (r *run) sum(out *Report, m *strips.Model) {
	out.States, out.Actions = r.g.NumStates(), r.g.NumActions()
	out.Edges, out.SeparationConstraints = len(r.g.Edges), len(r.missing)
	for _, m := range r.missing {
		if m.Refused > 0 {
			out.Refused++
		}
	}
	_, nodes := m.Nodes()
	for _, sharing := range nodes {
		if len(sharing) > 1 {
			out.SharingNodes += len(sharing)
		}
	}
	out.Predicates, out.Xi, out.Eta = m.Predicates, len(m.Slack), len(m.Exceptions)
	out.Operators, out.FalsePositives = len(m.Operators), FalsePositives(r.g, m)
	out.Nondeterministic, out.Untried = len(m.Nondeterministic), len(m.Untried)
	out.Bounds.Operators = r.g.NumActions()
	out.Proved.Operators = out.Operators == out.Bounds.Operators
	out.Seconds = time.Since(r.began).Seconds()
}

// withoutNondeterminism is the part of a graph that operators explain, and the pairs that
// they do not: those for which the recording shows several outcomes.
func withoutNondeterminism(g *taskgraph.Graph) (*taskgraph.Graph, []strips.Nondeterminism) {
	var nondeterministic []strips.Nondeterminism
	drop := map[regions.Pair]bool{}
	for _, b := range g.Nondeterministic() {
		c := strips.Nondeterminism{Node: b.Source, Action: b.Action}
		for i, target := range b.Targets {
			c.Outcomes = append(c.Outcomes, strips.Outcome{Target: target, Count: b.Support[i]})
		}
		nondeterministic = append(nondeterministic, c)
		drop[regions.Pair{State: b.Source, Action: b.Action}] = true
	}
	if len(nondeterministic) == 0 {
		return g, nil
	}
	h := *g
	h.Edges = slices.DeleteFunc(slices.Clone(g.Edges), func(e taskgraph.Edge) bool {
		return drop[regions.Pair{State: e.Source, Action: e.Action}]
	})
	return &h, nondeterministic
}

// untried lists the pairs that the model allows though the graph neither shows them nor
// counts them as missing, by node and action. A success in a node of the same code
// speaks for all of that code.
func untried(g *taskgraph.Graph, missing []Missing, m *strips.Model) (list []strips.Untried) {
	decided := map[regions.Pair]bool{}
	for _, pair := range pairs(missing) {
		decided[pair] = true
	}
	seen := map[strips.Refusal]bool{}
	for _, e := range g.Edges {
		code, _ := m.Code(e.Source)
		seen[strips.Refusal{Code: code, Action: e.Action}] = true
	}
	for _, k := range m.States {
		for a := strips.ActionID(1); int(a) <= m.Actions(); a++ {
			if seen[strips.Refusal{Code: k.Code, Action: a}] ||
				decided[regions.Pair{State: k.Node, Action: a}] {
				continue
			}
			if _, applies := m.Predict(k.Code, a); applies {
				list = append(list, strips.Untried{Node: k.Node, Action: a})
			}
		}
	}
	return list
}
