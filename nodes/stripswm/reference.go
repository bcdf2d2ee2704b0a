package main

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// referenceCommand is the hidden verb that prints docs/command-line.md.
func referenceCommand() *cobra.Command {
	return &cobra.Command{
		Use:    "reference",
		Short:  "Print the help of all verbs as Markdown",
		Hidden: true,
		Args:   cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return writeReference(cmd.OutOrStdout(), cmd.Root())
		},
	}
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
