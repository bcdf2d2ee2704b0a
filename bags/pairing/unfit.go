package pairing

import (
	"fmt"
	"time"

	"stripswm/msgs"
)

// unfit says why no attempt can be made of a start by the clock p.clock, and what to do; "" if one
// can.
func (p *Pairer) unfit(s *msgs.SkillStatus) string {
	switch ahead := p.clock; {
	case s.Action == 0:
		return "a skill started with action 0; have the executor number its skills from 1"
	case s.ExecutionID == msgs.UUID{}:
		return "a skill started whose execution_id is all zero; have the executor give each execution " +
			"one of its own"
	case ahead > p.options.ClockJump:
		return fmt.Sprintf(
			"its start is stamped %s ahead of the camera's clock; synchronize the two, or leave the stamp "+
				"zero", seconds(ahead))
	case ahead < -p.options.ClockJump:
		return fmt.Sprintf(
			"its start is stamped %s behind the camera's clock; synchronize the two, or leave the stamp "+
				"zero", seconds(-ahead))
	}
	return ""
}

// ahead is how far the executor's clock is ahead of the camera's. What a status was late counts as
// being behind.
func (p *Pairer) ahead(at, received time.Time) time.Duration {
	if len(p.frames) == 0 {
		return 0
	}
	f := p.frames[len(p.frames)-1]
	return at.Sub(received) - f.Stamp.Sub(f.Received)
}

// bound keeps attempts whose skill has ended from images after an unfit start, as that skill may
// have moved something. A start by another clock tells no time.
func (p *Pairer) bound(at time.Time) {
	if p.clock.Abs() > p.options.ClockJump {
		return
	}
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
