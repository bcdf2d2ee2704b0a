package sim

import (
	"fmt"
	"slices"
	"sync"

	"stripswm/models/strips"
)

// service is the dinner table with skills of other kinds than to pick from a place and to place
// there: such that set a fact whatever it was before, flip one, or depend on the state.
type service struct {
	numbered[serving]
	name        string
	real        bool // as the dinner table's
	changing    bool // objects leave, and change their colours
	first       layout
	explored    int // states of its data set
	lamps, lids int // that it shows
	skills      []serviceSkill
}

// serving says where the objects are, which lamps are lit, which lids are open, and how objects are
// painted: from 1, 0 is not.
type serving struct {
	layout layout
	lit    [2]bool
	open   [3]bool
	paint  [2]int8
}

// serviceSkill does nothing and returns false where it is refused.
type serviceSkill struct {
	name string
	do   func(*serving) bool
}

func init() {
	five, four, three := setTable, setTable, setTable
	four[4], three[3], three[4] = away, away, away
	table := slices.Clip(slices.Concat(pickings(four), placings(four)))
	anywhere := slices.Concat(picks(five), placings(five))
	for _, w := range []*service{
		{name: "moves", first: five, explored: 100, skills: moves(five)},
		{name: "movesreal", real: true, first: five, explored: 100, skills: moves(five)},
		{name: "picks", first: five, explored: 150, skills: anywhere},
		{name: "picksreal", real: true, first: five, explored: 150, skills: anywhere},
		{name: "lamp", first: four, explored: 150, lamps: 1, skills: append(table, flip)},
		// All its states: in a part of them a sweep may lead to where nothing leads on.
		{name: "sweep", first: four, explored: 1680, skills: append(table, sweep)},
		{name: "lids", first: four, explored: 150, lids: 3, skills: append(table, lids()...)},
		{name: "switches", first: four, explored: 150, lamps: 2,
			skills: append(inLight(table), switches()...)},
		{name: "paint", changing: true, first: three, explored: 150,
			skills: slices.Concat(moves(three), paintings(), removals(three))},
	} {
		worlds[w.name] = sync.OnceValue(func() World {
			w.numbered = number(serving{layout: w.first}, len(w.skills), w.do)
			return w
		})
	}
}

// moves are move(object, place), wherever the object is, to a place that is free.
func moves(l layout) []serviceSkill {
	return forPairs("move", l, func(s *serving, o int, p int8) bool {
		if s.layout[o] == away || s.layout.at(p) >= 0 {
			return false
		}
		s.layout[o] = p
		return true
	})
}

// picks are pick(object), wherever it is.
func picks(l layout) (skills []serviceSkill) {
	for o, at := range l {
		if at != away {
			skills = append(skills, serviceSkill{"pick_" + dinnerObjects[o], func(s *serving) bool {
				return s.pick(o)
			}})
		}
	}
	return skills
}

// pickings and placings are pick(object, place) and place(object, place).
func pickings(l layout) []serviceSkill {
	return forPairs("pick", l, func(s *serving, o int, p int8) bool {
		return s.layout[o] == p && s.pick(o)
	})
}

func placings(l layout) []serviceSkill {
	return forPairs("place", l, func(s *serving, o int, p int8) bool {
		if s.layout[o] != held || s.layout.at(p) >= 0 {
			return false
		}
		s.layout[o] = p
		return true
	})
}

// forPairs makes a skill for each object of a layout and each place.
func forPairs(verb string, l layout, do func(s *serving, o int, p int8) bool) (
	skills []serviceSkill,
) {
	for o, at := range l {
		for p := range held {
			if at != away {
				name := fmt.Sprintf("%s_%s_%d", verb, dinnerObjects[o], p)
				skills = append(skills, serviceSkill{name, func(s *serving) bool { return do(s, o, p) }})
			}
		}
	}
	return skills
}

func (s *serving) pick(o int) bool {
	if s.layout.at(held) >= 0 {
		return false
	}
	s.layout[o] = held
	return true
}

