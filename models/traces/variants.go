package traces

import (
	"cmp"
	"slices"
	"strconv"

	"stripswm/models/strips"
)

// nameSkills gives operators, effects and reports the ids of skills in place of those of variants.
// The reports of variants come after those of the skills.
func (r *Result) nameSkills(actions int, variants []strips.ActionID) {
	if len(variants) == 0 {
		return
	}
	skill := func(id strips.ActionID) strips.ActionID {
		if int(id) > actions {
			return variants[int(id)-actions-1]
		}
		return id
	}
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
