package operators

import (
	"context"
	"fmt"
	"slices"
	"time"

	"stripswm/models/operators/internal/regions"
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

// DefaultWork takes an idle machine with two cores less than ten seconds.
const DefaultWork = 120

const (
	steps     = 1_000_000 // in a unit of work
	perSecond = 12        // units of work that two idle cores do
	safetyNet = time.Minute
)

// work is what Learn may do once eta is proved.
func (opt *Options) work(ctx context.Context, began time.Time) (*work.Work, context.CancelFunc) {
	planned, clock := int64(opt.Work)*steps, opt.Budget
	if opt.Work == 0 && opt.Budget > 0 {
		planned = int64(opt.Budget.Seconds() * perSecond * steps)
	} else if opt.Work == 0 {
		planned, clock = DefaultWork*steps, safetyNet
	}
	if clock == 0 {
		return work.New(ctx, planned), func() {}
	}
	ctx, stop := context.WithDeadline(ctx, began.Add(clock))
	return work.New(ctx, planned), stop
}

// single says whether the paper's model is asked for.
func (opt *Options) single() bool {
	return opt.Single || opt.Predicates > 0 || opt.Distinct.All || len(opt.Distinct.Pairs) > 0 ||
		opt.MinUnique > 0 || opt.AllowCollapse || opt.BySupport || len(opt.SlackBudget) > 0
}

// searchTimes is how much more may be done to find variants than to choose regions.
const searchTimes = 4

// search is what may be done to find variants.
func (opt *Options) search(ctx context.Context, began time.Time) (*work.Work, context.CancelFunc) {
	more := *opt
	more.Work, more.Budget = searchTimes*opt.Work, searchTimes*opt.Budget
	if opt.Work == 0 && opt.Budget == 0 {
		more.Work, more.Budget = searchTimes*DefaultWork, searchTimes*safetyNet
	}
	return more.work(ctx, began)
}

func (opt *Options) demands() regions.Demands {
	return regions.Demands{Predicates: opt.Predicates, AllDistinct: opt.Distinct.All ||
		!opt.single(), Distinct: opt.Distinct.Pairs,
		MinUnique: opt.MinUnique, AllowCollapse: opt.AllowCollapse, Seed: opt.Seed}
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
