package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"runtime/debug"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"stripswm/models/inference"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	// A second ^C ends the program at once.
	context.AfterFunc(ctx, stop)
	os.Exit(run(ctx, os.Args[1:]))
}

// endWithin is how long a verb may take to end after ^C: with what the system needs, 2 seconds.
const endWithin = 1500 * time.Millisecond

// orderly are the verbs that always end by themselves, since they would leave something behind: a
// robot or processes that run, or a recording that is not whole.
var orderly = []string{"up", "camera", "record", "explore", "import", "check", "gazebo", "plan"}

// run executes a command line and returns the exit code. What a verb has finished is in files that
// are whole at any time. So one that goes on to compute after ^C, perhaps in a library that knows
// of no interruption, is left.
func run(ctx context.Context, args []string) int {
	root := rootCommand()
	root.SetArgs(args)
	verb, _, findErr := root.Find(args)
	done := make(chan error, 1)
	go func() { done <- root.ExecuteContext(ctx) }()
	var err error
	select {
	case err = <-done:
	case <-ctx.Done():
		var late <-chan time.Time
		if findErr == nil && !slices.Contains(orderly, first(verb).Name()) {
			late = time.After(endWithin)
		}
		select {
		case err = <-done:
		case <-late:
			err = outcome{exitInterrupted, "interrupted; what was finished is kept"}
		}
	}
	code := exitCode(ctx, root.ErrOrStderr(), err)
	if code == exitInterrupted && findErr == nil && verb.Flags().Lookup("resume") != nil {
		fmt.Fprintln(root.ErrOrStderr(), "to go on, run the same command with --resume")
	}
	return code
}

// first is the verb that another one is below, or itself.
func first(verb *cobra.Command) *cobra.Command {
	for verb.HasParent() && verb.Parent().HasParent() {
		verb = verb.Parent()
	}
	return verb
}

// common are the flags of every verb.
type common struct {
	quiet   bool
	json    bool
	library string
}

func rootCommand() *cobra.Command {
	c := &common{}
	root := &cobra.Command{
		Use:   "stripswm",
		Short: "Learn a STRIPS world model from camera images and action ids, and plan with it",
		Long: `stripswm learns a STRIPS world model from recordings of (image, action, image)
transitions, and plans from a start image to a goal image.

` + exitCodesHelp,
		Example: `  stripswm demo                                  # the whole pipeline on a simulated world
  stripswm record --world blocksworld --out runs/bag
  stripswm check runs/bag
  stripswm learn --bag runs/bag --out runs/blocks
  stripswm plan --bundle runs/blocks/bundle --start now.png --goal wanted.png
  stripswm eval --bundle runs/blocks/bundle --world blocksworld
  stripswm export --bundle runs/blocks/bundle --out runs/pddl
  stripswm up sim --bundle runs/blocks/bundle    # a simulated rig and the planner, as ROS 2 nodes`,
		Version:       version(),
		SilenceErrors: true,
		SilenceUsage:  true,
		PersistentPreRunE: func(cmd *cobra.Command, _ []string) error {
			if c.library == "" {
				return nil
			}
			_, err := inference.Load(c.library)
			return err
		},
	}
	root.SetFlagErrorFunc(flagError)
	root.SetUsageTemplate(strings.ReplaceAll(root.UsageTemplate(),
		".FlagUsages", ".FlagUsagesWrapped 100"))
	flags := root.PersistentFlags()
	flags.BoolVarP(&c.quiet, "quiet", "q", false, "no progress on stderr")
	flags.BoolVar(&c.json, "json", false, "results as JSON on stdout, no progress")
	flags.StringVar(&c.library, "onnxruntime", "",
		"ONNX Runtime library to use (default: where make setup put it)")
	group(root, "Robot and recordings:", upCommand(c), cameraCommand(c), recordCommand(c),
		exploreCommand(c), importCommand(c), checkCommand(c), gazeboCommand(c))
	group(root, "Learning:", demoCommand(c), learnCommand(c), evalCommand(c), operatorsCommand())
	group(root, "Planning:", planCommand(c), exportCommand(c))
	group(root, "Research:", researchCommand(c))
	root.AddCommand(referenceCommand())
	root.InitDefaultCompletionCmd()
	refuseMistyped(root)
	refuseMistypedHelp(root)
	return root
}

// group adds verbs below a title of their own in --help.
func group(parent *cobra.Command, title string, verbs ...*cobra.Command) {
	parent.AddGroup(&cobra.Group{ID: title, Title: title})
	for _, verb := range verbs {
		verb.GroupID = title
	}
	parent.AddCommand(verbs...)
}

// commit is set by make build: that of the sources, with -dirty if they were changed.
var commit string

// version is the module's version, or the commit it was built from.
func version() string {
	if commit != "" {
		return commit
	}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	if v := info.Main.Version; v != "" && v != "(devel)" {
		return v
	}
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" {
			return s.Value
		}
	}
	return "development"
}
