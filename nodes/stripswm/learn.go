package main

import (
	"context"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"stripswm/models/inference"
	"stripswm/models/operators"
	"stripswm/models/taskgraph"
	"stripswm/models/vision"
	"stripswm/nodes/eval"
	"stripswm/nodes/eval/builder"
	"stripswm/nodes/eval/report"
	"stripswm/nodes/learn"
	"stripswm/nodes/stripswm/internal/progress"
)

// learnFlags are what learn, demo and the jobs of a sweep share.
type learnFlags struct {
	preset  string
	dims    int
	threads int
	device  string
	effort  operators.Options // its Work and Budget
	steps   int
	resume  bool
	losses  map[string]string
}

func (f *learnFlags) add(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.preset, "preset", vision.DefaultPreset, "networks and training: auto (finds how long to train), small or medium (fixed phases, for BlocksWorld and for DinnerTable) or paper (ConvNeXt-Tiny, wants a GPU)")
	cmd.Flags().IntVar(&f.dims, "dims", 0, "latent dimensions (default: the preset's; with auto, what the recording may have states for)")
	cmd.Flags().IntVar(&f.threads, "threads", min(runtime.GOMAXPROCS(0), 8), "threads of ONNX Runtime in training, as many as there are processors at most")
	cmd.Flags().StringVar(&f.device, "device", "cpu", "where to train: cpu or cuda (no falling back: it would take days)")
	effortFlags(cmd.Flags(), &f.effort)
	cmd.Flags().IntVar(&f.steps, "steps", 0, "most steps of stage 1, and of stage 3 where they are fewer than its least (default: the preset's)")
	within(cmd.Flags(), "dims", &f.dims, 0, vision.MaxDims)
	atLeast(cmd.Flags(), "threads", &f.threads, 0)
	atLeast(cmd.Flags(), "steps", &f.steps, 0)
	completePresets(cmd)
	cmd.Flags().BoolVar(&f.resume, "resume", false, "continue an interrupted training")
	cmd.Flags().StringToStringVar(&f.losses, "loss", nil, "weight of a loss of stage 1 in place of the preset's, such as augment=0.05; 0 leaves it out")
}

// learner makes the pipeline that the flags describe.
func (f *learnFlags) learner(bag, out string, seed uint64) (learn.Learner, error) {
	preset, err := vision.PresetByName(f.preset)
	if err != nil {
		return learn.Learner{}, usageError{err}
	}
	if f.dims > 0 {
		preset.FSQ.Dims = f.dims
	}
	for _, name := range slices.Sorted(maps.Keys(f.losses)) {
		weight, err := strconv.ParseFloat(f.losses[name], 64)
		if err != nil {
			return learn.Learner{}, usagef("--loss %s=%s: the weight is not a number", name, f.losses[name])
		}
		if preset, err = preset.WithLoss(name, weight); err != nil {
			return learn.Learner{}, usagef("--loss: %w", err)
		}
	}
	device, err := inference.ParseDevice(f.device)
	if err != nil {
		return learn.Learner{}, usageError{err}
	}
	preset = learn.AtMost(preset, f.steps)
	return learn.Learner{
		Bag: bag, Out: out, Preset: preset, Seed: seed, Threads: f.threads, Device: device, Resume: f.resume,
		MinSupport: taskgraph.ErrorShare, Operators: f.effort, Version: version(),
	}, nil
}

