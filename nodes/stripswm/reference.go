package main

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"
	"github.com/spf13/pflag"
)

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
