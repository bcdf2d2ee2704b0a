package taskgraph

import (
	"math"

	"stripswm/models/strips"
)

// several is how likely an action comes out in several ways in fact.
const several = 0.05

// wrongLabels says which edges are likelier transitions of another action between the
// same two nodes that were given a wrong label. How often labels are wrong, and how
// often several actions lead from one node to another in fact, is estimated
// from the graph itself, beginning with those hardly seen beside another for wrong
// (expectation maximisation with hard decisions). Of two that were seen as often as each
// other, one whose action came out otherwise there, too, or was refused, may be wrong.
func (g *Graph) wrongLabels(share float64) []bool {
	if len(g.Labels) < 2 {
		return make([]bool, len(g.Edges))
	}
	type ends [2]strips.StateID
	most, sum, tried, all := map[ends]int{}, map[ends]int{}, map[stateAction]int{}, 0
	for _, e := range g.Edges {
		most[ends{e.Source, e.Target}] = max(most[ends{e.Source, e.Target}], e.Support)
		sum[ends{e.Source, e.Target}] += e.Support
		tried[stateAction{e.Source, e.Action}] += e.Support
		all += e.Support
	}
	for _, r := range g.Refused {
		tried[stateAction{r.State, r.Action}] += r.Count
	}
	wrong := make([]bool, len(g.Edges))
	beside := make([]int, len(g.Edges)) // sightings of other actions between the same nodes
	for i, e := range g.Edges {
		wrong[i] = float64(e.Support) < 2*share*float64(most[ends{e.Source, e.Target}])
		beside[i] = sum[ends{e.Source, e.Target}] - e.Support
	}
	const rounds = 10
	for range rounds {
		mistakes, parallel, right := 0.5, 0.5, map[ends]bool{}
		for i, e := range g.Edges {
			switch between := (ends{e.Source, e.Target}); {
			case wrong[i]:
				mistakes += float64(e.Support)
			case e.Support == beside[i]: // which of them is wrong, if one is, nobody knows
			case right[between]:
				parallel++
			default:
				right[between] = true
			}
		}
		each := mistakes / float64(all) / float64(len(g.Labels)-1) // rate of one wrong label
		rate := min(0.5, parallel/float64(len(sum)+1))
		for i, e := range g.Edges {
			otherwise := tried[stateAction{e.Source, e.Action}] > e.Support
			if wrong[i] = false; e.Support > beside[i] || e.Support == beside[i] && !otherwise {
				continue
			}
			asMistake := logPoisson(float64(e.Support), each*float64(beside[i]))
			asEdge := math.Log(rate) - math.Log(float64(e.Support+beside[i]+1))
			if otherwise {
				asEdge += math.Log(several)
			}
			wrong[i] = asMistake > asEdge
		}
	}
	return wrong
}

func logPoisson(n, mean float64) float64 {
	factorial, _ := math.Lgamma(n + 1)
	return n*math.Log(mean) - mean - factorial
}
