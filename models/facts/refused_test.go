package facts

import (
	"testing"

	"stripswm/models/strips"
	"stripswm/models/traces"
)

// TestTakeOutRefused: a skill that is refused more often than reports are wrong, where it applies
// by the facts, has no operator; seldom refusals, and those that facts explain, are no reason, nor
// is that another variant of a skill happens.
func TestTakeOutRefused(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		successes, unexplained, explained int
		out                               bool
	}{
		"seldom":    {successes: 50, unexplained: 2},
		"explained": {successes: 50, explained: 50},
		"few":       {successes: 2, unexplained: 1},
		"often":     {successes: 50, unexplained: 20, out: true},
		"always":    {unexplained: 5, out: true},
	} {
		report := traces.ActionReport{Action: 1, Successes: c.successes}
		for range c.unexplained {
			report.Refusals = append(report.Refusals, traces.Refusal{})
		}
		for range c.explained {
			report.Refusals = append(report.Refusals, traces.Refusal{Violated: make([]traces.Literal, 1)})
		}
		l := &Learned{Result: &traces.Result{Model: &traces.Model{}}}
		l.Result.Report.Actions = []traces.ActionReport{report, {Action: 2, Successes: 50},
			{Action: 2, Successes: 50, Refusals: make([]traces.Refusal, 40)}, {Action: 3, Successes: 50},
			{Action: 4, Successes: 50}}
		l.Result.Model.Operators = []strips.Operator{{Action: 1}, {Action: 2}}
		l.takeOutRefused()
		operators := l.Result.Model.Operators
		if out := len(operators) == 1; out != c.out || operators[len(operators)-1].Action != 2 {
			t.Errorf("%s: operators %v", name, operators)
		}
		if want := (Refused{Action: 1, Successes: c.successes, Refusals: c.unexplained}); c.out &&
			(len(l.Refused) != 1 || l.Refused[0] != want) || !c.out && len(l.Refused) > 0 {
			t.Errorf("%s: refused %v", name, l.Refused)
		}
	}
}
