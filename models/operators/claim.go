package operators

import (
	"cmp"
	"maps"
	"math"
	"slices"

	"stripswm/models/strips"
	"stripswm/models/taskgraph"
)

// Log odds at which a claim is believed, and at which it counts for its graph.
var (
	surely = math.Log(20)
	likely = math.Log(2)
)

// claim is that two nodes, which an action led to from a third, are one state.
type claim struct {
	nodes   [2]strips.StateID
	sources []strips.StateID // that actions led from to both, or to both of what follows
	weight  float64          // log odds without the source that says most
	refuted Reason           // empty if it is not
	alone   bool             // nothing is left without that source
}

// reason says why a claim is not believed.
func (c *claim) reason() Reason {
	switch {
	case c.refuted != "":
		return c.refuted
	case c.alone:
		return OneSource
	}
	return Undecided
}

// claims weighs every pair of nodes that an action led to from a third. A first look
// shows which nodes are sources of refuted claims, and so how many nodes are two
// states or have outcomes in fact, and which may be codes of one state.
func (v *evidence) claims() []*claim {
	pairs := v.pairs()
	nondeterministic := map[strips.StateID]bool{}
	kin := map[strips.StateID][]strips.StateID{}
	for _, nodes := range pairs {
		c := v.weigh(nodes)
		if c.refuted != "" {
			for _, b := range v.branches(nodes) {
				nondeterministic[b.Source] = true
			}
			continue
		}
		kin[nodes[0]] = append(kin[nodes[0]], nodes[1])
		kin[nodes[1]] = append(kin[nodes[1]], nodes[0])
	}
	v.kin, v.outcome = kin, float64(len(nondeterministic)+1)/float64(v.g.NumStates()+2)
	var out []*claim
	for _, nodes := range pairs {
		out = append(out, v.weigh(nodes))
	}
	return out
}

// believe chooses the claims to believe, clearest first and no node in two, given
// that so many were true before.
func believe(claims []*claim, sure int) []*claim {
	refuted := 0
	for _, c := range claims {
		switch {
		case c.refuted != "":
			refuted++
		case c.weight >= surely:
			sure++
		}
	}
	odds := math.Log((float64(sure) + 0.5) / (float64(refuted) + 0.5))
	byWeight := slices.SortedStableFunc(slices.Values(claims), func(a, b *claim) int {
		return cmp.Compare(b.weight, a.weight)
	})
	taken := map[strips.StateID]bool{}
	var out []*claim
	for _, c := range byWeight {
		if c.refuted == "" && c.weight+odds >= surely && !taken[c.nodes[0]] && !taken[c.nodes[1]] {
			out = append(out, c)
			taken[c.nodes[0]], taken[c.nodes[1]] = true, true
		}
	}
	return out
}

// pairs lists the nodes to weigh: those that actions led to, in order of their sources,
// and those that images of one static interval show.
func (v *evidence) pairs() [][2]strips.StateID {
	seen := map[[2]strips.StateID]bool{}
	var out [][2]strips.StateID
	for _, b := range v.g.Nondeterministic() {
		total := v.outcomes[b.Source][b.Action].total()
		for i, t := range b.Targets {
			for j, u := range b.Targets[:i] {
				nodes := [2]strips.StateID{u, t}
				if meant(min(b.Support[i], b.Support[j]), total) && t != b.Source && u != b.Source &&
					!seen[nodes] {
					seen[nodes] = true
					out = append(out, nodes)
				}
			}
		}
	}
	for _, nodes := range slices.SortedFunc(maps.Keys(v.intervals.Mixed),
		func(a, b [2]strips.StateID) int { return slices.Compare(a[:], b[:]) }) {
		first, mixed, second := v.intervalsOf(nodes)
		if !seen[nodes] && meant(mixed, mixed+min(first, second)) {
			out = append(out, nodes)
		}
	}
	return out
}

