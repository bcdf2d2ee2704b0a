package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"stripswm/bags"
	"stripswm/models/facts"
	"stripswm/models/inference"
	"stripswm/models/operators"
	"stripswm/models/strips"
	"stripswm/models/taskgraph"
	"stripswm/models/vision"
	"stripswm/nodes/cvbridge"
	"stripswm/nodes/eval/report"
	"stripswm/nodes/learn"
)

// trainFlags are shared by all verbs that train networks.
type trainFlags struct {
	threads int
	device  string
	steps   int
	resume  bool
}

func (f *trainFlags) add(cmd *cobra.Command) {
	atLeast(cmd.Flags(), &f.threads, "threads", learn.DefaultThreads(), 0,
		"threads of ONNX Runtime in training")
	cmd.Flags().StringVar(&f.device, "device", "cpu",
		"where to train: cpu or cuda; an error if there is none")
	atLeast(cmd.Flags(), &f.steps, "steps", 0, 0, stepsHelp)
	cmd.Flags().BoolVar(&f.resume, "resume", false, "continue an interrupted training")
}

// learner makes a learner with the preset of facts.
func (f *trainFlags) learner(bags []string, out string, seed uint64) (learn.Learner, error) {
	device, err := inference.ParseDevice(f.device)
	if err != nil {
		return learn.Learner{}, usageError{err}
	}
	preset := learn.AtMost(facts.DefaultPreset(), f.steps)
	return learn.Learner{
		Bags: bags, Out: out, Preset: preset, Facts: preset, Seed: seed, Threads: f.threads,
		Device: device, Resume: f.resume, Version: version(),
	}, nil
}

// learnFlags are shared by learn and demo.
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
func (f *learnFlags) learner(bags []string, out string, seed uint64) (learn.Learner, error) {
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
	l, err := f.trainFlags.learner(bags, out, seed)
	if err != nil {
		return learn.Learner{}, err
	}
	l.Preset, l.Sweep = learn.AtMost(preset, f.steps), spaces
	l.MinSupport, l.Operators = taskgraph.ErrorShare, f.effort
	return l, nil
}

func learnCommand(c *common) *cobra.Command {
	var bags []string
	var refresh learn.Refresher
	var out, stage, name, encoder, method string
	var seed uint64
	var actions int
	var validationFraction float64
	var f learnFlags
	var eye cameraFlags
	cmd := &cobra.Command{
		Use:   "learn --bag BAG --out DIR",
		Short: "Learn a bundle from a recording: facts or a task graph, operators, a classifier",
		Long: `learn learns a bundle from a recording. It writes DIR/bundle, which the planner loads, and
DIR/report/facts.txt with objects.jpg, or DIR/report/report.html with images and curves.

--method auto learns facts from the order of attempts. It takes the task graph instead if
skills change no fact, the facts make more states than the recording supports, images with
the same facts differ, or the classifier misreads images that were held out. It prints
the reason. Where images of one node of that graph differ, too, it fails. With --stage,
--encoder, --dims, --preset or --loss it learns the graph.

^C ends within 2 seconds. It keeps the state of training the task graph, and a bundle of
the stages of the graph that are finished. --resume continues. --stage runs one stage and
takes the results of earlier stages from DIR/bundle.

--refresh learns anew what images look like, where camera, light or things have changed.
Facts and operators stay. Give the bundle's own recordings and newer ones, such as of
executed plans. An image is learned from if what it shows is what the skills beside it say.
One that is far from all that the bundle knows is left out unless --confirmed is given. A
bundle that recognizes fewer of the old images is not written.

Several --bag are of the same skills, of which later ones may have more, such as those of an
object that was added: ids keep their meaning. Images are aligned to the first one's camera.

BAG is a recording (a rosbag2 directory with transitions), or a folder of images with
transitions.csv. import makes a recording from any other rosbag2; import images --help
describes the folder.`,
		Example: `  stripswm learn --bag runs/bag --out runs/blocks
  stripswm learn --bag runs/bag --out runs/blocks --resume
  stripswm learn --bag runs/bag --bag runs/more --out runs/larger
  stripswm learn --bag images --out runs/mine --validation-fraction 0.2
  stripswm learn --bag runs/bag --out runs/blocks --stage operators --budget 60s
  stripswm learn --bag runs/bag --out runs/blocks --dims 5,6,7
  stripswm learn --bag runs/longer --out runs/longer --encoder runs/blocks/bundle
  stripswm learn --refresh runs/table/bundle --bag runs/bag --bag runs/week1 --out runs/new`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if refresh.Bundle != "" {
				refresh.Bags, refresh.Out = bags, out
				return refreshBundle(cmd, c, refresh, &f, seed)
			}
			if refresh.Confirmed {
				return usagef("--confirmed is for --refresh")
			}
			l, err := f.learner(bags, out, seed)
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
			if err := newFolder("--out", out, append([]string{encoder}, bags...), "bundle",
				"report/report.html"); err != nil {
				return err
			}
			if l.Stage != learn.OperatorStage { // which learns from the graph
				for _, bag := range bags {
					if err := learnable(cmd.Context(), bag); err != nil {
						return err
					}
					if err := warnOfFolder(cmd, bag); err != nil {
						return err
					}
				}
			}
			return learnAndReport(cmd, c, l)
		},
	}
	cmd.Flags().StringArrayVarP(&bags, "bag", "b", nil,
		"recording to learn from: a bag, or a folder of images with transitions.csv; may be repeated")
	cmd.Flags().StringVarP(&out, "out", "o", "", "folder for bundle and report")
	cmd.Flags().StringVar(&refresh.Bundle, "refresh", "",
		"bundle of facts to keep, and learn anew only what images look like")
	cmd.Flags().BoolVar(&refresh.Confirmed, "confirmed", false,
		"with --refresh: all things in the new recordings are the bundle's, whatever their looks")
	methodFlag(cmd, &method, learn.DefaultMethod)
	cmd.Flags().StringVar(&stage, "stage", "all", "stage to run: all, graph, operators or classifier")
	cmd.Flags().StringVar(&name, "name", "", "name of the task, which the bundle keeps")
	cmd.Flags().StringVar(&encoder, "encoder", "",
		"bundle to reuse the encoder of, instead of training one: takes seconds")
	cmd.Flags().Uint64Var(&seed, "seed", learn.DefaultSeed, "seed of training")
	atLeast(cmd.Flags(), &actions, "actions", 0, 0,
		"number of actions L (default: the highest id in the recording)")
	within(cmd.Flags(), &validationFraction, "validation-fraction", 0, 0, 0.9,
		validationHelp+
			"; eval --bag BAG evaluates on them")
	f.add(cmd)
	eye.add(cmd, "what the recording says")
	require(cmd, "bag", "out")
	return cmd
}

