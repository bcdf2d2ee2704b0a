package doubts

import (
	"fmt"

	"stripswm/models/strips"
)

// enough moments at a state are two to learn from and one to check with.
const enough = 3

// rare finds states that were seen at too few moments.
func rare(l Learned) (Doubt, bool) {
	visits, picture := visitsOf(l)
	d := Doubt{Kind: Rare}
	for node, n := range visits {
		if n < enough {
			d.Examples = append(d.Examples, Example{picture[node][0], picture[node][1], fmt.Sprintf("state %d, seen at %s", node, count(n, "moment"))})
		}
	}
	if len(d.Examples) == 0 {
		return d, false
	}
	d.What = fmt.Sprintf("%d of %s seen at fewer than %d moments: too few to know what their pictures have in common, so the planner may not recognise them", len(d.Examples), count(len(visits), "state"), enough)
	d.Do = "lead the scene there again, by other ways if there are any"
	return d, true
}

// visitsOf counts the moments at which each node was seen, and has the first and the last
// image of each.
func visitsOf(l Learned) (visits []int, picture [][2]int) {
	visits, picture = make([]int, l.Graph.NumStates()), make([][2]int, l.Graph.NumStates())
	seen := func(image int, begins bool) {
		node := l.Nodes[image]
		if node < 0 {
			return
		}
		if visits[node] == 0 {
			picture[node][0] = image
			begins = true
		}
		picture[node][1] = image
		if begins {
			visits[node]++
		}
	}
	for i, t := range l.Data.Transitions {
		before := strips.StateID(-1)
		if t.Follows && i > 0 {
			before = l.Nodes[l.Data.Transitions[i-1].After]
		}
		seen(t.Before, before != l.Nodes[t.Before])
		seen(t.After, true)
	}
	return visits, picture
}

func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