// weigh weighs a claim with what follows from it: where an action leads on from each of
// the nodes. What follows from that in turn is left to the claims about those nodes.
func (v *evidence) weigh(nodes [2]strips.StateID) *claim {
	c := &claim{nodes: nodes}
	same := newMerged()
	var reached []*arrivals
	var done [][2]tally
	for queue := [][2]strips.StateID{nodes}; len(queue) > 0; queue = queue[1:] {
		one, two := same.of(queue[0][0]), same.of(queue[0][1])
		if one[0] == two[0] {
			continue
		}
		a := newArrivals(v.arrivalsAt(one, two), v.outcome)
		reached = append(reached, a)
		for i, s := range a.sources {
			if a.mixed[i] && !slices.Contains(c.sources, s) {
				c.sources = append(c.sources, s)
			}
		}
		if a.weight(nil) < -surely {
			c.refute(ReachedDistinct, len(reached))
			return c
		}
		same.merge(one, two)
		for action := strips.ActionID(1); int(action) <= v.g.NumActions(); action++ {
			both := [2]tally{v.pooled(one, action), v.pooled(two, action)}
			if len(both[0]) == 0 || len(both[1]) == 0 {
				continue
			}
			x, y := both[0].under(same.first), both[1].under(same.first)
			if p, q := x.usual(), y.usual(); p != q && p != refusal && q != refusal &&
				likeness(x, y, v.outcome) < -likely {
				if len(reached) > 1 {
					continue // what follows from what follows
				}
				queue = append(queue, [2]strips.StateID{p, q})
			}
			done = append(done, both)
		}
	}
	behave := 0.0
	for _, both := range done {
		w := likeness(both[0].under(same.first), both[1].under(same.first), v.outcome)
		if behave += w; w < -surely {
			c.refute(BehaveDistinct, len(reached))
			return c
		}
	}
	behave += oneInterval(v.intervalsOf(nodes))
	c.weight = behave + total(reached, nil)
	for _, s := range c.sources {
		if w := behave + total(reached, append(slices.Clone(v.kin[s]), s)); w < c.weight {
			c.weight = w
			c.alone = !slices.ContainsFunc(c.sources, func(o strips.StateID) bool {
				return o != s &&
					!slices.Contains(v.kin[s], o)
			})
		}
	}
	if c.weight < -surely {
		why := ReachedDistinct
		if behave < c.weight/2 {
			why = BehaveDistinct
		}
		c.refute(why, len(reached))
	}
	return c
}

// refute notes why, and whether it is what follows that is contradicted.
func (c *claim) refute(why Reason, pairs int) {
	if pairs > 1 {
		why = FollowsDistinct
	}
	c.refuted, c.weight = why, min(c.weight, -surely)
}

// total adds up the weights of the arrivals, without those from some sources.
func total(reached []*arrivals, without []strips.StateID) float64 {
	sum := 0.0
	for _, a := range reached {
		sum += a.weight(without)
	}
	return sum
}

// merged is nodes supposed to be one state, each group with its least node first.
type merged map[strips.StateID][]strips.StateID

func newMerged() merged { return merged{} }

func (j merged) of(s strips.StateID) []strips.StateID {
	if group := j[s]; group != nil {
		return group
	}
	return []strips.StateID{s}
}

func (j merged) first(s strips.StateID) strips.StateID { return j.of(s)[0] }

func (j merged) merge(one, two []strips.StateID) {
	all := slices.Sorted(slices.Values(slices.Concat(one, two)))
	for _, s := range all {
		j[s] = all
	}
}

// branches lists the actions that led to both nodes in fact, from elsewhere.
func (v *evidence) branches(nodes [2]strips.StateID) []taskgraph.Branch {
	var out []taskgraph.Branch
	for _, w := range v.arrivalsAt(nodes[:1], nodes[1:]) {
		if w.mixed() {
			out = append(out, taskgraph.Branch{Source: w.source, Action: w.action, Targets: nodes[:],
				Support: w.counts[:]})
		}
	}
	return out
}
