package strips

import (
	"fmt"
	"strings"
)

// PredicateLabel is the name of predicate p, or p0, p1 and so on where the model has none.
func (m *Model) PredicateLabel(p Predicate) string {
	if p < 0 || int(p) >= len(m.Names) {
		return fmt.Sprint("p", int(p))
	}
	return m.Names[p]
}

// FindLiteral reads a predicate's name, with "!" before it for its negation.
func (m *Model) FindLiteral(text string) (Literal, error) {
	name, negated := strings.CutPrefix(text, "!")
	for p := range Predicate(m.Predicates) {
		if m.PredicateLabel(p) == name {
			return Literal{p, negated}, nil
		}
	}
	if near := m.near(name); len(near) > 0 {
		return Literal{}, fmt.Errorf("model: no predicate is named %q: did you mean %s?", name,
			strings.Join(near, " or "))
	}
	return Literal{}, fmt.Errorf("model: no predicate is named %q: report/facts.txt and the domain "+
		"in PDDL list them", name)
}

// near are the names, three at most, that differ least from a mistyped one, and in no more than a
// third of its letters.
func (m *Model) near(name string) (near []string) {
	least := max(1, len(name)/3)
	for p := range Predicate(m.Predicates) {
		label := m.PredicateLabel(p)
		d := typos(name, label)
		if d < least {
			least, near = d, nil
		}
		if d == least && len(near) < 3 {
			near = append(near, label)
		}
	}
	return near
}

// typos is how many letters were added, left out or changed between two words.
func typos(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		corner := row[0]
		row[0] = i + 1
		for j := range len(b) {
			changed := corner
			if a[i] != b[j] {
				changed++
			}
			corner = row[j+1]
			row[j+1] = min(changed, row[j]+1, corner+1)
		}
	}
	return row[len(b)]
}

// ParseGoal reads literals separated by commas, such as "at_mug_3,!held_fork".
func (m *Model) ParseGoal(text string) (Goal, error) {
	var goal Goal
	for word := range strings.SplitSeq(text, ",") {
		l, err := m.FindLiteral(strings.TrimSpace(word))
		if err != nil {
			return nil, err
		}
		goal = append(goal, l)
	}
	return goal, goal.Validate(m.Predicates)
}

// atom is a predicate in PDDL.
func (m *Model) atom(p Predicate) string { return "(" + m.PredicateLabel(p) + ")" }

// twin is true where the predicate is false, in plain STRIPS.
func (m *Model) twin(p Predicate) string {
	if m.Names == nil {
		return fmt.Sprintf("(n%d)", p)
	}
	return "(not-" + m.Names[p] + ")"
}

// validateNames asks for one name a predicate, each once and valid in PDDL. Names that begin with
// "not-" or "node" belong to what the PDDL adds.
func (m *Model) validateNames() error {
	if m.Names == nil {
		return nil
	}
	if len(m.Names) != m.Predicates {
		return fmt.Errorf("model: %d names of %d predicates", len(m.Names), m.Predicates)
	}
	seen := make(map[string]bool, len(m.Names))
	for p, name := range m.Names {
		if name != pddlName(name) || strings.HasPrefix(name, "not-") || strings.HasPrefix(name, "node") {
			return fmt.Errorf("model: predicate %d is named %q: want a letter, then letters, digits, "+
				"- and _ in lower case, and no not- or node at the front", p, name)
		}
		if seen[name] {
			return fmt.Errorf("model: two predicates are named %q", name)
		}
		seen[name] = true
	}
	return nil
}
