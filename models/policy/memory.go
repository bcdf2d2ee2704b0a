package policy

import (
	"fmt"

	"stripswm/models/strips"
	"stripswm/models/taskgraph"
)

// pair is an action at a node.
type pair struct {
	state  strips.StateID
	action strips.ActionID
}

// verdict is what is known of a pair.
type verdict int8

const (
	untried verdict = iota
	refused
	applied // once at least
)

// arc is an observed edge, from one of its ends.
type arc struct {
	by    strips.ActionID
	other strips.StateID
}

// memory is what was tried where, and where it led. Nodes are numbered as they first appear,
// as in its task graph.
type memory struct {
	builder  *taskgraph.Builder
	ids      map[string]strips.StateID
	codes    []string
	verdicts map[pair]verdict
	targets  map[pair]strips.StateID // where it led last
	times    map[pair]int            // that it was tried
	out, in  [][]arc                 // distinct, by node
	// of each edge, in the order in which they were seen: whether its target was new
	news []bool
	// of each node: from which it was first reached, itself where it was not by an edge
	parents []strips.StateID
	// pairs of each action that applied and that were refused, by action-1
	ok, no []int

	// repeats are attempts of pairs that had been tried before, surprises those of them that came out
	// otherwise.
	repeats, surprises int
}

func newMemory(labels []string) *memory {
	return &memory{builder: taskgraph.NewBuilder(labels), ids: map[string]strips.StateID{},
		verdicts: map[pair]verdict{},
		targets:  map[pair]strips.StateID{}, times: map[pair]int{}, ok: make([]int, len(labels)),
		no: make([]int, len(labels))}
}

func (m *memory) actions() int { return len(m.ok) }

// node is the node of a code, a new one where there is none.
func (m *memory) node(code string) strips.StateID {
	id, known := m.ids[code]
	if !known {
		id = strips.StateID(len(m.codes))
		m.ids[code] = id
		m.codes = append(m.codes, code)
		m.out, m.in, m.parents = append(m.out, nil), append(m.in, nil), append(m.parents, id)
	}
	return id
}

// observe adds an attempt of a pair, and says whether it shows anything new: a verdict or a target.
func (m *memory) observe(p pair, a CodeAttempt) (fresh bool, err error) {
	if a.Refused {
		err = m.builder.Refuse(a.At, a.Action)
	} else {
		err = m.builder.Observe(a.At, a.Action, a.To)
	}
	if err != nil {
		return false, fmt.Errorf("explore: %w", err)
	}
	was := m.verdicts[p]
	m.times[p]++
	if was != untried {
		m.repeats++
	}
	if a.Refused {
		if was == applied {
			m.surprises++
		}
		if was != untried {
			return false, nil
		}
		m.verdicts[p] = refused
		m.no[a.Action-1]++
		return true, nil
	}
	_, seen := m.ids[a.To]
	to := m.node(a.To)
	if last, led := m.targets[p]; led && last == to {
		return false, nil
	}
	if was != untried {
		m.surprises++
	}
	if was == refused {
		m.no[a.Action-1]--
	}
	if was != applied {
		m.ok[a.Action-1]++
	}
	m.verdicts[p], m.targets[p] = applied, to
	m.out[p.state] = append(m.out[p.state], arc{a.Action, to})
	m.in[to] = append(m.in[to], arc{a.Action, p.state})
	if m.news = append(m.news, !seen); !seen {
		m.parents[to] = p.state
	}
	return true, nil
}

// paths are the fewest known steps from a node to the others, and the first action of each path,
// by pairs that may be taken.
func (m *memory) paths(from strips.StateID,
	may func(pair) bool,
) (steps map[strips.StateID]int, first map[strips.StateID]strips.ActionID, order []strips.StateID) {
	steps, first = map[strips.StateID]int{from: 0}, map[strips.StateID]strips.ActionID{}
	order = []strips.StateID{from}
	for i := 0; i < len(order); i++ {
		s := order[i]
		for _, e := range m.out[s] {
			if _, reached := steps[e.other]; reached || m.targets[pair{s, e.by}] != e.other ||
				!may(pair{s, e.by}) {
				continue
			}
			steps[e.other] = steps[s] + 1
			if first[e.other] = first[s]; s == from {
				first[e.other] = e.by
			}
			order = append(order, e.other)
		}
	}
	return steps, first, order
}

// discovering is the share of the later half of the edges that showed a new state.
func (m *memory) discovering() float64 {
	later := m.news[len(m.news)/2:]
	found := 0.0
	for _, n := range later {
		if n {
			found++
		}
	}
	return (found + 1) / float64(len(later)+2)
}

// behind is how many states a new one has shown on average, itself and all that were first reached
// by way of it.
func (m *memory) behind() float64 {
	found, all := 0, 0
	for id := range m.parents {
		s := strips.StateID(id)
		if m.parents[s] != s {
			found++
		}
		for ; m.parents[s] != s; s = m.parents[s] {
			all++
		}
	}
	return float64(all+1) / float64(found+1)
}
