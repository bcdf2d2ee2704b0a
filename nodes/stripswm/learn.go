package main

import (
	"context"
	"fmt"
	"runtime"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"stripswm/models/inference"
	"stripswm/models/operators"
	"stripswm/models/taskgraph"
	"stripswm/models/vision"
	"stripswm/nodes/learn"
	"stripswm/nodes/stripswm/internal/progress"
)

// learnFlags are what learn and demo share.
type learnFlags struct {
	preset  string
	dims    int
	threads int
	device  string
	budget  time.Duration
	steps   int
	resume  bool
}

func (f *learnFlags) add(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.preset, "preset", "small", "networks and training: small (BlocksWorld, minutes on two cores), medium (DinnerTable, half an hour) or paper (ConvNeXt-Tiny, wants a GPU)")
	cmd.Flags().IntVar(&f.dims, "dims", 0, "latent dimensions (default: the preset's)")
	cmd.Flags().IntVar(&f.threads, "threads", min(runtime.GOMAXPROCS(0), 8), "threads of ONNX Runtime in training")
	cmd.Flags().StringVar(&f.device, "provider", "cpu", "where to train: cpu or cuda (no falling back: it would take days)")
	cmd.Flags().DurationVar(&f.budget, "budget", operatorBudget, "time to improve the operators in once they explain the graph")
	cmd.Flags().IntVar(&f.steps, "steps", 0, "most steps of stage 1 (default: the preset's)")
	cmd.Flags().BoolVar(&f.resume, "resume", false, "continue an interrupted training")
}

// operatorBudget is the usual time to improve the operators in.
const operatorBudget = 10 * time.Second

// maxDims is the most latent dimensions worth a try: the paper needs 5 to 7.
const maxDims = 16

// learner makes the pipeline that the flags describe.
func (f *learnFlags) learner(bag, out string, seed uint64) (learn.Learner, error) {
	preset, err := vision.PresetByName(f.preset)
	if err != nil {
		return learn.Learner{}, usageError{err}
	}
	if f.dims < 0 || f.dims > maxDims {
		return learn.Learner{}, usagef("--dims %d: choose 1 to %d", f.dims, maxDims)
	}
	if f.dims > 0 {
		preset.FSQ.Dims = f.dims
	}
	device, err := inference.ParseProvider(f.device)
	if err != nil {
		return learn.Learner{}, usageError{err}
	}
	if f.steps < 0 {
		return learn.Learner{}, usagef("--steps %d: at least 1", f.steps)
	}
	if f.steps > 0 {
		preset.WorldModel.Steps = f.steps
	}
	return learn.Learner{
		Bag: bag, Out: out, Preset: preset, Seed: seed, Threads: f.threads, Provider: device, Resume: f.resume,
		MinSupport: taskgraph.RareShare, Operators: operators.Options{Budget: f.budget}, Version: version(),
	}, nil
}

func learnCommand(c *common) *cobra.Command {
	var bag, out, stage, domain, sweep string
	var seed uint64
	var actions int
	var f learnFlags
	cmd := &cobra.Command{
		Use:   "learn --bag BAG --out DIR",
		Short: "Learn task graph, operators and classifier from a recording",
		Long: `learn runs the method's three stages on a recording and writes DIR/bundle (what
the planner loads) and DIR/report (pictures and curves; open report.html).

^C keeps the best checkpoint; --resume goes on from it. --stage runs one stage
alone and takes the parts before it from DIR/bundle.`,
		Example: `  stripswm learn --bag runs/bag --out runs/blocks
  stripswm learn --bag runs/bag --out runs/blocks --resume
  stripswm learn --bag runs/bag --out runs/blocks --stage operators --budget 60s
  stripswm learn --bag runs/bag --out runs/blocks --sweep 5,6,7`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if bag == "" || out == "" {
				return usagef("--bag and --out are needed")
			}
			l, err := f.learner(bag, out, seed)
			if err != nil {
				return err
			}
			if l.Stage, err = learn.ParseStage(stage); err != nil {
				return usageError{err}
			}
			if l.Sweep, err = parseSweep(sweep, l.Preset.FSQ.Levels); err != nil {
				return usageError{err}
			}
			l.Domain, l.Actions = domain, actions
			return learnAndReport(cmd, c, l)
		},
	}
	cmd.Flags().StringVarP(&bag, "bag", "b", "", "recording to learn from")
	cmd.Flags().StringVarP(&out, "out", "o", "", "folder for bundle and report")
	cmd.Flags().StringVar(&stage, "stage", "all", "stage to run: all, graph, operators or classifier")
	cmd.Flags().StringVar(&domain, "domain", "", "name of the task, kept in the bundle")
	cmd.Flags().StringVar(&sweep, "sweep", "", "latent dimensions to try, such as 5,6,7 (the paper's); the best is kept")
	cmd.Flags().Uint64Var(&seed, "seed", 1, "seed of training")
	cmd.Flags().IntVar(&actions, "actions", 0, "number of actions L (default: the highest id in the recording)")
	f.add(cmd)
	return cmd
}

