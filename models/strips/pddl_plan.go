package strips

import (
	"bufio"
	"fmt"
	"io"
	"strings"
)

// ReadPDDLPlan reads the plan of an outside planner as action ids: one action a line, such as
// "(pick_3)" or "0.000: (pick_3) [1.0]"; text after ";" is a comment. The names are those of
// [Model.PDDLActions], in upper or lower case. The error names the line with an unknown action.
func ReadPDDLPlan(r io.Reader, names map[string]ActionID) ([]ActionID, error) {
	plan := []ActionID{}
	in := bufio.NewScanner(r)
	for line := 1; in.Scan(); line++ {
		text, _, _ := strings.Cut(in.Text(), ";")
		text = strings.TrimSpace(text)
		if text == "" {
			continue
		}
		if _, after, found := strings.Cut(text, "("); found {
			text, _, _ = strings.Cut(after, ")")
		}
		name := strings.ToLower(strings.TrimSpace(text))
		id, known := names[name]
		if !known {
			return nil, fmt.Errorf("pddl plan: line %d: no action is named %q: "+
				"want the names that were exported with the domain", line, name)
		}
		plan = append(plan, id)
	}
	if err := in.Err(); err != nil {
		return nil, fmt.Errorf("pddl plan: %w", err)
	}
	return plan, nil
}
