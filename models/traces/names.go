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
// their names have in common, after_pick_mug. Where they have nothing in common but what all names
// have, it is named by the actions that delete it, before_skill_3, or else by the first one that
// adds it, after_skill_36_and_34_more. A derived predicate is any_place_3. Where predicates would
// have one name they are named by both, and numbered if that does not make them distinct. Names are
// valid in PDDL.
func (m *Model) Names(actions []string) []string {
	n := newNamer(m, actions)
	names, count := make([]string, len(m.Predicates)), map[string]int{}
	for i, p := range m.Predicates {
		names[i] = n.short(p)
		count[names[i]]++
	}
	for i, p := range m.Predicates {
		if count[names[i]] > 1 && len(p.Add) > 0 && len(p.Del) > 0 {
			first := "after"
			if p.Members != nil {
				first = "any"
			}
			names[i] = join(first, n.group(p.Add), "before", n.group(p.Del))
		}
	}
	taken := map[string]bool{}
	for i, name := range names {
		for k := 2; taken[names[i]]; k++ {
			names[i] = fmt.Sprintf("%s_%d", name, k)
		}
		taken[names[i]] = true
	}
	return names
}

// A namer names groups of actions.
type namer struct {
	actions []string
	usual   []string // words of all actions' names, which tell nothing
}

func newNamer(m *Model, actions []string) *namer {
	n := &namer{actions: actions}
	var all []strips.ActionID
	for _, p := range m.Predicates {
		all = append(append(all, p.Add...), p.Del...)
	}
	if len(all) > 0 {
		n.usual = n.shared(all)
	}
	return n
}

// words are those of an action's name; of one without a name skill and its id.
func (n *namer) words(a strips.ActionID) []string {
	if int(a) > len(n.actions) || n.actions[a-1] == "" {
		return []string{"skill", fmt.Sprint(int(a))}
	}
	return words(n.actions[a-1])
}

// shared is the words that the names of all actions have, in the order of the first name.
func (n *namer) shared(actions []strips.ActionID) []string {
	all := n.words(actions[0])
	for _, a := range actions[1:] {
		all = subsequence(all, n.words(a))
	}
	return all
}

// tells says whether what the names have in common is of these actions alone.
func (n *namer) tells(actions []strips.ActionID) bool {
	unusual := func(w string) bool { return !slices.Contains(n.usual, w) }
	return len(actions) == 1 ||
		len(actions) > 1 && slices.ContainsFunc(n.shared(actions), unusual)
}

// group is what the names of all actions have in common, or else the first name and the number of
// the others.
func (n *namer) group(actions []strips.ActionID) string {
	switch {
	case len(actions) == 0:
		return ""
	case n.tells(actions):
		return join(n.shared(actions)...)
	}
	return fmt.Sprintf("%s_and_%d_more", join(n.words(actions[0])...), len(actions)-1)
}

func (n *namer) short(p Predicate) string {
	switch {
	case p.Members != nil:
		return join("any", n.group(p.Add))
	case len(p.Add) == 0 || !n.tells(p.Add) && n.tells(p.Del):
		return join("before", n.group(p.Del))
	}
	return join("after", n.group(p.Add))
}

func join(words ...string) string {
	words = slices.DeleteFunc(words, func(w string) bool { return w == "" })
	return strings.Join(words, "_")
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
