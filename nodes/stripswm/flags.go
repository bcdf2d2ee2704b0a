package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"stripswm/internal/files"
	"stripswm/models/bundle"
	"stripswm/models/operators"
	"stripswm/models/pixels"
	"stripswm/models/vision"
	"stripswm/nodes/sim"
)

// checked is a flag that refuses a value when the command line is read, before any work.
type checked struct {
	pflag.Value
	fits func(text string) bool // asked when the value is set
	want string
}

func (c checked) Set(text string) error {
	if err := c.Value.Set(text); err != nil {
		return err
	}
	if !c.fits(text) {
		return errors.New("want " + c.want)
	}
	return nil
}

type number interface{ ~int | ~int64 | ~float64 }

// atLeast declares a numeric flag with a lower bound. A name such as "jobs,j" has a short form.
func atLeast[T number](f *pflag.FlagSet, at *T, name string, value, low T, usage string) {
	declare(f, at, name, value, usage, func(v T) bool { return v >= low },
		fmt.Sprintf("at least %v", low))
}

// within declares one with two bounds; it refuses NaN too.
func within[T number](f *pflag.FlagSet, at *T, name string, value, low, high T, usage string) {
	declare(f, at, name, value, usage, func(v T) bool { return v >= low && v <= high },
		fmt.Sprintf("%v to %v", low, high))
}

func declare[T number](f *pflag.FlagSet, at *T, name string, value T, usage string,
	fits func(T) bool, want string,
) {
	name, short, _ := strings.Cut(name, ",")
	plain := pflag.NewFlagSet("", pflag.ContinueOnError)
	switch at := any(at).(type) {
	case *int:
		plain.IntVarP(at, name, short, int(value), usage)
	case *int64:
		plain.Int64VarP(at, name, short, int64(value), usage)
	case *float64:
		plain.Float64VarP(at, name, short, float64(value), usage)
	case *time.Duration:
		plain.DurationVarP(at, name, short, time.Duration(value), usage)
	}
	flag := plain.Lookup(name)
	flag.Value = checked{flag.Value, func(string) bool { return fits(*at) }, want}
	if flag.DefValue == "0s" {
		flag.DefValue = "0" // what --help takes for no default, of a type that it does not know
	}
	f.AddFlag(flag)
}

// require makes text flags required. They must not be empty, as an unset variable of a shell is.
func require(cmd *cobra.Command, names ...string) {
	for _, name := range names {
		flag := cmd.Flags().Lookup(name)
		flag.Value = checked{flag.Value, func(text string) bool { return text != "" }, "a value"}
		if err := cmd.MarkFlagRequired(name); err != nil {
			panic(err) // the flag is not declared: a fault of the verb
		}
	}
}

// outside refuses an output that is one of the folders that are read, or lies in one: a bundle or a
// recording is as it was made. The folder of a file that is read is one, if it is a bundle.
func outside(flag, out string, inputs ...string) error {
	at, err := filepath.Abs(out)
	if err != nil {
		return err
	}
	for {
		if real, err := filepath.EvalSymlinks(at); err == nil {
			at = real
			break
		}
		at = filepath.Dir(at) // not made yet
	}
	for {
		here, err := os.Stat(at)
		if err != nil {
			return err
		}
		for _, input := range inputs {
			info, err := os.Stat(input)
			if err == nil && !info.IsDir() {
				input = filepath.Dir(input)
				if _, err = os.Stat(filepath.Join(input, bundle.ManifestName)); err == nil {
					info, err = os.Stat(input)
				}
			}
			if err == nil && os.SameFile(here, info) {
				return usagef("%s %s lies in %s, which is read: choose another folder", flag, out, input)
			}
		}
		if filepath.Dir(at) == at {
			return nil
		}
		at = filepath.Dir(at)
	}
}

// newFolder refuses a folder of a flag that lies in what is read (outside), and tries another
// (tryFolder).
func newFolder(flag, path string, read []string, replaced ...string) error {
	if err := outside(flag, path, read...); err != nil {
		return err
	}
	return tryFolder(flag, path, replaced...)
}

// tryFolder makes the folder of a flag and tries whether files can be made in
// it, before hours of work. What will be replaced in it must be
// this program's own.
func tryFolder(flag, path string, replaced ...string) error {
	for _, name := range replaced {
		if err := files.Replaceable(filepath.Join(path, name)); err != nil {
			return fmt.Errorf("%s: %w", flag, err)
		}
	}
	err := os.MkdirAll(path, 0o777)
	if err == nil {
		var f *os.File
		if f, err = os.CreateTemp(path, ".writable-"); err == nil {
			err = errors.Join(f.Close(), os.Remove(f.Name()))
		}
	}
	if err != nil {
		return fmt.Errorf("%s: cannot write to %s: %w", flag, path, err)
	}
	return nil
}

