package msgs

import "testing"

// Transition, ExecuteSkill and the words for them must agree.
func TestOutcomes(t *testing.T) {
	for _, c := range []struct {
		outcome           Outcome
		transition, skill uint8
		word              string
	}{
		{Succeeded, TransitionSucceeded, ExecuteSkillResultSucceeded, "succeeded"},
		{Refused, TransitionRefused, ExecuteSkillResultRefused, "refused"},
		{Failed, TransitionFailed, ExecuteSkillResultFailed, "failed"},
	} {
		if c.transition != uint8(c.outcome) || c.skill != uint8(c.outcome) ||
			c.outcome.String() != c.word {
			t.Errorf("%v is %d in a transition, %d in a skill's result", c.outcome, c.transition, c.skill)
		}
	}
	if s := (Tally{1, 2, 3}).String(); s != "1 succeeded, 2 refused, 3 failed" {
		t.Error(s)
	}
	if s := Outcome(9).String(); s != "outcome 9" {
		t.Error(s)
	}
}