// flip turns the first lamp on and off. It always succeeds.
var flip = serviceSkill{"flip_lamp", func(s *serving) bool {
	s.lit[0] = !s.lit[0]
	return true
}}

// sweep moves what stands at the first place to the next free one.
var sweep = serviceSkill{"sweep", func(s *serving) bool {
	o := s.layout.at(0)
	if o < 0 {
		return false
	}
	for p := range held {
		if s.layout.at(p) < 0 {
			s.layout[o] = p
			return true
		}
	}
	return false
}}

// lids are opened, and only a reset closes them.
func lids() (skills []serviceSkill) {
	for k := range len(serving{}.open) {
		skills = append(skills, serviceSkill{fmt.Sprintf("open_%d", k), func(s *serving) bool {
			opens := !s.open[k]
			s.open[k] = true
			return opens
		}})
	}
	return skills
}

// paintings paint the first objects, each once.
func paintings() (skills []serviceSkill) {
	for o := range len(serving{}.paint) {
		for k, paint := range paints {
			name := fmt.Sprintf("paint_%s_%s", dinnerObjects[o], paint.name)
			skills = append(skills, serviceSkill{name, func(s *serving) bool {
				paints := s.layout[o] != away && s.paint[o] == 0
				if paints {
					s.paint[o] = int8(k + 1)
				}
				return paints
			}})
		}
	}
	return skills
}

// removals take objects away, and only a reset brings them back.
func removals(l layout) (skills []serviceSkill) {
	for o, at := range l {
		if at != away {
			skills = append(skills, serviceSkill{"remove_" + dinnerObjects[o], func(s *serving) bool {
				removes := s.layout[o] != away
				if s.layout[o] = away; o < len(s.paint) {
					s.paint[o] = 0 // which nobody sees
				}
				return removes
			}})
		}
	}
	return skills
}

// switches turn lamps on and off, and always succeed, also where a lamp is so already.
func switches() (skills []serviceSkill) {
	for k := range len(serving{}.lit) {
		for _, on := range []bool{true, false} {
			name := map[bool]string{true: "on", false: "off"}[on]
			skills = append(skills, serviceSkill{fmt.Sprintf("lamp_%d_%s", k, name), func(s *serving) bool {
				s.lit[k] = on
				return true
			}})
		}
	}
	return skills
}

// inLight are skills that are refused where the first lamp is off as well.
func inLight(skills []serviceSkill) (all []serviceSkill) {
	for _, k := range skills {
		all = append(all, serviceSkill{k.name, func(s *serving) bool { return s.lit[0] && k.do(s) }})
	}
	return all
}

func (w *service) do(s serving, a strips.ActionID) (serving, bool) {
	ok := w.skills[a-1].do(&s)
	return s, ok
}

func (w *service) Name() string { return w.name }

func (w *service) Dataset() Dataset {
	return Dataset{States: w.explored, Actions: len(w.skills), Transitions: 12000}
}

func (w *service) ActionName(a strips.ActionID) string {
	if a < 1 || int(a) > len(w.skills) {
		return fmt.Sprintf("unknown_%d", a)
	}
	return w.skills[a-1].name
}

func (w *service) Describe(s State) string {
	if s < 0 || int(s) >= len(w.states) {
		return fmt.Sprintf("no state %d", s)
	}
	at := w.states[s]
	text := at.layout.describe()
	for o, paint := range at.paint {
		if paint > 0 {
			text += fmt.Sprintf(", %s %s", dinnerObjects[o], paints[paint-1].name)
		}
	}
	for k := range w.lamps {
		text += fmt.Sprintf(", lamp %d %s", k, map[bool]string{true: "on", false: "off"}[at.lit[k]])
	}
	for k := range w.lids {
		text += fmt.Sprintf(", lid %d %s", k, map[bool]string{true: "open", false: "closed"}[at.open[k]])
	}
	return text
}