// oneOf bounds a text flag that is declared already.
func oneOf(cmd *cobra.Command, name string, values []string) {
	flag := cmd.Flags().Lookup(name)
	flag.Value = checked{flag.Value, func(text string) bool { return slices.Contains(values, text) },
		strings.Join(values, " or ")}
	completeNames(cmd, name, values)
}

// completeNames offers the names that a flag can take to the shell's completion.
func completeNames(cmd *cobra.Command, flag string, names []string) {
	if err := cmd.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(names,
		cobra.ShellCompDirectiveNoFileComp)); err != nil {
		panic(err) // the flag is not declared, or twice: a fault of the verb
	}
}

// worldFlags name a simulated world, and say how much of it is explored.
type worldFlags struct{ name, skills, states string }

func (f *worldFlags) add(cmd *cobra.Command, flag, value, usage string) {
	cmd.Flags().StringVar(&f.name, flag, value, usage+": "+strings.Join(sim.Tables(), ", "))
	cmd.Flags().StringVar(&f.skills, "skills", "",
		"fixed: a skill always does the same; state-dependent: its effect depends on the state, "+
			"such as pick whatever is there (default: by the name of the world)")
	completeWorlds(cmd, flag)
	completeNames(cmd, "skills", sim.Skills())
}

// allStates is the value of --states with which a whole world is explored.
const allStates = "all"

// exploredStates is the other value of --states.
const exploredStates = "explored"

// addStates adds the flag that says how much of the world is explored. Verbs that use a bundle give
// no value: it is the bundle's (recorded).
func (f *worldFlags) addStates(cmd *cobra.Command, value string) {
	usage := "explored: the robot stays among as many states as the paper's data set has; all: it " +
		"goes wherever its skills lead"
	if value == "" {
		usage += " (default: as in the recording of the bundle)"
	}
	cmd.Flags().StringVar(&f.states, "states", value, usage)
	oneOf(cmd, "states", []string{exploredStates, allStates})
}

// recorded takes the states from the recording of a bundle, and refuses others.
func (f *worldFlags) recorded(b *bundle.Bundle) error {
	was := b.Manifest.Simulation
	if was == nil {
		return nil
	}
	states := exploredStates
	if was.Whole {
		states = allStates
	}
	if f.states != "" && f.states != states {
		return usagef("--states %s: bundle %s is of a recording with --states %s; omit the flag, or "+
			"learn from a recording with --states %s", f.states, b.Dir, states, f.states)
	}
	f.states = states
	return nil
}

// world is the one that the flags name.
func (f *worldFlags) world() (*sim.World, error) {
	w, err := sim.NewSkilled(f.name, f.skills)
	if err != nil {
		return nil, usageError{err}
	}
	if f.states == allStates {
		w = sim.Whole(w)
	}
	return w, nil
}

func completeWorlds(cmd *cobra.Command, flag string) { completeNames(cmd, flag, sim.Names()) }

func completePresets(cmd *cobra.Command) {
	var names []string
	for _, p := range vision.Presets() {
		names = append(names, p.Name)
	}
	completeNames(cmd, "preset", names)
}

// effortFlags say how hard operators are improved once they explain the graph.
func effortFlags(f *pflag.FlagSet, o *operators.Options) {
	atLeast(f, &o.Work, "work", 0, 0,
		fmt.Sprintf("millions of solver steps to improve the operators in: the same "+
			"result on any machine (default %d, or by --budget)", operators.DefaultWork))
	atLeast(f, &o.Budget, "budget", 0, 0,
		"time to improve the operators in (default 1m; none with --work)")
}

// cutShort says that a better model may exist.
const cutShort = "improving the operators ended early: more --work or --budget may give a better " +
	"model"

// cameraFlags describe a camera.
type cameraFlags struct {
	region string
	bits   int
}

func (f *cameraFlags) add(cmd *cobra.Command, otherwise string) {
	cmd.Flags().StringVar(&f.region, "region", "",
		"part of the images to use: x,y,width,height as fractions, such as "+
			"0.25,0.1,0.5,0.8 (default: "+otherwise+")")
	cmd.Flags().IntVar(&f.bits, "bits", 0, "bits used of a 16-bit sample, such as 12 (default: "+
		otherwise+")")
}

func (f *cameraFlags) camera() (pixels.Camera, error) {
	region, err := pixels.ParseRegion(f.region)
	if err != nil {
		return pixels.Camera{}, usagef("--region: %w", err)
	}
	c, err := pixels.CameraOf(region.Slice(), f.bits)
	if err != nil {
		return c, usagef("--bits: %w", err)
	}
	return c, nil
}
