package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime/debug"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"
	"github.com/spf13/pflag"

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
	group(root, "Learning:", demoCommand(c), learnCommand(c), evalCommand(c), operatorsCommand(c))
	group(root, "Planning:", planCommand(c), exportCommand(c), renameCommand(c))
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

// typoDistance is how many letters may be wrong in a word for a suggestion.
const typoDistance = 2

// refuseMistyped makes every command that only holds verbs refuse a word that is
// none of them. Without this, cobra prints its help and ends with success.
func refuseMistyped(cmd *cobra.Command) {
	for _, verb := range cmd.Commands() {
		refuseMistyped(verb)
	}
	if !cmd.HasSubCommands() {
		return
	}
	cmd.SuggestionsMinimumDistance = typoDistance
	cmd.Args = func(cmd *cobra.Command, args []string) error {
		if len(args) > 0 {
			return unknownVerb(cmd, args[0])
		}
		return nil
	}
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		if !cmd.HasParent() {
			return cmd.Help()
		}
		return usagef("%s: which verb? %s", cmd.CommandPath(), strings.Join(verbsOf(cmd), ", "))
	}
}

// refuseMistypedHelp does the same for `help VERB`.
func refuseMistypedHelp(root *cobra.Command) {
	root.InitDefaultHelpCmd()
	help, _, _ := root.Find([]string{"help"})
	help.Args = func(_ *cobra.Command, args []string) error {
		if verb, rest, _ := root.Find(args); verb.HasSubCommands() && len(rest) > 0 {
			return unknownVerb(verb, rest[0])
		}
		return nil
	}
}

func unknownVerb(cmd *cobra.Command, word string) error {
	if near := cmd.SuggestionsFor(word); len(near) > 0 {
		return usagef("%s has no verb %q: did you mean %s?", cmd.CommandPath(), word,
			strings.Join(near, " or "))
	}
	return usagef("%s has no verb %q: choose %s", cmd.CommandPath(), word,
		strings.Join(verbsOf(cmd), ", "))
}

func verbsOf(cmd *cobra.Command) []string {
	var names []string
	for _, verb := range cmd.Commands() {
		if verb.IsAvailableCommand() {
			names = append(names, verb.Name())
		}
	}
	return names
}

// flagError says of a flag that is not there which one may have been meant. A
// mistyped verb before it comes first: its flags are not known.
func flagError(cmd *cobra.Command, err error) error {
	if words := cmd.Flags().Args(); cmd.HasSubCommands() && len(words) > 0 {
		return unknownVerb(cmd, words[0])
	}
	var unknown *pflag.NotExistError
	if !errors.As(err, &unknown) {
		return usageError{err}
	}
	// whose verbs are the flags, for its suggestions
	flags := &cobra.Command{SuggestionsMinimumDistance: typoDistance}
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		flags.AddCommand(&cobra.Command{Use: f.Name, Run: func(*cobra.Command, []string) {}})
	})
	if near := flags.SuggestionsFor(unknown.GetSpecifiedName()); len(near) > 0 &&
		unknown.GetSpecifiedShortnames() == "" {
		return usageError{fmt.Errorf("%w: did you mean --%s?", err, strings.Join(near, " or --"))}
	}
	return usageError{err}
}

// referenceCommand is the hidden verb that prints docs/command-line.md, or writes man pages.
func referenceCommand() *cobra.Command {
	man := ""
	cmd := &cobra.Command{
		Use:    "reference",
		Short:  "Print the help of all verbs as Markdown",
		Hidden: true,
		Args:   cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if man != "" {
				return writeManPages(man, cmd.Root())
			}
			return writeReference(cmd.OutOrStdout(), cmd.Root())
		},
	}
	cmd.Flags().StringVar(&man, "man", "", "folder to write man pages to, instead")
	return cmd
}

// writeManPages writes a page of section 1 for root and for every verb below it. SOURCE_DATE_EPOCH
// is their date.
func writeManPages(dir string, root *cobra.Command) error {
	for _, v := range documented(root) {
		helpText(v) // which makes the defaults those of every machine
	}
	root.DisableAutoGenTag = true
	header := &doc.GenManHeader{Section: "1", Source: "strips_wm"}
	if err := doc.GenManTree(root, header, dir); err != nil {
		return fmt.Errorf("write man pages to %s: %w", dir, err)
	}
	return nil
}

// writeReference writes the help of root and of every verb that help lists, as Markdown. The
// result is the same on every machine.
func writeReference(w io.Writer, root *cobra.Command) error {
	verbs := documented(root)
	out := bufio.NewWriter(w)
	fmt.Fprintf(out,
		"# Command line\n\nThis page has the `--help` text of every verb. `make docs` writes it.\n\n")
	for _, v := range verbs {
		title := v.CommandPath()
		fmt.Fprintf(out, "- [%s](#%s)\n", title, strings.ReplaceAll(title, " ", "-"))
	}
	for _, v := range verbs {
		fmt.Fprintf(out, "\n## %s\n\n```text\n%s\n```\n", v.CommandPath(), helpText(v))
	}
	return out.Flush()
}

// documented lists cmd and the verbs below it, in the order of --help, without those that cobra
// adds.
func documented(cmd *cobra.Command) []*cobra.Command {
	list := []*cobra.Command{cmd}
	for _, v := range cmd.Commands() {
		if v.IsAvailableCommand() && v.Name() != "completion" && v.Name() != "help" {
			list = append(list, documented(v)...)
		}
	}
	return list
}

// helpText is what --help prints, with defaults that depend on the machine in words.
func helpText(cmd *cobra.Command) string {
	cmd.InitDefaultHelpFlag()
	cmd.InitDefaultVersionFlag()
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if f.Name == "threads" && f.DefValue != "0" {
			f.DefValue = "one per processor, at most 8"
		}
	})
	about := cmd.Long
	if about == "" {
		about = cmd.Short
	}
	lines := strings.Split(about+"\n\n"+cmd.UsageString(), "\n")
	for i, line := range lines {
		lines[i] = strings.TrimRight(line, " ")
	}
	return strings.TrimSpace(strings.Join(lines, "\n"))
}
