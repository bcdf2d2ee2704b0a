package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"stripswm/internal/files"
	"stripswm/models/baselines"
	"stripswm/models/bundle"
	"stripswm/models/inference"
	"stripswm/models/pixels"
	"stripswm/models/strips"
	"stripswm/models/vision"
	"stripswm/nodes/eval/report"
)

// baselinePlanOutput is baseline plan's result for scripts.
type baselinePlanOutput struct {
	Method string            `json:"method"`
	Found  bool              `json:"found"`
	Plan   []strips.ActionID `json:"plan"`
}

func baselinePlanCommand(c *common) *cobra.Command {
	var dir, method, start, goal, sheet, pddl string
	cmd := &cobra.Command{
		Use:   "plan --bundle DIR --start A.png --goal B.png",
		Short: "Plan with a baseline, and draw what it predicts",
		Long: `plan prints the action ids of a baseline's plan from a start image to a goal image. It
exits with 11 if the method finds none. Baselines do not know which steps nobody tried.

--drawing writes an image of the plan as the method predicts it: the start, its decoder's
image after each step, and the goal. --pddl writes the query as domain.pddl, problem.pddl
and actions.json for an outside planner. Both work with ama3 only.`,
		Example: `  stripswm research baseline plan --bundle runs/ama3 --start now.png --goal wanted.png --drawing plan.png
  stripswm research baseline plan --bundle runs/blocks/bundle --method wm-bfs --start now.png --goal wanted.png`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if dir == "" || start == "" || goal == "" {
				return usagef("--bundle, --start and --goal are needed")
			}
			b, err := bundle.Open(dir)
			if err != nil {
				return err
			}
			chosen, err := baselineIn(b, method)
			if err != nil {
				return err
			}
			frame, err := vision.FrameOf(b)
			if err != nil {
				return err
			}
			images, err := readImages(frame.Bits, start, goal)
			if err != nil {
				return err
			}
			p, err := chosen.Open(b, inference.Options{})
			if err != nil {
				return err
			}
			defer p.Close()
			if pddl != "" {
				if err := writeQuery(p, chosen.Name, images, pddl); err != nil {
					return err
				}
			}
			plan, found, err := p.Plan(cmd.Context(), images[0], images[1])
			if errors.Is(err, baselines.ErrUnrecognized) {
				return outcome{exitUnrecognized, err.Error()}
			}
			if err != nil {
				return err
			}
			if sheet != "" && found {
				if err := writeSheet(cmd.Context(), p, chosen.Name, images, sheet); err != nil {
					return err
				}
			}
			if c.json {
				err = printJSON(cmd, baselinePlanOutput{chosen.ID, found, append([]strips.ActionID{}, plan...)})
			} else {
				for _, a := range plan {
					fmt.Fprintln(cmd.OutOrStdout(), a)
				}
			}
			if err == nil && !found {
				err = outcome{exitUnsolvable, chosen.Name + " finds no plan"}
			}
			return err
		},
	}
	cmd.Flags().StringVar(&dir, "bundle", "", "bundle of baseline learn, or of learn")
	cmd.Flags().StringVar(&method, "method", "", "baseline, if the bundle has several")
	cmd.Flags().StringVar(&start, "start", "", "image of the start, PNG or JPEG")
	cmd.Flags().StringVar(&goal, "goal", "", "image of the goal, PNG or JPEG")
	cmd.Flags().StringVar(&sheet, "drawing", "", "PNG file for the plan as the method predicts it")
	cmd.Flags().StringVar(&pddl, "pddl", "", "folder for the query in PDDL")
	return cmd
}

// baselineIn is the baseline of that id in a bundle, or the only one.
func baselineIn(b *bundle.Bundle, id string) (baselines.Baseline, error) {
	all := baselines.In(b)
	var ids []string
	for _, l := range all {
		if ids = append(ids, l.ID); l.ID == id {
			return l, nil
		}
	}
	switch {
	case len(all) == 0:
		return baselines.Baseline{},
			usagef("%s has no baseline: make one with stripswm research baseline learn", b.Dir)
	case id != "" || len(all) > 1:
		return baselines.Baseline{}, usagef("--method %q: %s has %s", id, b.Dir, strings.Join(ids, ", "))
	}
	return all[0], nil
}

// writeSheet draws a plan as the method imagines it.
func writeSheet(ctx context.Context, p baselines.Planner, name string, images []pixels.RGB,
	path string,
) error {
	imaginer, ok := p.(baselines.Imaginer)
	if !ok {
		return usagef("--drawing: %s draws nothing", name)
	}
	steps, _, err := imaginer.Imagine(ctx, images[0], images[1])
	if err != nil {
		return err
	}
	film := &report.Plan{Start: images[0].Image(), Goal: images[1].Image()}
	for _, s := range steps {
		film.Steps = append(film.Steps, report.PlanStep{Action: s.Action, Name: s.Name, State: -1,
			Image: s.Image.Image(), Shows: "as imagined"})
	}
	data, err := report.FilmStrip(film)
	if err != nil {
		return err
	}
	return files.Write(path, data)
}

// writeQuery writes operators and query as PDDL.
func writeQuery(p baselines.Planner, name string, images []pixels.RGB, dir string) error {
	s, ok := p.(baselines.Symbolic)
	if !ok {
		return usagef("--pddl: %s has no operators", name)
	}
	if err := tryFolder("--pddl", dir); err != nil {
		return err
	}
	var ends []strips.State
	for _, img := range images {
		bits, err := s.Bits(img)
		if err != nil {
			return err
		}
		ends = append(ends, bits)
	}
	const dialect = strips.NegativePreconditions
	m, actions := s.Labels()
	byName, err := m.PDDLActions(dialect)
	if err != nil {
		return err
	}
	for name, label := range byName {
		byName[name] = actions[label-1]
	}
	return errors.Join(
		writeWith(filepath.Join(dir, "domain.pddl"), func(w io.Writer) error {
			return m.WriteDomain(w, dialect)
		}),
		writeWith(filepath.Join(dir, "problem.pddl"), func(w io.Writer) error {
			return m.WriteProblem(w, dialect, ends[0], ends[1])
		}),
		writeWith(filepath.Join(dir, "actions.json"), func(w io.Writer) error {
			return encode(w, byName)
		}))
}
