package report

import (
	"fmt"
	"math"

	"stripswm/nodes/eval"
)

// finding is one sentence at the head of the report.
type finding struct {
	Good bool
	Text string
}

// findings says in words what the numbers of the report come to.
func findings(in Input) []finding {
	var found []finding
	say := func(good bool, format string, args ...any) {
		found = append(found, finding{good, fmt.Sprintf(format, args...)})
	}
	if f := in.Facts; f != nil {
		say(true, "%s and %s were learned from %s and %s.", count(f.Facts, "fact", "facts"),
			count(f.Derived, "derived predicate", "derived predicates"),
			count(f.Successes, "success", "successes"), count(f.Refused, "refusal", "refusals"))
		say(f.Explained == f.Refusals, "Preconditions explain %s of %s.", thousands(f.Explained),
			count(f.Refusals, "refusal", "refusals"))
		for _, why := range f.NotUsed {
			say(false, "%s.", why)
		}
		if f.States > 0 && f.Alike == 0 {
			say(true, "Facts tell each of %s from every other.", count(f.States, "state", "states"))
		} else if f.States > 0 {
			say(false, "%s share all facts with another.", count(f.Alike, "state", "states"))
		}
	} else if t := in.Table; t != nil {
		switch {
		case t.TrueStates <= 0:
			say(true, "%d states were learned from %s transitions.", t.States, thousands(t.Transitions))
		case t.States == t.TrueStates:
			say(true, "%d states were learned from %s transitions, as many as the world has.", t.States,
				thousands(t.Transitions))
		case t.States > t.TrueStates:
			say(false, "%d states were learned where the world has %d: some scenes were split in two.",
				t.States, t.TrueStates)
		default:
			say(false, "%d states were learned where the world has %d: different states were merged.",
				t.States, t.TrueStates)
		}
		if t.Nondeterminism > 0 {
			say(false, "%s from one learned state to several (latent nondeterminism).",
				count(t.Nondeterminism, "action leads", "actions lead"))
		}
		if t.DistinctCodes < t.States {
			say(t.DistinctCodes == t.TrueStates, "%s to %s.", count(t.Predicates, "predicate maps them",
				"predicates map them"),
				count(t.DistinctCodes, "distinct vector", "distinct vectors"))
		} else {
			say(true, "%s each state apart from every other.", count(t.Predicates, "predicate tells",
				"predicates tell"))
		}
		if t.Xi == 0 && t.Eta == 0 {
			say(true,
				"The operators explain every transition and exclude every pair that was trusted to be "+
					"impossible (no slack).")
		}
		if t.Xi > 0 {
			say(false, "%s not as the operators predict (Σξ = %d).", count(t.Xi, "predicate value is",
				"predicate values are"), t.Xi)
		}
		if t.Eta > 0 {
			say(false,
				"%s excluded by preconditions, though trusted to be impossible (Ση = %d); the planner keeps "+
					"a list of such exceptions.",
				count(t.Eta, "(state, action) pair is not", "(state, action) pairs are not"), t.Eta)
		}
	}
	if m := in.Model; m != nil && len(m.Operators) > m.Actions() {
		say(true, "%d operators (%d skills): some skills do different things in different states.",
			len(m.Operators), m.Actions())
	}
	if m := in.Model; m != nil && len(m.Nondeterministic) > 0 {
		say(false, "%s nondeterministic: the recording shows several outcomes of it.",
			count(len(m.Nondeterministic), "(state, action) pair is", "(state, action) pairs are"))
	}
	if m := in.Model; m != nil && len(m.Untried) > 0 {
		say(false,
			"%s tried too seldom to be evaluated; plans use them only where there is no other way.",
			count(len(m.Untried), "(state, action) pair was", "(state, action) pairs were"))
	}
	for _, d := range in.Diagnostics {
		say(false, "%s", sentence(d.What))
	}
	all, last := eval.Total(in.Horizons)
	if all.Queries > 0 {
		where := "ground-truth graph"
		if in.Recorded() {
			where = "recorded ground-truth graph"
		}
		say(all.SolvedGraph == all.Queries,
			"%s of %s queries are solved in the %s, with shortest paths of %d to %d actions.",
			thousands(all.SolvedGraph), thousands(all.Queries), where, in.Horizons[0].Horizon, last.Horizon)
	}
	if all.Executed > 0 {
		say(all.Reached == all.Executed,
			"%s of %s goals are reached in closed loop, through the camera of the simulated world.",
			thousands(all.Reached), thousands(all.Executed))
	}
	images, certain := 0, 0
	for _, c := range in.Calibration {
		if c.Strength > 1 {
			images, certain = images+c.Images, certain+c.WrongCertain
		}
	}
	if images > 0 {
		say(certain == 0,
			"Of %s with more nuisance than was trained with, %s classified as another state with "+
				"certainty.",
			count(images, "image", "images"), count(certain, "is", "are"))
	}
	return found
}

// count writes a number with its noun.
func count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return thousands(n) + " " + many
}

// thousands writes 12000 as "12,000".
func thousands(n int) string {
	s := fmt.Sprint(n)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// Wilson is the 95 % score interval of a share, in per cent.
func Wilson(part, all int) (low, high float64) {
	if all <= 0 {
		return 0, 100
	}
	const z = 1.959964
	n, p := float64(all), float64(part)/float64(all)
	middle := p + z*z/(2*n)
	half := z * math.Sqrt(p*(1-p)/n+z*z/(4*n*n))
	scale := 100 / (1 + z*z/n)
	return max(0, (middle-half)*scale), min(100, (middle+half)*scale)
}
