package main

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"stripswm/models/imageplan"
	"stripswm/models/planner"
	"stripswm/models/strips"
)

// planWanted plans from the image at start to the literals of --want, and prints the result. Where
// there is no plan it says which literals cannot be reached, and what would set them.
func planWanted(cmd *cobra.Command, c *common, p *imageplan.Planner, start, want string,
	allowUntried bool,
) error {
	goal, err := p.Model().ParseGoal(want)
	if err != nil {
		return usagef("--want: %w", err)
	}
	images, err := readImages(p.Frame().Bits, start)
	if err != nil {
		return err
	}
	result, err := p.PlanTo(cmd.Context(), images[0], goal)
	if errors.Is(err, imageplan.ErrUnrecognized) && c.json {
		err = errors.Join(err, printJSON(cmd, findings(p, result, "unrecognized")))
	}
	if err != nil {
		return err
	}
	if result.Outcome != planner.Found && !c.json {
		obstacles, err := p.Obstacles(result, goal)
		if err != nil {
			return err
		}
		printObstacles(cmd.ErrOrStderr(), p.Model(), obstacles)
	}
	return printPlan(cmd, c, p, result, allowUntried)
}

// printObstacles says what keeps a goal from being reached.
func printObstacles(w io.Writer, m *strips.Model, o planner.Obstacles) {
	for _, x := range o.Literals {
		fmt.Fprintf(w, "cannot be reached: %s\n", literalText(m, x.Literal))
		if len(x.Setters) == 0 {
			fmt.Fprintln(w, "  no known skill sets it")
		}
		for _, s := range x.Setters {
			var missing []string
			for _, l := range s.Missing {
				missing = append(missing, literalText(m, l))
			}
			fmt.Fprintf(w, "  %s sets it, and needs %s\n", m.Label(s.Action), strings.Join(missing, ", "))
		}
	}
	for _, pair := range o.Exclusive {
		fmt.Fprintf(w, "never hold together: %s, %s\n", literalText(m, pair[0]), literalText(m, pair[1]))
	}
}

// literalText is a predicate's name, with "!" before it for its negation.
func literalText(m *strips.Model, l strips.Literal) string {
	if l.Negated {
		return "!" + m.PredicateLabel(l.Predicate)
	}
	return m.PredicateLabel(l.Predicate)
}
