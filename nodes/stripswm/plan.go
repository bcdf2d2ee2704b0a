package main

import (
	"cmp"
	"errors"
	"fmt"
	"image/png"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"stripswm/internal/files"
	"stripswm/models/imageplan"
	"stripswm/models/inference"
	"stripswm/models/pixels"
	"stripswm/models/planner"
	"stripswm/models/strips"
	"stripswm/msgs"
)

// planOutput is plan's result for scripts.
type planOutput struct {
	Outcome        string                  `json:"outcome"`
	Plan           []strips.ActionID       `json:"plan"`
	Names          []string                `json:"names"`
	UncertainSteps []planner.UncertainStep `json:"uncertain_steps,omitempty"` // nondeterministic or never tried
	Untried        []int                   `json:"untried"`                   // steps never tried, from 0
	Start          stateOutput             `json:"start"`
	Goal           stateOutput             `json:"goal"`
	Device         string                  `json:"device"`
	Milliseconds   map[string]any          `json:"milliseconds"`
}

// stateOutput is what an image was recognized as.
type stateOutput struct {
	Code          string            `json:"code"`
	Known         bool              `json:"known"`
	Refusal       imageplan.Refusal `json:"refusal,omitempty"`
	Reason        string            `json:"reason,omitempty"`
	Nodes         []strips.StateID  `json:"nodes"`
	Encoded       []strips.StateID  `json:"encoded,omitempty"`  // nodes by the encoder
	Distance      float64           `json:"distance,omitempty"` // from the recorded images of the state
	Where         []float64         `json:"where,omitempty"`    // unlike what was recorded: x, y, width, height
	Nearest       *nearestOutput    `json:"nearest,omitempty"`  // known state, where the code is none's
	Confidence    float32           `json:"confidence"`
	Probabilities []float32         `json:"probabilities"`
}

type nearestOutput struct {
	Node       strips.StateID `json:"node"`
	Predicates int            `json:"predicates"` // in which it differs
}

