package operators

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"stripswm/models/operators/internal/regions"
	"stripswm/models/strips"
	"stripswm/models/taskgraph"
)

// Policy says where a missing edge counts as negative evidence (Ŝ_trust in the
// paper). Attempts that were refused always count, except under TrustNothing.
type Policy string

const (
	TrustAll      Policy = "all"      // every node: the closed-world guess everywhere
	TrustVisited  Policy = "visited"  // where the action would have been seen by now
	TrustNodes    Policy = "nodes"    // a list of nodes
	TrustAttempts Policy = "attempts" // only attempts that were refused
	TrustNothing  Policy = "none"     // no negative evidence (the ablation of RQ4)
)

// Trust is a trust policy and its parameters. The zero Trust trusts all nodes.
type Trust struct {
	Policy Policy
	// Visits is, for TrustVisited, the least number of actions seen or refused
	// at a node.
	Visits int
	// Suspicion is, for TrustVisited, the greatest probability that the action was
	// never drawn at the node although it applies there. An action is drawn at
	// the rate seen where it is known to apply; of one that was never seen to succeed
	// nothing is known, and it is trusted to apply nowhere. 0 stands for 0.05.
	Suspicion float64
	// Nodes is the list for TrustNodes.
	Nodes []strips.StateID
}

// Missing is a trusted missing pair (s, a) ∈ N̂.
type Missing struct {
	State  strips.StateID
	Action strips.ActionID
	// Refused is how often the robot tried and was refused; 0 marks a
	// closed-world guess.
	Refused int
}

// DefaultTrust is what a graph that was recorded is to be trusted with: attempts that
// were refused, and actions that would have been seen by now. A graph without counts is
// not one of a recording: what it does not have is trusted to be missing.
func DefaultTrust(g *taskgraph.Graph) Trust {
	if len(g.Refused) > 0 ||
		slices.ContainsFunc(g.Edges, func(e taskgraph.Edge) bool { return e.Support > 1 }) {
		return Trust{Policy: TrustVisited}
	}
	return Trust{Policy: TrustAll}
}

// ParseTrust reads all, none, attempts, visited:K, visited:K:DOUBT or
// nodes:0,4,7.
func ParseTrust(text string) (Trust, error) {
	name, rest, _ := strings.Cut(text, ":")
	t := Trust{Policy: Policy(name)}
	var err error
	switch t.Policy {
	case TrustAll, TrustAttempts, TrustNothing:
		if rest != "" {
			err = fmt.Errorf("%s takes no parameter", name)
		}
	case TrustVisited:
		visits, suspicion, given := strings.Cut(rest, ":")
		if t.Visits, err = strconv.Atoi(visits); err == nil && given {
			t.Suspicion, err = strconv.ParseFloat(suspicion, 64)
		}
		if err == nil && (t.Visits < 0 || !(t.Suspicion >= 0 && t.Suspicion <= 1)) {
			err = fmt.Errorf("want at least 0 visits and a suspicion in 0..1")
		}
	case TrustNodes:
		for word := range strings.SplitSeq(rest, ",") {
			n, bad := strconv.Atoi(word)
			if bad != nil {
				err = fmt.Errorf("%q is not a node", word)
				break
			}
			t.Nodes = append(t.Nodes, strips.StateID(n))
		}
	default:
		err = fmt.Errorf("want all, none, attempts, visited:K[:DOUBT] or nodes:0,4,7")
	}
	if err != nil {
		return Trust{}, fmt.Errorf("trust policy %q: %w", text, err)
	}
	return t, nil
}

// Missing lists the trusted missing pairs of a graph, by state and action. A
// refused attempt of an action that was also seen to succeed there is no
// missing pair.
func (t Trust) Missing(g *taskgraph.Graph) ([]Missing, error) {
	trusted, err := t.closedWorld(g)
	if err != nil {
		return nil, err
	}
	var missing []Missing
	refused := g.Refused
	seen := make([]bool, g.NumActions()+1)
	for s := range strips.StateID(g.NumStates()) {
		clear(seen)
		for _, e := range g.Out(s) {
			seen[e.Action] = true
		}
		for a := strips.ActionID(1); int(a) <= g.NumActions(); a++ {
			count := 0
			if len(refused) > 0 && refused[0].State == s && refused[0].Action == a {
				count, refused = refused[0].Count, refused[1:]
			}
			if t.Policy == TrustNothing || seen[a] || count == 0 && !trusted(s, a) {
				continue
			}
			missing = append(missing, Missing{s, a, count})
		}
	}
	return missing, nil
}

// closedWorld says for which pairs a missing edge alone is evidence.
func (t Trust) closedWorld(g *taskgraph.Graph) (func(strips.StateID, strips.ActionID) bool, error) {
	constant := func(v bool) func(strips.StateID, strips.ActionID) bool {
		return func(strips.StateID, strips.ActionID) bool { return v }
	}
	switch t.Policy {
	case "", TrustAll:
		return constant(true), nil
	case TrustAttempts, TrustNothing:
		return constant(false), nil
	case TrustNodes:
		for _, s := range t.Nodes {
			if s < 0 || int(s) >= g.NumStates() {
				return nil, fmt.Errorf("trust: node %d is outside 0..%d", s, g.NumStates()-1)
			}
		}
		return func(s strips.StateID, _ strips.ActionID) bool { return slices.Contains(t.Nodes, s) }, nil
	case TrustVisited:
		if t.Visits < 0 || !(t.Suspicion >= 0 && t.Suspicion <= 1) {
			return nil, fmt.Errorf("trust: %d visits and a suspicion of %g, want at least 0 and 0..1",
				t.Visits, t.Suspicion)
		}
		return t.visited(g), nil
	}
	return nil, fmt.Errorf("trust: unknown policy %q", t.Policy)
}

func (t Trust) visited(g *taskgraph.Graph) func(strips.StateID, strips.ActionID) bool {
	visits := make([]int, g.NumStates())
	for _, e := range g.Edges {
		visits[e.Source] += e.Support
	}
	for _, r := range g.Refused {
		visits[r.State] += r.Count
	}
	drawn := make([]int, g.NumActions()+1)            // times a was drawn where it applies
	nondeterministic := make([]int, g.NumActions()+1) // draws at nodes where it applies
	for i, e := range g.Edges {
		drawn[e.Action] += e.Support
		if i == 0 || g.Edges[i-1].Source != e.Source || g.Edges[i-1].Action != e.Action {
			nondeterministic[e.Action] += visits[e.Source]
		}
	}
	suspicion := cmp.Or(t.Suspicion, defaultSuspicion)
	return func(s strips.StateID, a strips.ActionID) bool {
		if visits[s] < t.Visits || nondeterministic[a] == 0 {
			return visits[s] >= t.Visits
		}
		rate := float64(drawn[a]) / float64(nondeterministic[a])
		return math.Pow(1-rate, float64(visits[s])) <= suspicion
	}
}

// trusted is the trusted missing pairs of a graph, which it checks first.
func trusted(g *taskgraph.Graph, t Trust) ([]Missing, error) {
	if err := g.Validate(); err != nil {
		return nil, fmt.Errorf("operators: %w", err)
	}
	missing, err := t.Missing(g)
	if err != nil {
		return nil, fmt.Errorf("operators: %w", err)
	}
	return missing, nil
}

func pairs(missing []Missing) []regions.Pair {
	out := make([]regions.Pair, len(missing))
	for i, m := range missing {
		out[i] = regions.Pair{State: m.State, Action: m.Action}
	}
	return out
}
