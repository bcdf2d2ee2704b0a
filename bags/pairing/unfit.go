package pairing

import (
	"time"

	"stripswm/msgs"
)

// unfit says why no attempt can be made of a start, and what to do; "" if one can.
func unfit(s *msgs.SkillStatus, suspect bool) string {
	switch {
	case s.Action == 0:
		return "a skill started with action 0; have the executor number its skills from 1"
	case s.ExecutionID == msgs.UUID{}:
		return "a skill started whose execution_id is all zero; have the executor give each execution " +
			"one of its own"
	case suspect:
		return "its start is stamped far from the time that the executor's clock had so far; see " +
			"whether it was set, or leave the stamps zero"
	}
	return ""
}

// bound keeps attempts whose skill has ended from images after an unfit start, as that skill may
// have moved something.
func (p *Pairer) bound(at time.Time) {
	for _, a := range p.open {
		if a.ended() && a.until.IsZero() {
			a.until = at
		}
	}
}

// executions are the latest ones that are done with, so that their repeated statuses are not
// classified as new ones.
type executions []msgs.UUID

const remembered = 64

func (e *executions) add(id msgs.UUID) {
	*e = append(*e, id)
	if len(*e) > remembered {
		*e = (*e)[1:]
	}
}