func learnCommand(c *common) *cobra.Command {
	var bag, out, stage, domain, sweep, encoder string
	var seed uint64
	var actions int
	var validationFraction float64
	var f learnFlags
	var eye cameraFlags
	cmd := &cobra.Command{
		Use:   "learn --bag BAG --out DIR",
		Short: "Learn task graph, operators and classifier from a recording",
		Long: `learn runs the method's three stages on a recording and writes DIR/bundle (what
the planner loads) and DIR/report (images and curves; open report.html).

^C keeps the state of training, and the bundle of the best evaluation if there was
one; --resume goes on. --stage runs one stage alone and takes the parts before it
from DIR/bundle.

BAG is a recording (a rosbag2 directory with transitions), or a folder of images
with transitions.csv. Of any other rosbag2, import makes a recording (see its
--help, also for what is in the folder).`,
		Example: `  stripswm learn --bag runs/bag --out runs/blocks
  stripswm learn --bag runs/bag --out runs/blocks --resume
  stripswm learn --bag images --out runs/mine --hold-out 0.2 && stripswm eval --bundle runs/mine/bundle --bag images
  stripswm learn --bag runs/bag --out runs/blocks --stage operators --budget 60s
  stripswm learn --bag runs/bag --out runs/blocks --sweep 5,6,7
  stripswm learn --bag runs/longer --out runs/longer --encoder runs/blocks/bundle`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if bag == "" || out == "" {
				return usagef("--bag and --out are needed")
			}
			l, err := f.learner(bag, out, seed)
			if err != nil {
				return err
			}
			if l.Camera, err = eye.camera(); err != nil {
				return err
			}
			if l.Stage, err = learn.ParseStage(stage); err != nil {
				return usageError{err}
			}
			if l.Sweep, err = parseSweep(sweep, l.Preset.FSQ.Levels); err != nil {
				return usageError{err}
			}
			if encoder != "" && (l.Stage == learn.OperatorStage || l.Stage == learn.ClassifierStage || len(l.Sweep) > 0) {
				return usagef("--encoder is for stage 1: it goes with --stage all or graph, and without --sweep")
			}
			l.Domain, l.Actions, l.ValidationFraction, l.Encoder = domain, actions, validationFraction, encoder
			if err := tryFolder("--out", out, "bundle", "report/report.html"); err != nil {
				return err
			}
			if l.Stage != learn.OperatorStage { // which learns from the graph
				if err := learnable(cmd.Context(), bag); err != nil {
					return err
				}
			}
			return learnAndReport(cmd, c, l)
		},
	}
	cmd.Flags().StringVarP(&bag, "bag", "b", "", "recording to learn from: a bag, or a folder of images with transitions.csv")
	cmd.Flags().StringVarP(&out, "out", "o", "", "folder for bundle and report")
	cmd.Flags().StringVar(&stage, "stage", "all", "stage to run: all, graph, operators or classifier")
	cmd.Flags().StringVar(&domain, "domain", "", "name of the task, kept in the bundle")
	cmd.Flags().StringVar(&encoder, "encoder", "", "bundle to take the encoder from, in place of training one: seconds, of a recording that has grown")
	cmd.Flags().StringVar(&sweep, "sweep", "", "latent dimensions to try, such as 5,6,7 (the paper's); the best is kept")
	cmd.Flags().Uint64Var(&seed, "seed", 1, "seed of training")
	cmd.Flags().IntVar(&actions, "actions", 0, "number of actions L (default: the highest id in the recording)")
	cmd.Flags().Float64Var(&validationFraction, "hold-out", 0, "share of the transitions, the last ones, not to learn from: eval --bag BAG evaluates on them")
	atLeast(cmd.Flags(), "actions", &actions, 0)
	within(cmd.Flags(), "hold-out", &validationFraction, 0, 0.9)
	f.add(cmd)
	eye.add(cmd, "what the recording says")
	return cmd
}

func parseSweep(text string, levels int) ([]vision.FSQ, error) {
	if text == "" {
		return nil, nil
	}
	var spaces []vision.FSQ
	for _, field := range strings.Split(text, ",") {
		dims, err := strconv.Atoi(field)
		if err != nil || dims < 1 || dims > vision.MaxDims {
			return nil, fmt.Errorf("--sweep %q: %q is not a number of dimensions from 1 to %d", text, field, vision.MaxDims)
		}
		spaces = append(spaces, vision.FSQ{Levels: levels, Dims: dims})
	}
	return spaces, nil
}

// learnAndReport learns, prints a summary and writes the report, also of what
// an interrupted run has.
func learnAndReport(cmd *cobra.Command, c *common, l learn.Learner) error {
	result, err := runLearner(cmd.Context(), c, l)
	if result != nil && result.Recording != nil {
		defer result.Recording.Close()
	}
	if result == nil || result.Bundle == nil {
		return err
	}
	summary := learn.Summarize(l, result)
	if reportErr := writeReport(context.WithoutCancel(cmd.Context()), l, result, summary, nil, ""); err == nil {
		err = reportErr
	}
	if c.json {
		if jsonErr := printJSON(cmd, summary); err == nil {
			err = jsonErr
		}
		return err
	}
	printSummary(cmd, l.Out, summary)
	return err
}