func planCommand(c *common) *cobra.Command {
	var dir, start, goal, want, part, device, explain string
	var nearest, confirmed, execute, allowUntried bool
	var limits planner.Limits
	cmd := &cobra.Command{
		Use:   "plan --bundle DIR --start A.png {--goal B.png | --want LITERALS}",
		Short: "Plan from a start image to a goal image",
		Long: `plan classifies both images as predicate states and searches the learned operators for
the shortest sequence of action ids. An independent check replays each plan before it is
printed.

plan refuses an image that shows no known state (exit 13). The predicates must be those
of a known state, the encoder must give the same state, and the image must be similar to
the recorded images of that state. The message and --json name the reason. plan also
refuses two images with one code that several nodes share.

If every plan needs a nondeterministic outcome, or a skill that was never tried in that
state, plan prints the one with the fewest expected attempts, and the counts. Take a new
image after such a skill, and plan again. A plan with an untried step gives exit code 14,
or 0 with --allow-untried; "untried" in the JSON lists these steps from 0.

--want takes literals in place of a goal image: names of predicates, "!" for a negation. All
other predicates may have any value. learn --method traces writes the names to
report/facts.txt. Without a plan, plan names the literals that cannot be reached, and the
skills that would set them.

With --goal-region only facts that are read from a part of the goal image are the goal. The
rest may be covered.

--execute sends the goal to the running planner node, which plans from its camera,
executes the plan, and observes after each skill. It also executes untried steps.`,
		Example: `  stripswm plan --bundle runs/blocks/bundle --start now.png --goal wanted.png
  stripswm plan --bundle runs/blocks/bundle --start now.png --goal wanted.png --json
  stripswm plan --bundle runs/blocks/bundle --start now.png --goal wanted.png --device cuda
  stripswm plan --bundle runs/table/bundle --start now.png --want after_place_mug_3
  stripswm plan --bundle runs/table/bundle --start now.png --goal b.png --goal-region 0,0,0.5,1
  stripswm plan --goal wanted.png --execute        # by the planner node
  stripswm plan --want after_place_mug_3 --execute`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			region, err := pixels.ParseRegion(part)
			if err != nil {
				return usagef("--goal-region: %w", err)
			}
			if part != "" && goal == "" {
				return usagef("--goal-region is of the image of --goal")
			}
			if execute {
				if (goal == "") == (want == "") || dir != "" || start != "" {
					return usagef("--execute takes one of --goal and --want: the planner node has the bundle " +
						"and the camera")
				}
				if want != "" {
					return executePlan(cmd, c, &msgs.PlanToImageGoal{Source: msgs.PlanToImageGoalFacts,
						GoalFacts: want}, limits.Time)
				}
				return executeToImage(cmd, c, goal, region, limits.Time)
			}
			if dir == "" || start == "" || (goal == "") == (want == "") {
				return usagef("--bundle, --start and one of --goal and --want are needed")
			}
			device, err := inference.ParseDevice(device)
			if err != nil {
				return usageError{err}
			}
			p, err := imageplan.Open(dir, imageplan.Options{Inference: inference.Options{Device: device},
				Limits: limits, Nearest: nearest, Confirmed: confirmed})
			if err != nil {
				return err
			}
			defer p.Close()
			paths := []string{start, goal}
			var literals strips.Goal
			if want != "" {
				paths = paths[:1]
				if literals, err = p.Model().ParseGoal(want); err != nil {
					return usagef("--want: %w", err)
				}
			}
			images, err := readImages(p.Frame().Bits, paths...)
			if err != nil {
				return err
			}
			if reason := p.Network().Fallback(); reason != nil {
				fmt.Fprintf(cmd.ErrOrStderr(), "stripswm: %v\n", reason)
			}
			var result imageplan.Result
			switch {
			case want != "":
				result, err = p.PlanTo(cmd.Context(), images[0], literals)
			case part != "":
				result, err = p.PlanToPart(cmd.Context(), images[0], images[1], region)
			default:
				result, err = p.Plan(cmd.Context(), images[0], images[1])
			}
			if explain != "" {
				err = errors.Join(err, drawUnlike(explain, result, images))
			}
			if errors.Is(err, imageplan.ErrUnrecognized) && c.json {
				err = errors.Join(err, encode(cmd.OutOrStdout(), findings(p, result, "unrecognized")))
			}
			if err != nil {
				return err
			}
			if want != "" && result.Outcome != planner.Found && !c.json {
				obstacles, err := p.Obstacles(result, literals)
				if err != nil {
					return err
				}
				printObstacles(cmd.ErrOrStderr(), p.Model(), obstacles)
			}
			return printPlan(cmd, c, p, result, allowUntried)
		},
	}
	cmd.Flags().StringVar(&dir, "bundle", "", "learned bundle")
	cmd.Flags().StringVar(&start, "start", "", "image of the start, PNG or JPEG")
	cmd.Flags().StringVar(&goal, "goal", "", "image of the goal, PNG or JPEG")
	cmd.Flags().StringVar(&part, "goal-region", "",
		"part of the goal image that counts: x,y,width,height as fractions, such as 0,0,0.5,1; of a "+
			"bundle of facts")
	cmd.Flags().StringVar(&want, "want", "",
		"literals to reach, separated by commas, such as after_place_mug_3,!after_pick_fork_2")
	cmd.Flags().StringVar(&device, "device", "cpu", "where to classify: cpu, cuda or tensorrt")
	cmd.Flags().StringVar(&explain, "explain", "",
		"file for an image that is refused or has a confirmed thing in it, PNG, with a frame where it "+
			"is like nothing recorded")
	cmd.Flags().BoolVar(&nearest, "nearest", false, nearestHelp)
	cmd.Flags().BoolVar(&confirmed, "confirmed", false, "somebody has looked: the images show "+
		"the things of the bundle, whatever they look like")
	cmd.Flags().BoolVar(&execute, "execute", false,
		"send --goal or --want to the running planner node, which executes the plan")
	limitFlags(cmd, &limits)
	untriedFlag(cmd, &allowUntried)
	return cmd
}

const nearestHelp = "use the nearest known state if an image shows none"

func untriedFlag(cmd *cobra.Command, allow *bool) {
	cmd.Flags().BoolVar(allow, "allow-untried", false,
		"exit with 0 if the plan has untried steps")
}

// limitFlags bound a search.
func limitFlags(cmd *cobra.Command, limits *planner.Limits) {
	atLeast(cmd.Flags(), &limits.States, "max-states", 0, 0,
		"limit on reached states (default: none)")
	atLeast(cmd.Flags(), &limits.Time, "max-time", 0, 0, "limit on time (default: none)")
}

// readImages decodes images of a camera that uses so many bits.
func readImages(bits int, paths ...string) ([]pixels.RGB, error) {
	images := make([]pixels.RGB, len(paths))
	for i, path := range paths {
		data, err := readImage(path)
		if err != nil {
			return nil, err
		}
		if images[i], err = (pixels.Compressed{Bits: bits, Data: data}).RGB(); err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
	}
	return images, nil
}

// readImage reads the file of one.
func readImage(path string) ([]byte, error) {
	data, err := files.Read(path, pixels.MaxFileBytes)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errInput, err)
	}
	return data, nil
}

