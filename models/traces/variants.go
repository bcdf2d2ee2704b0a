package traces

import (
	"cmp"
	"slices"
	"strconv"

	"stripswm/models/strips"
)

// skillOf is the skill of an id: ids beyond those of the skills are variants.
func skillOf(id strips.ActionID, skills int, variants []strips.ActionID) strips.ActionID {
	if int(id) > skills {
		return variants[int(id)-skills-1]
	}
	return id
}

// families lists, by action, the variants of its skill, itself among them.
func families(index []int, variants []strips.ActionID) [][]int {
	skills := len(index) - len(variants)
	of := map[strips.ActionID][]int{} // by skill
	for i, a := range index {
		skill := skillOf(strips.ActionID(i+1), skills, variants)
		of[skill] = append(of[skill], a)
	}
	all := make([][]int, len(index))
	for _, family := range of {
		for _, a := range family {
			all[a] = family
		}
	}
	return all
}

// nameSkills gives operators, effects and reports the ids of skills in place of those of variants.
// The reports of variants come after those of the skills.
func (r *Result) nameSkills(actions int, variants []strips.ActionID) {
	if len(variants) == 0 {
		return
	}
	skill := func(id strips.ActionID) strips.ActionID { return skillOf(id, actions, variants) }
	m := r.Model
	order := make([]int, len(m.Operators))
	for i := range order {
		order[i] = i
		o := &m.Operators[i]
		o.Action = skill(o.Action)
		o.Name = strconv.Itoa(int(o.Action))
	}
	slices.SortStableFunc(order, func(x, y int) int {
		return cmp.Compare(m.Operators[x].Action, m.Operators[y].Action)
	})
	operators, contexts := m.Operators, r.contexts
	m.Operators, r.contexts = nil, nil
	for _, i := range order {
		m.Operators, r.contexts = append(m.Operators, operators[i]), append(r.contexts, contexts[i])
	}
	for i := range m.Predicates {
		for _, list := range []*[]strips.ActionID{&m.Predicates[i].Add, &m.Predicates[i].Del} {
			for k, id := range *list {
				(*list)[k] = skill(id)
			}
			slices.Sort(*list)
			*list = slices.Compact(*list)
		}
	}
	for i := range r.Report.Actions {
		r.Report.Actions[i].Action = skill(r.Report.Actions[i].Action)
	}
}
