package planner

import "stripswm/models/strips"

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
