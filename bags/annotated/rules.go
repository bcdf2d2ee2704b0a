package annotated

import (
	"regexp"

	"stripswm/msgs"
)

// Rules say what a value of the field means. Ends are asked for first; a value that no rule knows
// means nothing.
type Rules struct {
	// Start matches what starts a skill, whose name is its first group, or all of the value where it
	// has none.
	Start *regexp.Regexp
	// End, Refused and Failed match what ends the skill under way. Without End one is over when the
	// next one is about to start, or with the recording; its image after is one of the last half
	// second before that.
	End, Refused, Failed *regexp.Regexp
}

// phase is what the value says of the skill under way; the name is of one that starts. ok is false
// if it says nothing.
func (r Rules) phase(value string) (phase uint8, name string, ok bool) {
	for _, end := range []struct {
		rule  *regexp.Regexp
		phase uint8
	}{{r.Refused, msgs.SkillStatusRefused}, {r.Failed, msgs.SkillStatusFailed},
		{r.End, msgs.SkillStatusSucceeded}} {
		if end.rule != nil && end.rule.MatchString(value) {
			return end.phase, "", true
		}
	}
	match := r.Start.FindStringSubmatch(value)
	if match == nil {
		return 0, "", false
	}
	name = match[0]
	if len(match) > 1 {
		name = match[1]
	}
	return msgs.SkillStatusStarted, name, name != ""
}
