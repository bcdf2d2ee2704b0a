package puzzles

import (
	"stripswm/models/strips"
	"stripswm/models/taskgraph"
)

// Puzzle is a deterministic world. Its states are words.
type Puzzle struct {
	Name   string
	Skills []string // Skills[a-1] names action a
	Start  string
	// step returns where the skill with that index leads; ok is false where it is refused.
	step func(state string, skill int) (next string, ok bool)
}

// Attempt is a skill that was tried: After is Before where it was refused.
type Attempt struct {
	Before string
	Action strips.ActionID
	After  string
	OK     bool
	Reset  bool // somebody put the world back to its start before this attempt
}

// All returns one puzzle of each kind, two of Sokoban, none with more than 100 states.
func All() []Puzzle {
	return []Puzzle{Hanoi(3), Tiles(2, 2), LightsOut(2, 3), Sokoban(OneBox), Sokoban(TwoBoxes), KeyDoor(), Carrier(3, 3), Lamp()}
}

// Apply returns where action a leads from a state; ok is false, and the state unchanged, where it
// is refused.
func (p Puzzle) Apply(state string, a strips.ActionID) (next string, ok bool) {
	if a < 1 || int(a) > len(p.Skills) {
		return state, false
	}
	if next, ok = p.step(state, int(a)-1); !ok {
		return state, false
	}
	return next, true
}

// Exact returns each transition between states that can be reached from the start, once, as a
// breadth-first search meets them, and no refused attempt.
func (p Puzzle) Exact() []Attempt {
	seen := map[string]bool{p.Start: true}
	queue := []string{p.Start}
	var all []Attempt
	for i := 0; i < len(queue); i++ {
		for a := range p.Skills {
			next, ok := p.step(queue[i], a)
			if !ok {
				continue
			}
			all = append(all, Attempt{Before: queue[i], Action: strips.ActionID(a + 1), After: next, OK: true})
			if !seen[next] {
				seen[next] = true
				queue = append(queue, next)
			}
		}
	}
	return all
}

// Graph returns the task graph of these attempts: supports count them, and refused ones are kept as
// such. Without attempts it is the graph of p.Exact.
func (p Puzzle) Graph(attempts ...Attempt) *taskgraph.Graph {
	if len(attempts) == 0 {
		attempts = p.Exact()
	}
	b := taskgraph.NewBuilder(p.Skills)
	for _, t := range attempts {
		var err error
		if t.OK {
			err = b.Observe(t.Before, t.Action, t.After)
		} else {
			err = b.Refuse(t.Before, t.Action)
		}
		if err != nil {
			panic(err) // attempts of another puzzle
		}
	}
	return b.Graph()
}
