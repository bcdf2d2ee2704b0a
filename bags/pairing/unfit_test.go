package pairing_test

import (
	"strings"
	"testing"

	"stripswm/bags/pairing"
	"stripswm/msgs"
)

// TestUnfitStarts has a start of which no attempt can be made while a skill runs, twice, and its
// end: it is named once, and the skill that ran is recorded as if it had not been.
func TestUnfitStarts(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*msgs.SkillStatus)
		want   string // empty if it is fit
	}{
		"no action": {func(m *msgs.SkillStatus) { m.Action = 0 },
			"action 0; have the executor number its skills from 1"},
		"its clock is ahead": {func(m *msgs.SkillStatus) { m.Header.Stamp.Sec += 3600 },
			"stamped far from the time that the executor's clock had so far"},
		"its clock is late": {func(m *msgs.SkillStatus) { m.Header.Stamp.Sec -= 11 },
			"stamped far from"},
		"long ago": {func(m *msgs.SkillStatus) { m.Header.Stamp = msgs.Time{Sec: -1 << 31} },
			"stamped far from"},
		"no stamp": {func(m *msgs.SkillStatus) { m.Header.Stamp = msgs.Time{} }, ""},
	} {
		t.Run(name, func(t *testing.T) {
			unfit := &msgs.SkillStatus{Header: msgs.Header{Stamp: msgs.TimeFrom(at(1.1))}, Action: 9,
				ExecutionID: msgs.UUID{UUID: [16]uint8{9}}, Phase: msgs.SkillStatusStarted}
			c.change(unfit)
			hear := func(phase uint8) event {
				return func(s *story) {
					m := *unfit
					m.Phase = phase
					s.attempts = append(s.attempts, s.pairer.Status(&m, at(1.1))...)
				}
			}
			s := tell(pairing.Options{}, watches(0, 1, 80), starts(1, 3), hear(msgs.SkillStatusStarted),
				hear(msgs.SkillStatusStarted),
				hear(msgs.SkillStatusSucceeded), succeeds(1.3, 3), watches(1.1, 3, 140))
			got, named := s.String(), strings.Count(s.String(), "none>none")
			if c.want == "" {
				if named != 0 || !strings.Contains(got, "9 ") {
					t.Errorf("got\n%s", got)
				}
				return
			}
			if named != 1 || !strings.Contains(got, c.want) || !strings.HasSuffix(got, "\n3 ok 1.0>1.6\n") ||
				s.pairer.Counts().UnmatchedEnds != 0 {
				t.Errorf("got\n%swant %q", got, c.want)
			}
		})
	}
}

func TestEachExecutionNeedsAnID(t *testing.T) {
	s := tell(pairing.Options{}, watches(0, 1, 80), starts(1, 0), starts(1, 0), func(s *story) {
		m := &msgs.SkillStatus{Action: 7, Phase: msgs.SkillStatusStarted}
		s.attempts = append(s.attempts, s.pairer.Status(m, at(1))...)
	})
	if len(s.attempts) != 3 ||
		!strings.Contains(s.attempts[2].Note, "execution_id is all zero; have the executor") {
		t.Errorf("got\n%s", s)
	}
}

// TestUnfitStartsMayMoveTheScene has one between a skill's end and its image after.
func TestUnfitStartsMayMoveTheScene(t *testing.T) {
	s := tell(pairing.Options{}, watches(0, 1, 80), starts(1, 3), sees(1.1, 140), succeeds(1.1, 3),
		starts(1.3, 0), watches(1.2, 3, 20))
	if got := s.attempts[len(s.attempts)-1]; got.Action != 3 || got.Outcome != msgs.TransitionFailed ||
		got.After.Stamp.After(at(1.3)) {
		t.Errorf("got\n%s", s)
	}
}