// runLearner runs the pipeline with a bar for each part of the work.
func runLearner(ctx context.Context, c *common, l learn.Learner) (*learn.Result, error) {
	var bar *progress.Bar
	current := ""
	l.Progress = func(what string, done, total int, note string) {
		if what != current {
			bar.Done()
			current = what
			bar = progress.Start(ctx, what, int64(total), progress.Options{Quiet: c.quiet || c.json})
		}
		if note != "" {
			bar.Describe(what + ": " + note)
		}
		bar.Expect(int64(total))
		bar.Set(int64(done))
	}
	result, err := l.Run(ctx)
	bar.Done()
	return result, err
}

// reportDir is where a run's report goes.
func reportDir(out string) string { return filepath.Join(out, "report") }

func writeReport(ctx context.Context, l learn.Learner, r *learn.Result, s learn.Summary, evaluation *eval.Report, command string) error {
	in, err := builder.Run(ctx, l, r, s, evaluation, command)
	if err != nil {
		return err
	}
	return report.Write(reportDir(l.Out), in)
}

func printSummary(cmd *cobra.Command, out string, s learn.Summary) {
	w := cmd.OutOrStdout()
	fmt.Fprintf(w, "task graph   %d states, %d actions, %d transitions; %d nondeterministic pairs; %d codes split, %d nodes and %d edges dropped as misread, %d nodes merged\n",
		s.States, s.Actions, s.Transitions, s.Nondeterminism, s.SplitCodes, s.DroppedNodes, s.DroppedEdges, s.MergedNodes)
	if s.Trained > 0 {
		fmt.Fprintf(w, "training     %s\n", trainingText(s))
	}
	if s.UnmarkedResets > 0 {
		fmt.Fprintf(w, "resets       the scene was changed %d times between attempts without a mark: those are not classified as one static interval\n", s.UnmarkedResets)
	}
	for _, d := range s.Diagnostics {
		fmt.Fprintf(w, "diagnostic        %s\n             %s\n", d.What, d.Do)
	}
	printSome(w, "one state", s.Merged)
	printSome(w, "outcomes", s.Branches)
	fmt.Fprintf(w, "operators    %s, %d predicates, %d distinct codes, sum xi %d, sum eta %d\n", operatorsText(s), s.Predicates, s.DistinctCodes, s.Xi, s.Eta)
	if s.Operators != nil && s.Operators.CutShort {
		fmt.Fprintf(w, "             %s\n", cutShort)
	}
	fmt.Fprintf(w, "export       largest difference from training: encoder %.1e, classifier %.1e\n", s.EncoderExport, s.ClassifierExport)
	fmt.Fprintf(w, "bundle       %s\nreport       %s\n", learn.BundleDir(out), filepath.Join(reportDir(out), "report.html"))
}

// trainingText is such as "codes [5]^7, images distinguished by step 900, settled at step 1300".
func trainingText(s learn.Summary) string {
	text := "codes " + s.Space
	switch {
	case s.Distinguished > 0 && s.Discrimination != "":
		text += fmt.Sprintf(", images distinguished by %s until step %d", s.Discrimination, s.Distinguished)
	case s.Fallback == vision.FallbackFew:
		text += ", few losses, since each scene was seen as it was put and no other way"
	case s.Fallback == vision.FallbackSmall:
		text += ", with the losses of preset small, since those of auto did not settle and told less"
	}
	if s.Starts > 1 {
		text += fmt.Sprintf(", begun %d times since the first weights collapsed to one code", s.Starts)
	}
	if s.Settled {
		return text + fmt.Sprintf(", settled at step %d", s.Trained)
	}
	return text + fmt.Sprintf(", ended at step %d without settling", s.Trained)
}

// operatorsText is such as "18 of 6 skills (at least 9)".
func operatorsText(s learn.Summary) string {
	if s.Operators == nil || s.Operators.Operators == s.Actions {
		return fmt.Sprintf("one of each of %d skills", s.Actions)
	}
	how := fmt.Sprintf("at least %d", s.Operators.Bounds.Operators)
	if s.Operators.Proved.Operators {
		how = "proved to be the fewest"
	}
	return fmt.Sprintf("%d of %d skills (%s)", s.Operators.Operators, s.Actions, how)
}

// printSome prints a line for each of the first few, and how many more there are.
func printSome[T fmt.Stringer](w io.Writer, name string, all []T) {
	const most = 5
	for _, one := range all[:min(len(all), most)] {
		fmt.Fprintf(w, "%-12s %s\n", name, one)
	}
	if more := len(all) - most; more > 0 {
		fmt.Fprintf(w, "%-12s and %d more: see --json\n", name, more)
	}
}
