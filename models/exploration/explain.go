package exploration

import (
	"fmt"
	"strings"

	"stripswm/models/strips"
)

// Explain says in a sentence why a choice is made, before it is observed.
func (e *Explorer) Explain(c Choice, names []string) string {
	a := int(c.Action) - 1
	name := func(a int) string {
		if a < len(names) {
			return names[a]
		}
		return fmt.Sprintf("action %d", a+1)
	}
	if n := len(e.plan); c.Steps > 0 && n > 1 {
		return fmt.Sprintf("%s: on the way to %s, which tells more in %s", name(a), name(e.plan[n-1]),
			count(c.Steps, "step"))
	}
	var why []string
	switch n := e.succeeded[a]; {
	case n == 0 && e.refused[a] == 0:
		why = append(why, "it was never tried")
	case n == 0:
		why = append(why, "it was refused "+count(e.refused[a], "time")+" and has not succeeded yet")
	case e.beliefs == nil || e.beliefs.skills[a].operator == nil:
		why = append(why, "what it changes is not known yet")
	case float64(n) <= fewSuccesses:
		why = append(why, "it has succeeded only "+count(n, "time"))
	}
	if l, ok := e.decides(a); ok {
		if model, err := e.beliefs.result.Model.Strips(names); err == nil {
			why = append(why, fmt.Sprintf("a success would show that it does not need %s (%.0f %% likely)",
				words(model, l), 100*l.probability))
		}
	}
	if latest := e.recent.latest; latest >= 0 {
		if n := e.after[latest*e.actions+a]; e.succeeded[a] > 0 && n[0]+n[1] == 0 {
			why = append(why, "it was never tried after "+name(latest))
		}
	}
	if len(why) == 0 {
		why = append(why, "its outcome is not certain here")
	}
	if c.Drawn {
		why = append(why, "drawn, since estimates alone may be wrong")
	}
	return fmt.Sprintf("%s (%.0f %% likely to succeed): %s", name(a), 100*c.Applies,
		strings.Join(why, ", and "))
}

// decides is the literal of a skill that is not true here and about which least is known.
func (e *Explorer) decides(a int) (best needed, some bool) {
	if e.beliefs == nil || e.beliefs.skills[a].operator == nil {
		return best, false
	}
	for _, l := range e.beliefs.skills[a].literals {
		if e.values.of(l.Literal) != 1 && l.open() &&
			(!some || entropy(l.probability) > entropy(best.probability)) {
			best, some = l, true
		}
	}
	return best, some
}

// words is a literal by the name of its predicate.
func words(m *strips.Model, l needed) string {
	if l.Negated {
		return "not " + m.PredicateLabel(l.Predicate)
	}
	return m.PredicateLabel(l.Predicate)
}

func count(n int, of string) string {
	if n == 1 {
		return "1 " + of
	}
	return fmt.Sprintf("%d %ss", n, of)
}