// refreshBundle learns anew what images look like to a bundle.
func refreshBundle(cmd *cobra.Command, c *common, r learn.Refresher, f *learnFlags,
	seed uint64,
) (err error) {
	var unused []string
	cmd.Flags().Visit(func(flag *pflag.Flag) {
		switch flag.Name {
		case "refresh", "bag", "out", "confirmed", "seed", "threads", "device", "json", "quiet":
		default:
			unused = append(unused, "--"+flag.Name)
		}
	})
	if len(unused) > 0 {
		return usagef("%s: not with --refresh", strings.Join(unused, ", "))
	}
	if err := newFolder("--out", r.Out, append([]string{r.Bundle}, r.Bags...), "bundle"); err != nil {
		return err
	}
	r.Seed, r.Threads, r.Version = seed, f.threads, version()
	if r.Device, err = inference.ParseDevice(f.device); err != nil {
		return usageError{err}
	}
	show := c.progress(cmd.Context())
	r.Progress = show.Set
	s, err := r.Run(cmd.Context())
	show.Done()
	if err != nil {
		return err
	}
	return c.print(cmd, s, func(w io.Writer) {
		fmt.Fprintf(w, "new images   %d, of %d recordings\n", s.Images, s.Recordings)
		fmt.Fprintf(w, "held out     of %d new images %d were recognized, %d are now\n", s.New.Images,
			s.New.Before, s.New.After)
		fmt.Fprintf(w, "             of %d old images %d were recognized, %d are now\n", s.Old.Images,
			s.Old.Before, s.Old.After)
		if n := len(s.Strange); n > 0 {
			fmt.Fprintf(w, "left out     %d images look like nothing that the bundle knows; if all "+
				"things in them are its own, use --confirmed\n", n)
		}
		if s.Contradicted > 0 {
			fmt.Fprintf(w, "contradicted %d reported successes, by images before and after\n",
				s.Contradicted)
		}
		fmt.Fprintf(w, "bundle       %s\n", s.Bundle)
	})
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
	err = cmp.Or(err, writeReport(cmd.Context(), l, result, summary))
	return cmp.Or(err, c.print(cmd, summary, func(w io.Writer) { printSummary(w, l.Out, summary) }))
}

// runLearner runs the pipeline and shows how far it has come.
func runLearner(ctx context.Context, c *common, l learn.Learner) (*learn.Result, error) {
	show := c.progress(ctx)
	defer show.Done()
	l.Progress = show.Set
	return l.Run(ctx)
}

// reportDir is where a run's report goes.
func reportDir(out string) string { return filepath.Join(out, "report") }

