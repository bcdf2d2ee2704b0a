package main

import (
	"context"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"

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

// run executes a command line and returns the exit code.
func run(ctx context.Context, args []string) int {
	root := rootCommand()
	root.SetArgs(args)
	err := root.ExecuteContext(ctx)
	return exitCode(ctx, root.ErrOrStderr(), err)
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
transitions, and plans from an image of now to an image of the goal.

` + exitCodesHelp,
		Example: `  stripswm demo                                  # the whole pipeline on a simulated world
  stripswm record --world blocksworld --out runs/bag
  stripswm check runs/bag
  stripswm learn --bag runs/bag --out runs/blocks
  stripswm plan --bundle runs/blocks/bundle --start now.png --goal wanted.png
  stripswm eval --bundle runs/blocks/bundle --domain blocksworld
  stripswm baseline learn --method lsr --bag runs/bag --out runs/lsr    # and eval --baseline runs/lsr
  stripswm export --bundle runs/blocks/bundle --out runs/pddl
  stripswm sweep init --out runs/sweep --seeds 1,2,3 --dims 5,6,7
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
	flags := root.PersistentFlags()
	flags.BoolVarP(&c.quiet, "quiet", "q", false, "no progress on stderr")
	flags.BoolVar(&c.json, "json", false, "results as JSON on stdout, no progress")
	flags.StringVar(&c.library, "onnxruntime", "", "ONNX Runtime library to use (default: where make setup put it)")
	root.AddCommand(recordCommand(c), exploreCommand(c), importCommand(c), checkCommand(c), learnCommand(c), planCommand(c), evalCommand(c), compareCommand(c), baselineCommand(c), exportCommand(c), demoCommand(c), operatorsCommand(), sweepCommand(c), upCommand(c), gazeboCommand(c), cameraCommand(c), referenceCommand())
	root.InitDefaultCompletionCmd()
	refuseMistyped(root)
	refuseMistypedHelp(root)
	return root
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
