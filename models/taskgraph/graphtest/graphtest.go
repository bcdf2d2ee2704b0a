package graphtest

import (
	"fmt"
	"strconv"
	"strings"

	"pgregory.net/rapid"

	"stripswm/models/strips"
	"stripswm/models/taskgraph"
)

// Of is the graph of what was seen, in this order: "shut 1 ajar" is action 1 from one code to
// another, "shut 1 ajar 20" the same twenty times, and "ajar 1" that it was refused. It panics if
// that makes no sense.
func Of(labels []string, seen ...string) *taskgraph.Graph {
	b := taskgraph.NewBuilder(labels)
	for _, s := range seen {
		words := append(strings.Fields(s), "1")
		action, err := strconv.Atoi(words[1])
		if len(words) == 3 && err == nil {
			err = b.Refuse(words[0], strips.ActionID(action))
		} else if err == nil {
			var times int
			for times, err = strconv.Atoi(words[3]); err == nil && times > 0; times-- {
				err = b.Observe(words[0], strips.ActionID(action), words[2])
			}
		}
		if err != nil {
			panic(s + ": " + err.Error())
		}
	}
	return b.Graph()
}

// States are those of a model whose codes the graph's nodes have.
func States(g *taskgraph.Graph) (states []strips.Known) {
	for s, n := range g.Nodes {
		code, err := strips.ParseState(n.Code)
		if err != nil {
			panic(err)
		}
		states = append(states, strips.Known{Node: strips.StateID(s), Code: code})
	}
	return states
}

// Noisy draws small graphs, nondeterministic ones and actions without edges included.
func Noisy(states, actions, edges int) *rapid.Generator[*taskgraph.Graph] {
	return rapid.Custom(func(t *rapid.T) *taskgraph.Graph {
		labels := make([]string, actions)
		for a := range labels {
			labels[a] = string(rune('a' + a))
		}
		state := rapid.IntRange(0, states-1)
		seen := make([]string, rapid.IntRange(1, edges).Draw(t, "edges"))
		for i := range seen {
			source, target := state.Draw(t, "source"), state.Draw(t, "target")
			action := rapid.IntRange(1, actions).Draw(t, "action")
			seen[i] = fmt.Sprint(source, " ", action, " ", target)
		}
		return Of(labels, seen...)
	})
}