func writeReport(ctx context.Context, l learn.Learner, r *learn.Result, s learn.Summary) error {
	in, err := report.OfRun(ctx, l, r, s, nil, "")
	if err != nil {
		return err
	}
	return report.Write(reportDir(l.Out), in)
}

func printSummary(w io.Writer, out string, s learn.Summary) {
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

// warnOfFolder prints what check notes about a folder of images: columns that are ignored, and
// images of different sizes.
func warnOfFolder(cmd *cobra.Command, path string) error {
	if _, err := os.Stat(filepath.Join(path, bags.TableName)); err != nil {
		return nil // not a folder of images
	}
	report, err := bags.Check(cmd.Context(), path, cvbridge.Describe, nil)
	if err != nil {
		return err
	}
	for _, note := range report.Notes {
		fmt.Fprintf(cmd.ErrOrStderr(), "warning: %s: %s\n", path, note)
	}
	return nil
}

// learnable refuses input without attempts, and names the verb that makes a recording.
func learnable(ctx context.Context, path string) error {
	r, err := bags.Open(path)
	if errors.Is(err, bags.ErrNoBag) || errors.Is(err, bags.ErrUnsupported) {
		return fmt.Errorf(
			"%w; stripswm import makes a recording from a rosbag2, or from images with a %s", err,
			bags.TableName)
	}
	if err != nil {
		return err
	}
	defer r.Close()
	var topics []string
	for m, err := range r.Messages(ctx) {
		if err != nil || m.Topic.IsTransition() {
			return nil // learning reports other faults
		}
		if topic := m.Topic.String(); !slices.Contains(topics, topic) {
			topics = append(topics, topic)
		}
	}
	if len(topics) == 0 {
		return nil // an empty recording
	}
	return fmt.Errorf(
		"%w: %s has 0 transitions, only %s; if these have images and mark skills, `stripswm import bag "+
			"%s --image-topic TOPIC --skill-topic TOPIC --end-rule RULE --out BAG` makes a recording from "+
			"it",
		errInput, path, strings.Join(topics, ", "), path)
}

func methodFlag(cmd *cobra.Command, method *string, value learn.Method) {
	cmd.Flags().StringVar(method, "method", string(value), "graph: a task graph of the recorded "+
		"states, as in the paper; traces: facts from the order of attempts, and every state that "+
		"they make; auto: facts if the recording is evidence for them, else the graph")
	oneOf(cmd, "method", learn.Methods())
}

// graphFlags are those that say how the graph is learned.
var graphFlags = []string{"stage", "encoder", "dims", "preset", "loss"}

// chosenMethod is the one of --method. auto is graph where a flag says how to learn the graph.
func chosenMethod(cmd *cobra.Command, method string) (learn.Method, error) {
	for _, name := range graphFlags {
		if f := cmd.Flags().Lookup(name); f == nil || !f.Changed {
			continue
		}
		switch learn.Method(method) {
		case learn.Traces:
			return "", usagef("--%s are for --method graph", strings.Join(graphFlags, ", --"))
		case learn.Auto:
			return learn.Graph, nil
		}
	}
	return learn.Method(method), nil
}

// printChoice says which method auto took, and why.
func printChoice(w io.Writer, c *learn.Choice) {
	if c != nil {
		fmt.Fprintf(w, "method       %s: %s\n", c.Method, c.Why)
	}
}

// reportFacts writes report/facts.txt and objects.jpg, and prints the summary of learning facts. It
// returns the error of learning, if there was one.
func reportFacts(cmd *cobra.Command, c *common, l learn.Learner, r *learn.Result, s learn.Summary,
	learned error,
) error {
	dir := reportDir(l.Out)
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	path, sheet := filepath.Join(dir, "facts.txt"), filepath.Join(dir, "contradictions.png")
	if err := report.Contradictions(sheet, r.Contradictions, r.Recording,
		r.Label); err != nil {
		return err
	}
	unexplained := filepath.Join(dir, "unexplained.png")
	if err := report.Unexplained(unexplained, r.Unexplained, r.Recording); err != nil {
		return err
	}
	if err := writeWith(path, func(w io.Writer) error { return writeFacts(w, r) }); err != nil {
		return err
	}
	objects := ""
	if r.Bundle != nil {
		picture, err := report.Objects(r.Bundle, nil)
		if err != nil {
			return err
		}
		if picture != nil {
			objects = filepath.Join(dir, "objects.jpg")
			if err := writeWith(objects, func(w io.Writer) error {
				_, err := w.Write(picture)
				return err
			}); err != nil {
				return err
			}
		}
	}
	return cmp.Or(c.print(cmd, s, func(w io.Writer) {
		printFacts(w, r, s, sheet, unexplained)
		fmt.Fprintf(w, "bundle       %s\nreport       %s\n", learn.BundleDir(l.Out), path)
		if objects != "" {
			fmt.Fprintf(w, "objects      %s\n", objects)
		}
	}), learned)
}

// printFacts prints how many facts there are, and what contradicts them.
func printFacts(w io.Writer, r *learn.Result, s learn.Summary, sheet, unexplained string) {
	t := s.Traces
	printChoice(w, s.Choice)
	fmt.Fprintf(w, "attempts     %d succeeded, %d refused; %d static intervals\n", s.Transitions,
		s.Refused, t.Intervals)
	fmt.Fprintf(w, "facts        %d, and %d derived predicates\n", t.Facts, t.Derived)
	fmt.Fprintf(w, "refusals     %d of %d are explained by preconditions\n", t.Refusals-t.Unexplained,
		t.Refusals)
	if t.Cut > 0 {
		fmt.Fprintf(w, "             the search ended early in %d stages: facts may be missing\n", t.Cut)
	}
	switch t.Reader {
	case "linear":
		fmt.Fprintln(w, "images       are read by weights of a thumbnail, without a network")
	case "network":
		fmt.Fprintln(w, "images       are read by a network, since weights of a thumbnail misread some")
	}
	if n := len(r.Contradictions); n > 0 {
		fmt.Fprintf(w, "images       tell of %d attempts what was not reported: %s\n", n, sheet)
	}
	for _, u := range r.Unexplained {
		fmt.Fprintf(w, "unexplained  %s\n", u.Words())
	}
	if len(r.Unexplained) > 0 {
		fmt.Fprintf(w, "             no plan uses these, or leads between images that differ there: %s\n",
			unexplained)
	}
	for _, r := range r.Refused {
		fmt.Fprintf(w, "not usable   %s: no plan uses it\n", r.Words())
	}
}

// writeFacts writes tables of the predicates and of the actions, with their evidence.
func writeFacts(out io.Writer, r *learn.Result) error {
	model, report := r.Traces.Model, r.Traces.Report
	names := func(actions []strips.ActionID) string {
		var all []string
		for _, a := range actions {
			all = append(all, r.Label(a))
		}
		return strings.Join(all, " ")
	}
	printChoice(out, r.Choice)
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	row := func(cells ...any) { wrappedRow(w, cells...) }
	fmt.Fprintln(w, "predicate\tkind\tadded by\tdeleted by\tadded\tdeleted\tevidence (nats)")
	for p, predicate := range model.Predicates {
		kind, seen := "fact", report.Predicates[p]
		if predicate.Members != nil {
			kind = "derived"
		}
		row(r.Model.Names[p], kind, names(predicate.Add), names(predicate.Del), seen.Adds, seen.Dels,
			fmt.Sprintf("%.1f", seen.Nats))
	}
	fmt.Fprintln(w, "\naction\tsucceeded\trefused\tunexplained\tpreconditions\tundecided")
	for _, a := range report.Actions {
		var preconditions []string
		for _, p := range a.Preconditions {
			preconditions = append(preconditions, literalText(r.Model, p.Literal))
		}
		row(r.Label(a.Action), a.Successes, len(a.Refusals), a.Unexplained(),
			strings.Join(preconditions, " "), len(a.Undecided))
	}
	if len(r.Unexplained) > 0 {
		fmt.Fprintln(w, "\nunexplained\twhere\tchanges\tsucceeded")
	}
	for _, u := range r.Unexplained {
		fmt.Fprintf(w, "%s\t%s\t%d\t%d\n", u.Name, u.Where.Words(), u.Changes, u.Successes)
	}
	if len(r.Contradictions) > 0 {
		fmt.Fprintln(w, "\nattempt\timages\twhat its images show")
	}
	for _, c := range r.Contradictions {
		fmt.Fprintf(w, "%d\t%d %d\t%s\n", c.Attempt, c.Images[0], c.Images[1], c.Words(r.Label))
	}
	return w.Flush()
}

// cellWidth is where the words of a cell go on in the next line, so that a table of two lists fits
// a terminal.
const cellWidth = 32

// wrappedRow writes a row of a table, and what does not fit its cells in further lines.
func wrappedRow(w io.Writer, cells ...any) {
	lines, height := make([][]string, len(cells)), 1
	for i, cell := range cells {
		line := ""
		for _, word := range strings.Fields(fmt.Sprint(cell)) {
			if line != "" && len(line)+1+len(word) > cellWidth {
				lines[i], line = append(lines[i], line), ""
			}
			line = strings.TrimSpace(line + " " + word)
		}
		lines[i] = append(lines[i], line)
		height = max(height, len(lines[i]))
	}
	for k := range height {
		row := make([]string, len(cells))
		for i := range cells {
			if k < len(lines[i]) {
				row[i] = lines[i][k]
			}
		}
		fmt.Fprintln(w, strings.Join(row, "\t"))
	}
}
