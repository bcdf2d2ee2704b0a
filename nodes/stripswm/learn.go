package main

import (
	"context"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"strconv"

	"github.com/spf13/cobra"

	"stripswm/models/facts"
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

// trainFlags are shared by all verbs that train networks.
type trainFlags struct {
	threads int
	device  string
	steps   int
	resume  bool
}

func (f *trainFlags) add(cmd *cobra.Command) {
	cmd.Flags().IntVar(&f.threads, "threads", learn.DefaultThreads(),
		"threads of ONNX Runtime in training")
	cmd.Flags().StringVar(&f.device, "device", "cpu",
		"where to train: cpu or cuda; an error if there is none")
	cmd.Flags().IntVar(&f.steps, "steps", 0, stepsHelp)
	atLeast(cmd.Flags(), "threads", &f.threads, 0)
	atLeast(cmd.Flags(), "steps", &f.steps, 0)
	cmd.Flags().BoolVar(&f.resume, "resume", false, "continue an interrupted training")
}

// learner makes a learner with the preset of facts.
func (f *trainFlags) learner(bag, out string, seed uint64) (learn.Learner, error) {
	device, err := inference.ParseDevice(f.device)
	if err != nil {
		return learn.Learner{}, usageError{err}
	}
	preset := learn.AtMost(facts.DefaultPreset(), f.steps)
	return learn.Learner{
		Bag: bag, Out: out, Preset: preset, Facts: preset, Seed: seed, Threads: f.threads,
		Device: device, Resume: f.resume, Version: version(),
	}, nil
}

// learnFlags are shared by learn, demo and the jobs of a sweep.
type learnFlags struct {
	trainFlags
	preset string
	dims   []int             // several are compared
	effort operators.Options // its Work and Budget
	losses map[string]string
}

func (f *learnFlags) add(cmd *cobra.Command) {
	f.trainFlags.add(cmd)
	cmd.Flags().StringVar(&f.preset, "preset", vision.DefaultPreset, presetHelp)
	cmd.Flags().IntSliceVar(&f.dims, "dims", nil, "latent dimensions; of several, such as "+
		"5,6,7 (the paper's), the best is kept (default: the preset's; auto: by the recording)")
	effortFlags(cmd.Flags(), &f.effort)
	completePresets(cmd)
	cmd.Flags().StringToStringVar(&f.losses, "loss", nil,
		"weight of a loss of stage 1, such as augment=0.05; 0 disables the loss")
}

const (
	presetHelp = "networks and training: auto (finds the number of steps), small or medium (fixed " +
		"phases, for BlocksWorld and DinnerTable) or paper (ConvNeXt-Tiny, needs a GPU)"
	stepsHelp = "maximum steps of stage 1, and of stage 3 if they are fewer than its minimum " +
		"(default: the preset's)"
	validationHelp = "fraction of the transitions, the last ones, not to learn from"
)

// learner makes the pipeline that the flags describe.
func (f *learnFlags) learner(bag, out string, seed uint64) (learn.Learner, error) {
	preset, err := vision.PresetByName(f.preset)
	if err != nil {
		return learn.Learner{}, usageError{err}
	}
	spaces, err := latentSpaces(f.dims, preset.FSQ.Levels)
	if err != nil {
		return learn.Learner{}, err
	}
	if len(spaces) == 1 {
		preset.FSQ, spaces = spaces[0], nil
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
	l, err := f.trainFlags.learner(bag, out, seed)
	if err != nil {
		return learn.Learner{}, err
	}
	l.Preset, l.Sweep = learn.AtMost(preset, f.steps), spaces
	l.MinSupport, l.Operators = taskgraph.ErrorShare, f.effort
	return l, nil
}

func learnCommand(c *common) *cobra.Command {
	var bag, out, stage, name, encoder, method string
	var seed uint64
	var actions int
	var validationFraction float64
	var f learnFlags
	var eye cameraFlags
	cmd := &cobra.Command{
		Use:   "learn --bag BAG --out DIR",
		Short: "Learn a bundle from a recording: facts or a task graph, operators, a classifier",
		Long: `learn learns a bundle from a recording. It writes DIR/bundle, which the planner loads, and
DIR/report/facts.txt, or DIR/report/report.html with images and curves.

--method auto learns facts from the order of attempts. It takes the task graph instead if
skills change no fact, the facts make more states than the recording supports, images with
the same facts differ, or the classifier misreads images that were held out. It prints
the reason. With --stage, --encoder, --dims, --preset or --loss it learns the graph.

^C ends within 2 seconds. It keeps the state of training the task graph, and a bundle of
the stages of the graph that are finished. --resume continues. --stage runs one stage and
takes the results of earlier stages from DIR/bundle.

BAG is a recording (a rosbag2 directory with transitions), or a folder of images with
transitions.csv. import makes a recording from any other rosbag2; import images --help
describes the folder.`,
		Example: `  stripswm learn --bag runs/bag --out runs/blocks
  stripswm learn --bag runs/bag --out runs/blocks --resume
  stripswm learn --bag images --out runs/mine --validation-fraction 0.2
  stripswm learn --bag runs/bag --out runs/blocks --stage operators --budget 60s
  stripswm learn --bag runs/bag --out runs/blocks --dims 5,6,7
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
			if l.Method, err = chosenMethod(cmd, method); err != nil {
				return err
			}
			if l.Stage, err = learn.ParseStage(stage); err != nil {
				return usageError{err}
			}
			if encoder != "" && (l.Stage == learn.OperatorStage || l.Stage == learn.ClassifierStage ||
				len(l.Sweep) > 0) {
				return usagef("--encoder is for stage 1: use --stage all or graph, and one value of --dims")
			}
			l.Domain, l.Actions, l.ValidationFraction, l.Encoder = name, actions, validationFraction, encoder
			if err := outside("--out", out, bag, encoder); err != nil {
				return err
			}
			if err := tryFolder("--out", out, "bundle", "report/report.html"); err != nil {
				return err
			}
			if l.Stage != learn.OperatorStage { // which learns from the graph
				if err := learnable(cmd.Context(), bag); err != nil {
					return err
				}
				if err := warnOfFolder(cmd, bag); err != nil {
					return err
				}
			}
			return learnAndReport(cmd, c, l)
		},
	}
	cmd.Flags().StringVarP(&bag, "bag", "b", "",
		"recording to learn from: a bag, or a folder of images with transitions.csv")
	cmd.Flags().StringVarP(&out, "out", "o", "", "folder for bundle and report")
	methodFlag(cmd, &method, learn.DefaultMethod)
	cmd.Flags().StringVar(&stage, "stage", "all", "stage to run: all, graph, operators or classifier")
	cmd.Flags().StringVar(&name, "name", "", "name of the task, which the bundle keeps")
	cmd.Flags().StringVar(&encoder, "encoder", "",
		"bundle to reuse the encoder of, instead of training one: takes seconds")
	cmd.Flags().Uint64Var(&seed, "seed", learn.DefaultSeed, "seed of training")
	cmd.Flags().IntVar(&actions, "actions", 0,
		"number of actions L (default: the highest id in the recording)")
	cmd.Flags().Float64Var(&validationFraction, "validation-fraction", 0, validationHelp+
		"; eval --bag BAG evaluates on them")
	atLeast(cmd.Flags(), "actions", &actions, 0)
	within(cmd.Flags(), "validation-fraction", &validationFraction, 0, 0.9)
	f.add(cmd)
	eye.add(cmd, "what the recording says")
	return cmd
}

// latentSpaces are those of --dims.
func latentSpaces(dims []int, levels int) (spaces []vision.FSQ, err error) {
	for _, d := range dims {
		if d < 1 || d > vision.MaxDims {
			return nil, usagef("--dims %d: want 1 to %d", d, vision.MaxDims)
		}
		spaces = append(spaces, vision.FSQ{Levels: levels, Dims: d})
	}
	return spaces, nil
}

// learnAndReport learns, prints a summary and writes the report. A run that failed has them, too;
// one that was interrupted has not.
func learnAndReport(cmd *cobra.Command, c *common, l learn.Learner) error {
	result, err := runLearner(cmd.Context(), c, l)
	if result != nil && result.Recording != nil {
		defer result.Recording.Close()
	}
	if result == nil || result.Bundle == nil || cmd.Context().Err() != nil {
		return err
	}
	summary := learn.Summarize(l, result)
	if result.Traces != nil {
		return reportFacts(cmd, c, l, result, summary, err)
	}
	if reportErr := writeReport(cmd.Context(), l, result, summary, nil,
		""); err == nil {
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
		bar.Set(int64(done))
	}
	result, err := l.Run(ctx)
	bar.Done()
	return result, err
}

// reportDir is where a run's report goes.
func reportDir(out string) string { return filepath.Join(out, "report") }

func writeReport(ctx context.Context, l learn.Learner, r *learn.Result, s learn.Summary,
	evaluation *eval.Report, command string,
) error {
	in, err := builder.Run(ctx, l, r, s, evaluation, command)
	if err != nil {
		return err
	}
	return report.Write(reportDir(l.Out), in)
}

func printSummary(cmd *cobra.Command, out string, s learn.Summary) {
	w := cmd.OutOrStdout()
	printChoice(w, s.Choice)
	fmt.Fprintf(w,
		"task graph   %d states, %d actions, %d transitions; %d nondeterministic pairs; %d codes "+
			"split, %d nodes and %d edges dropped as misread, %d nodes merged\n",
		s.States, s.Actions, s.Transitions, s.Nondeterminism, s.SplitCodes, s.DroppedNodes,
		s.DroppedEdges, s.MergedNodes)
	if s.Trained > 0 {
		fmt.Fprintf(w, "training     %s\n", trainingText(s))
	}
	if s.UnmarkedResets > 0 {
		fmt.Fprintf(w,
			"resets       the scene changed %d times between attempts without a mark: static intervals "+
				"are split there\n", s.UnmarkedResets)
	}
	for _, d := range s.Diagnostics {
		fmt.Fprintf(w, "diagnostic   %s\n             %s\n", d.What, d.Do)
	}
	printSome(w, "one state", s.Merged)
	printSome(w, "outcomes", s.Branches)
	fmt.Fprintf(w, "operators    %s, %d predicates, %d distinct codes, sum xi %d, sum eta %d\n",
		operatorsText(s), s.Predicates, s.DistinctCodes, s.Xi, s.Eta)
	if s.Operators != nil && s.Operators.CutShort {
		fmt.Fprintf(w, "             %s\n", cutShort)
	}
	fmt.Fprintf(w, "export       largest difference from training: encoder %.1e, classifier %.1e\n",
		s.EncoderExport, s.ClassifierExport)
	fmt.Fprintf(w, "bundle       %s\nreport       %s\n", learn.BundleDir(out),
		filepath.Join(reportDir(out), "report.html"))
}

// trainingText is such as "codes [5]^7, images distinguished by step 900, settled at step 1300".
func trainingText(s learn.Summary) string {
	text := "codes " + s.Space
	switch {
	case s.Distinguished > 0 && s.Discrimination != "":
		text += fmt.Sprintf(", images distinguished by %s until step %d", s.Discrimination,
			s.Distinguished)
	case s.Fallback == vision.FallbackFew:
		text += ", with few losses, because each state was seen in one arrangement only"
	case s.Fallback == vision.FallbackSmall:
		text += ", with the losses of preset small, because those of auto did not settle"
	}
	if s.Starts > 1 {
		text += fmt.Sprintf(", started %d times, because the first weights collapsed to one code",
			s.Starts)
	}
	if s.Settled {
		return text + fmt.Sprintf(", settled at step %d", s.Trained)
	}
	return text + fmt.Sprintf(", ended at step %d without settling", s.Trained)
}

// operatorsText is such as "18 of 6 skills (at least 9)".
func operatorsText(s learn.Summary) string {
	if s.Operators == nil || s.Operators.Operators == s.Actions {
		return fmt.Sprintf("one for each of %d skills", s.Actions)
	}
	how := fmt.Sprintf("at least %d", s.Operators.Bounds.Operators)
	if s.Operators.Proved.Operators {
		how = "proved to be the fewest"
	}
	return fmt.Sprintf("%d of %d skills (%s)", s.Operators.Operators, s.Actions, how)
}

// printSome prints a line for each of the first few, and how many more there are.
func printSome[T fmt.Stringer](w io.Writer, name string, all []T) {
	const limit = 5
	for _, one := range all[:min(len(all), limit)] {
		fmt.Fprintf(w, "%-12s %s\n", name, one)
	}
	if more := len(all) - limit; more > 0 {
		fmt.Fprintf(w, "%-12s and %d more: see --json\n", name, more)
	}
}
