package diagnostics

import (
	"fmt"

	"stripswm/models/strips"
)

// enough static intervals at a state are two to learn from and one to check with.
const enough = 3

// rare finds states that were seen at too few static intervals.
func rare(l Learned) (Diagnostic, bool) {
	visits, img := visitsOf(l)
	d := Diagnostic{Kind: Rare}
	for node, n := range visits {
		if n < enough {
			d.Examples = append(d.Examples, Example{img[node][0], img[node][1],
				fmt.Sprintf("state %d, seen at %s", node, count(n, "static interval"))})
		}
	}
	if len(d.Examples) == 0 {
		return d, false
	}
	d.What = fmt.Sprintf(
		"%d of %s seen at fewer than %d static intervals: too few to know what their images have in "+
			"common, so the planner may not recognise them", len(d.Examples), count(len(visits), "state"),
		enough)
	d.Do = "lead the scene there again, by other ways if there are any"
	return d, true
}

// visitsOf counts the static intervals at which each node was seen, and has the first and the last
// image of each.
func visitsOf(l Learned) (visits []int, img [][2]int) {
	visits, img = make([]int, l.Graph.NumStates()), make([][2]int, l.Graph.NumStates())
	seen := func(image int, begins bool) {
		node := l.Nodes[image]
		if node < 0 {
			return
		}
		if visits[node] == 0 {
			img[node][0] = image
			begins = true
		}
		img[node][1] = image
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
	return visits, img
}

func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
