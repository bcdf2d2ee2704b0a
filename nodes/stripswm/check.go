package main

import (
	"context"
	"fmt"
	"io"
	"maps"
	"slices"

	"github.com/spf13/cobra"

	"stripswm/bags"
	"stripswm/msgs"
	"stripswm/nodes/cvbridge"
	"stripswm/nodes/stripswm/internal/progress"
)

func checkCommand(c *common) *cobra.Command {
	var repair bool
	cmd := &cobra.Command{
		Use:   "check BAG",
		Short: "Verify a recording: every record, checksum, image and reference",
		Long: `check reads a whole recording and reports what is wrong and where. --repair makes the
recording of a killed recorder valid again, with everything in it that is complete. The
damaged original is kept beside it.

Messages in an encoding other than CDR, such as JSON, are counted and not decoded.

Exit codes: 0 intact, 3 repairable (with --repair: repaired), 1 unusable.`,
		Example: `  stripswm check runs/bag
  stripswm check runs/bag --json
  stripswm check runs/killed --repair`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			watch, done := progress.Later(cmd.Context(), "check (bytes)", progress.Options{Quiet: c.quiet ||
				c.json})
			if repair {
				return repairBag(cmd, c, args[0], watch)
			}
			report, err := bags.Check(cmd.Context(), args[0], cvbridge.Describe, watch)
			done()
			if err != nil {
				return err
			}
			if err := printCheck(cmd, c, report); err != nil {
				return err
			}
			return classOutcome(report.Class)
		},
	}
	cmd.Flags().BoolVar(&repair, "repair", false, "make the recording valid again; keeps the original")
	return cmd
}

func repairBag(cmd *cobra.Command, c *common, path string, watch func(done, total int64)) error {
	report, err := bags.Repair(context.WithoutCancel(cmd.Context()), path, cvbridge.Describe, watch)
	if err != nil {
		return err
	}
	if c.json {
		if err := printJSON(cmd, report); err != nil {
			return err
		}
	} else if report.Repaired {
		fmt.Fprintf(cmd.OutOrStdout(),
			"%s: repaired, %d transitions kept, %d unacknowledged lost; the original is %s\n", path,
			report.Kept, report.Lost, report.Backup)
	} else {
		fmt.Fprintf(cmd.OutOrStdout(), "%s: %s, nothing to repair\n", path, report.Before.Class)
	}
	return classOutcome(report.Before.Class)
}

// classOutcome turns what a recording is into an exit code.
func classOutcome(class bags.Class) error {
	if code := class.ExitCode(); code != exitOK {
		return outcome{code: code}
	}
	return nil
}

func printCheck(cmd *cobra.Command, c *common, r *bags.Report) error {
	if c.json {
		return printJSON(cmd, r)
	}
	w := cmd.OutOrStdout()
	fmt.Fprintf(w, "%s: %s\n", r.Path, r.Class)
	fmt.Fprintf(w, "  %d messages, %d images, %.1f MB, %s from %s\n", r.Messages, r.Images,
		float64(r.Bytes)/1e6, r.Duration, r.Start.UTC().Format("2006-01-02 15:04:05"))
	fmt.Fprintf(w, "  %d transitions: %s\n", r.Transitions, msgs.OutcomeCounts(r.Succeeded, r.Refused,
		r.Failed))
	printActions(w, r.Actions)
	for _, note := range r.Notes {
		fmt.Fprintf(w, "  note: %s\n", note)
	}
	for _, f := range r.Faults {
		fmt.Fprintf(w, "  fault: %s\n", f)
	}
	if more := r.FaultCount - len(r.Faults); more > 0 {
		fmt.Fprintf(w, "  and %d more faults\n", more)
	}
	return nil
}

// printActions prints how often each action was tried, ten to a line.
func printActions(w io.Writer, actions map[uint32]int) {
	for i, a := range slices.Sorted(maps.Keys(actions)) {
		switch {
		case i == 0:
			fmt.Fprint(w, "  tries by action:")
		case i%10 == 0:
			fmt.Fprint(w, "\n                  ")
		}
		fmt.Fprintf(w, " %d:%d", a, actions[a])
	}
	if len(actions) > 0 {
		fmt.Fprintln(w)
	}
}
