package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"stripswm/nodes/learn"
)

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
