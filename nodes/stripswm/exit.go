package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strings"
	"syscall"

	"stripswm/bags"
	"stripswm/internal/files"
	"stripswm/models/bundle"
	"stripswm/models/dataset"
	"stripswm/models/imageplan"
	"stripswm/models/inference"
	"stripswm/models/pixels"
	"stripswm/models/vision"
	"stripswm/nodes/eval"
	"stripswm/nodes/eval/experiment"
)

// Exit codes. Scripts may rely on them.
const (
	exitOK         = 0
	exitFailure    = 1  // anything that has no code of its own; check: the recording is unusable
	exitUsage      = 2  // the command line is wrong
	exitRepaired   = 3  // check: faults were found that --repair mends, or mended
	exitInput      = 4  // a recording, image, bundle or graph cannot be used
	exitRuntime    = 5  // ONNX Runtime is missing or of another version
	exitDiskFull   = 6  // no room left; what was recorded before is whole
	exitUnsolvable = 11 // plan: proven that no plan exists
	exitLimit      = 12 // plan: a limit was reached first
	// plan: an image shows no state that the model knows, or start and goal cannot be distinguished
	exitUnrecognized = 13
	exitUntried      = 14  // plan: found, with steps that nobody tried
	exitInterrupted  = 130 // ^C or SIGTERM; what was done is kept

	exitBusy = experiment.ExitBusy // 7; research run: another worker runs the job
)

const exitCodesHelp = `Exit codes: 0 success; 1 failure (check: unusable recording); 2 wrong command line;
3 check: repairable or repaired recording; 4 unusable recording, image, bundle or graph;
5 ONNX Runtime missing or wrong; 6 disk full; 7 research run: another worker runs the
job; 11 plan: proven unsolvable; 12 plan: limit reached; 13 plan: image not
recognized, or start and goal not distinguished; 14 plan: found, with untried steps;
130 interrupted, results so far are kept.`

// usageError is a command line that cannot be understood.
type usageError struct{ error }

func (e usageError) Unwrap() error { return e.error }

func usagef(format string, args ...any) error { return usageError{fmt.Errorf(format, args...)} }

// outcome is an end that is no failure of the program but has a code of its own.
type outcome struct {
	code int
	text string // for stderr; may be empty
}

func (o outcome) Error() string { return o.text }

// exitCode reports an error to the user and returns the exit code for it.
func exitCode(ctx context.Context, stderr io.Writer, err error) int {
	if err == nil {
		return exitOK
	}
	var o outcome
	if errors.As(err, &o) {
		if o.text != "" {
			fmt.Fprintf(stderr, "stripswm: %s\n", o.text)
		}
		return o.code
	}
	fmt.Fprintf(stderr, "stripswm: %v\n", err)
	code := classify(err)
	if code == exitFailure && ctx.Err() != nil {
		return exitInterrupted
	}
	if code == exitUsage {
		fmt.Fprintln(stderr, "run `stripswm --help`, or a verb with --help, for usage")
	}
	return code
}

func classify(err error) int {
	var usage usageError
	var mismatch *bundle.Mismatch
	switch {
	case errors.As(err, &usage), isCobraUsage(err):
		return exitUsage
	case errors.Is(err, context.Canceled):
		return exitInterrupted
	case errors.Is(err, inference.ErrNoLibrary):
		return exitRuntime
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
		return exitDiskFull
	case errors.Is(err, experiment.ErrBusy):
		return exitBusy
	case errors.Is(err, imageplan.ErrUnrecognized):
		return exitUnrecognized
	case errors.As(err, &mismatch), slices.ContainsFunc([]error{
		bundle.ErrNoBundle, bundle.ErrManifest, bundle.ErrNoPart,
		inference.ErrNetwork, inference.ErrOutput, pixels.ErrImage, dataset.ErrData, vision.ErrCheckpoint,
		bags.ErrNoBag, bags.ErrTruncated, bags.ErrDamaged, bags.ErrMetadata, bags.ErrImage,
		bags.ErrTransition, bags.ErrReference, bags.ErrUnsupported, experiment.ErrExperiment,
		eval.ErrOther, files.ErrIrregular, files.ErrTooLarge, fs.ErrNotExist, errInput,
	}, func(target error) bool { return errors.Is(err, target) }):
		return exitInput
	}
	return exitFailure
}

// errInput marks input that was read but cannot be used.
var errInput = errors.New("unusable input")

// isCobraUsage recognises the errors that cobra makes of wrong command lines,
// which have no type of their own.
func isCobraUsage(err error) bool {
	return slices.ContainsFunc([]string{"unknown command", "unknown flag", "unknown shorthand",
		"required flag", "accepts ", "requires at least", "invalid argument",
		"if any flags in the group", "at least one of the flags",
	}, func(prefix string) bool { return strings.HasPrefix(err.Error(), prefix) })
}