func parseSweep(text string, levels int) ([]vision.FSQ, error) {
	if text == "" {
		return nil, nil
	}
	var spaces []vision.FSQ
	for _, field := range strings.Split(text, ",") {
		var dims int
		if _, err := fmt.Sscanf(field, "%d", &dims); err != nil || dims < 1 || dims > maxDims {
			return nil, fmt.Errorf("--sweep %q: %q is not a number of dimensions from 1 to %d", text, field, maxDims)
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
	summary := summarize(l, result)
	if reportErr := writeReport(context.WithoutCancel(cmd.Context()), l, result, reportExtras{summary: summary}); err == nil {
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

// summary is what learn prints, and the first part of demo.json.
type summary struct {
	Domain         string `json:"domain"`
	Preset         string `json:"preset"`
	Seed           uint64 `json:"seed"`
	Actions        int    `json:"actions"`
	Transitions    int    `json:"transitions"`
	Mislabelled    int    `json:"mislabelled,omitempty"` // known of a demo's recording
	Refused        int    `json:"refused"`
	TrueStates     int    `json:"true_states,omitempty"`
	States         int    `json:"states"`
	DistinctCodes  int    `json:"distinct_codes"`
	Predicates     int    `json:"predicates"`
	Xi             int    `json:"xi"`
	Eta            int    `json:"eta"`
	Nondeterminism int    `json:"latent_nondeterminism"`
	learn.Repairs
	EncoderExport    float64            `json:"encoder_export_difference"`
	ClassifierExport float64            `json:"classifier_export_difference"`
	Operators        *operators.Report  `json:"operators,omitempty"`
	Chosen           *vision.Evaluation `json:"chosen,omitempty"`  // the checkpoint of stage 1
	Seconds          map[string]float64 `json:"seconds"`           // by stage
	PeakMB           map[string]float64 `json:"peak_mb,omitempty"` // by stage: most resident memory, 1e6 bytes
}

// add puts in what a stage took.
func (s *summary) add(stage string, c learn.Cost) {
	s.Seconds[stage] = c.Seconds
	if c.PeakMemory > 0 {
		s.PeakMB[stage] = float64(c.PeakMemory) / 1e6
	}
}

func summarize(l learn.Learner, r *learn.Result) summary {
	s := summary{Domain: l.Domain, Preset: l.Preset.Name, Seed: l.Seed, Seconds: map[string]float64{}, PeakMB: map[string]float64{},
		EncoderExport: r.EncoderDifference, ClassifierExport: r.ClassifierDifference}
	for stage, cost := range r.Costs {
		s.add(stage, cost)
	}
	if r.World != nil {
		s.Chosen = &r.World.Chosen
	}
	if r.Recording != nil {
		s.Transitions, s.Refused = len(r.Recording.Data.Transitions), len(r.Recording.Data.Refused)
	}
	if r.Graph != nil {
		s.States, s.Actions = r.Graph.NumStates(), r.Graph.NumActions()
		s.Nondeterminism = len(r.Graph.Nondeterministic())
	}
	if r.Repaired != nil {
		s.Repairs = r.Repaired.Repairs()
	}
	if r.Operators != nil {
		codes, _ := r.Operators.Model.Nodes()
		s.DistinctCodes, s.Predicates = len(codes), r.Operators.Model.Predicates
		s.Xi, s.Eta = len(r.Operators.Model.Slack), len(r.Operators.Model.Exceptions)
		s.Operators = &r.Operators.Report
	}
	return s
}

func printSummary(cmd *cobra.Command, out string, s summary) {
	w := cmd.OutOrStdout()
	fmt.Fprintf(w, "task graph   %d states, %d actions, %d transitions; %d nondeterministic pairs; %d codes split, %d nodes and %d edges dropped as misread, %d nodes merged\n",
		s.States, s.Actions, s.Transitions, s.Nondeterminism, s.SplitCodes, s.DroppedNodes, s.DroppedEdges, s.MergedNodes)
	fmt.Fprintf(w, "operators    %d predicates, %d distinct codes, sum xi %d, sum eta %d\n", s.Predicates, s.DistinctCodes, s.Xi, s.Eta)
	fmt.Fprintf(w, "export       largest difference from training: encoder %.1e, classifier %.1e\n", s.EncoderExport, s.ClassifierExport)
	fmt.Fprintf(w, "bundle       %s\nreport       %s\n", learn.BundleDir(out), reportDir(out)+"/report.html")
}