// printPlan prints the result and turns its outcome into an exit code.
func printPlan(cmd *cobra.Command, c *common, p *imageplan.Planner, r imageplan.Result,
	allowUntried bool,
) error {
	out := findings(p, r, r.Outcome.String())
	err := c.print(cmd, out, func(w io.Writer) {
		if r.Outcome == planner.Found {
			printPlanLines(w, out.Plan, out.Names)
		}
		if !c.quiet {
			printPlanNotes(cmd.ErrOrStderr(), out, r)
		}
	})
	return cmp.Or(err, searchOutcome(r.Result, allowUntried))
}

func findings(p *imageplan.Planner, r imageplan.Result, outcome string) planOutput {
	out := planOutput{
		Outcome: outcome, Plan: append([]strips.ActionID{}, r.Plan...), Names: []string{},
		UncertainSteps: r.Uncertain, Untried: r.Untried(),
		Start: describe(r.Start), Goal: describe(r.Goal), Device: string(p.Network().Device()),
		Milliseconds: map[string]any{"classify": ms(r.Classify), "search": ms(r.Elapsed)},
	}
	for _, a := range r.Plan {
		out.Names = append(out.Names, p.Model().Label(a))
	}
	return out
}

// searchOutcome turns how a search ended into an exit code.
func searchOutcome(r planner.Result, allowUntried bool) error {
	switch untried := r.Untried(); {
	case r.Outcome == planner.Unsolvable:
		return outcome{exitUnsolvable,
			"no plan exists: the goal cannot be reached from the start with the learned operators"}
	case r.Outcome == planner.LimitReached:
		return outcome{exitLimit,
			"a limit was reached before a plan was found or ruled out; raise --max-states or --max-time"}
	case len(untried) > 0 && !allowUntried:
		for i := range untried {
			untried[i]++
		}
		return outcome{exitUntried,
			fmt.Sprintf("the plan has skills that were never tried there: step(s) %v; "+
				"record them, or accept the plan with --allow-untried", untried)}
	}
	return nil
}

// printPlanNotes says what is not certain in a plan, and how it was found.
func printPlanNotes(w io.Writer, out planOutput, r imageplan.Result) {
	printUncertain(w, out.Names, r.Uncertain)
	for k, seen := range []imageplan.Recognition{r.Start, r.Goal} {
		if seen.Where != (pixels.Region{}) {
			fmt.Fprintf(w, "%s: looks unlike what was recorded at %s, as confirmed\n",
				[]string{"start", "goal"}[k], seen.Where.Words())
		}
	}
	goal := "" // with --want there is no goal image
	if out.Goal.Code != "" {
		goal = fmt.Sprintf(", goal %s (%.3f)", out.Goal.Code, out.Goal.Confidence)
	}
	fmt.Fprintf(w, "%s: %d action(s); start %s (%.3f)%s; classify %.1f ms, search %.1f ms on %s\n",
		out.Outcome, len(out.Plan), out.Start.Code, out.Start.Confidence, goal, ms(r.Classify),
		ms(r.Elapsed), out.Device)
}

// printPlanLines prints a plan, an action a line.
func printPlanLines(w io.Writer, plan []strips.ActionID, names []string) {
	for i, a := range plan {
		fmt.Fprintf(w, "%d\t%s\n", a, names[i])
	}
}

// printUncertain says which steps of a plan are not certain.
func printUncertain(w io.Writer, names []string, uncertain []planner.UncertainStep) {
	for _, c := range uncertain {
		if c.Seen == 0 {
			fmt.Fprintf(w, "not certain: %s, %s; observe afterwards\n", c, names[c.Step])
			continue
		}
		fmt.Fprintf(w, "nondeterministic: %s of %s led on; observe afterwards\n", c, names[c.Step])
	}
}

// drawUnlike writes the image that is unlike what was recorded, the start if both are, with a frame
// where it is.
func drawUnlike(path string, r imageplan.Result, images []pixels.RGB) error {
	for k, seen := range []imageplan.Recognition{r.Start, r.Goal} {
		if seen.Where == (pixels.Region{}) {
			continue
		}
		return writeWith(path, func(w io.Writer) error {
			return png.Encode(w, seen.Where.Outlined(images[k]).Image())
		})
	}
	return nil
}

func describe(r imageplan.Recognition) stateOutput {
	s := stateOutput{
		Code: r.Code.String(), Known: r.Known(), Refusal: r.Refusal, Nodes: append([]strips.StateID{},
			r.Place.Nodes...),
		Encoded: r.Encoded, Distance: r.Distance, Confidence: r.Confidence(),
		Probabilities: r.Probabilities,
	}
	if s.Where = r.Where.Slice(); !r.Known() {
		s.Reason = r.Explain()
	}
	if near := r.Place.Nearest; !r.Place.Known() && len(near) > 0 {
		s.Nearest = &nearestOutput{near[0].Node, r.Place.Distance}
	}
	return s
}

func ms(d time.Duration) float64 { return d.Seconds() * 1e3 }

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
