package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// typoDistance is how many letters may be wrong in a word that is classified as a
// mistyped one.
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
