package middleware

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"stripswm/nodes/ros"
)

// Main is the main function of a node's program: it makes the node that the command line asks for
// (--ros-args), runs it until ^C or SIGTERM, and ends the process. If run or the clean-up failed,
// it prints why on stderr, and the exit code is 1 or that of an ExitError. A second ^C ends the
// process at once.
func Main(name string, run func(ctx context.Context, n *ros.Node) error) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop)
	if err := runNode(ctx, name, os.Args[1:], run); err != nil {
		fmt.Fprintf(os.Stderr, "%s: %v\n", name, err)
		code := 1
		if e := (ExitError{}); errors.As(err, &e) {
			code = e.Code
		}
		os.Exit(code)
	}
}

// An ExitError is a failure with an exit code of its own.
type ExitError struct {
	Code int
	Err  error
}

func (e ExitError) Error() string { return e.Err.Error() }

func (e ExitError) Unwrap() error { return e.Err }

func runNode(ctx context.Context, name string, arguments []string,
	run func(context.Context, *ros.Node) error,
) (err error) {
	args, err := ros.ParseArgs(arguments)
	if err != nil {
		return err
	}
	if len(args.Rest) > 0 {
		return fmt.Errorf("unknown argument %q; parameters follow --ros-args -p NAME:=VALUE",
			args.Rest[0])
	}
	transport, err := Open(args.Enclave, func(warning string) {
		fmt.Fprintf(os.Stderr, "%s: %s\n", name, warning)
	})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, transport.Close()) }()
	n, err := ros.NewNode(transport, name, args, ros.Options{})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, n.Close()) }()
	return run(ctx, n)
}
