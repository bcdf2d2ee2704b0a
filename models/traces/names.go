package traces

import (
	"fmt"
	"slices"
	"strings"

	"stripswm/models/strips"
)

// Strips is the model for the planner and for PDDL. It knows no states, so that all vectors are
// equal to it. names are those of the actions, by action - 1; without them, or where one is empty,
// an action is named by its id. The error says which two actions have one name.
func (m *Model) Strips(names []string) (*strips.Model, error) {
	s := &strips.Model{Predicates: len(m.Predicates), Names: m.Names(names)}
	for _, o := range m.Operators {
		o.Name = actionName(names, o.Action)
		s.Operators = append(s.Operators, o)
	}
	if err := s.Validate(); err != nil {
		return nil, fmt.Errorf("traces: %w", err)
	}
	return s, nil
}

func actionName(names []string, a strips.ActionID) string {
	if int(a) <= len(names) && names[a-1] != "" {
		return names[a-1]
	}
	return fmt.Sprint(int(a))
}

// Names names each predicate by the actions after which it holds: after_place_mug_3, or what all
// their names have in common, after_pick_mug, or the first one, after_36_and_34_more. A
// derived predicate is any_place_3. Where predicates would have one name they are named by the
// actions that delete them, too, and numbered if that does not make them distinct. Names are valid
// in PDDL.
func (m *Model) Names(actions []string) []string {
	short := func(p Predicate) string {
		switch {
		case len(p.Add) == 0:
			return join("before", common(actions, p.Del))
		case p.Members != nil:
			return join("any", common(actions, p.Add))
		}
		return join("after", common(actions, p.Add))
	}
	names, count := make([]string, len(m.Predicates)), map[string]int{}
	for i, p := range m.Predicates {
		names[i] = short(p)
		count[names[i]]++
	}
	for i, p := range m.Predicates {
		if count[names[i]] > 1 && len(p.Add) > 0 && len(p.Del) > 0 {
			names[i] = join(names[i], "before", common(actions, p.Del))
		}
	}
	taken := map[string]bool{}
	for i, name := range names {
		for n := 2; taken[names[i]]; n++ {
			names[i] = fmt.Sprintf("%s_%d", name, n)
		}
		taken[names[i]] = true
	}
	return names
}

func join(words ...string) string {
	words = slices.DeleteFunc(words, func(w string) bool { return w == "" })
	return strings.Join(words, "_")
}

// common is the words that the names of all actions share, in the order of the first name, or else
// the first name and the number of the others.
func common(names []string, actions []strips.ActionID) string {
	if len(actions) == 0 {
		return ""
	}
	first := words(actionName(names, actions[0]))
	shared := first
	for _, a := range actions[1:] {
		shared = subsequence(shared, words(actionName(names, a)))
	}
	if len(shared) == 0 {
		return fmt.Sprintf("%s_and_%d_more", join(first...), len(actions)-1)
	}
	return join(shared...)
}

// words splits a name at all that is neither a letter nor a digit of PDDL.
func words(name string) []string {
	return strings.FieldsFunc(strings.ToLower(name), func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < '0' || r > '9')
	})
}

// subsequence is a longest common one.
func subsequence(a, b []string) []string {
	length := make([][]int, len(a)+1) // of a[i:] and b[j:]
	for i := range length {
		length[i] = make([]int, len(b)+1)
	}
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			if a[i] == b[j] {
				length[i][j] = length[i+1][j+1] + 1
			} else {
				length[i][j] = max(length[i+1][j], length[i][j+1])
			}
		}
	}
	var out []string
	for i, j := 0, 0; i < len(a) && j < len(b); {
		switch {
		case a[i] == b[j]:
			out = append(out, a[i])
			i, j = i+1, j+1
		case length[i+1][j] >= length[i][j+1]:
			i++
		default:
			j++
		}
	}
	return out
}
