package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"stripswm/models/operators"
	"stripswm/models/strips"
)

func operatorsExplainCommand() *cobra.Command {
	var in operatorsInput
	var state int
	var action string
	cmd := &cobra.Command{
		Use:   "explain --graph G.dfa --model model.json --state S --action A",
		Short: "Say which predicate rules an action out in a node, or what proves that none can",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			o, err := in.open()
			if err != nil {
				return err
			}
			g := o.graph
			a, err := readAction(g, action)
			if err != nil {
				return err
			}
			x, err := operators.Explain(g, o.model, strips.StateID(state), a)
			if err != nil {
				return usageError{err}
			}
			if wantsJSON(cmd) {
				return printJSON(cmd, x)
			}
			w := cmd.OutOrStdout()
			fmt.Fprintf(w, "%s in node %d: %s\n", g.Label(a), state, x.Verdict)
			if x.Refused > 0 {
				fmt.Fprintf(w, "  tried and refused %dx\n", x.Refused)
			}
			for _, t := range x.Targets {
				fmt.Fprintf(w, "  seen to lead to node %d\n", t)
			}
			for _, p := range x.Required {
				fmt.Fprintf(w, "  predicate %d is required and false\n", p)
			}
			for _, p := range x.Forbidden {
				fmt.Fprintf(w, "  predicate %d is forbidden and true\n", p)
			}
			if x.Inseparable {
				fmt.Fprintln(w, "  no predicate can rule it out, because of these edges together:")
				for _, e := range x.Core {
					fmt.Fprintf(w, "    %s\n", edgeText(g, e))
				}
			}
			return nil
		},
	}
	in.flags(cmd, true, false)
	cmd.Flags().IntVar(&state, "state", 0, "task-graph node")
	atLeast(cmd.Flags(), "state", &state, 0)
	cmd.Flags().StringVar(&action, "action", "", "action label or number")
	return cmd
}

func operatorsFrontierCommand() *cobra.Command {
	var in operatorsInput
	var most int
	cmd := &cobra.Command{
		Use:   "frontier --graph G.dfa --model model.json",
		Short: "List the trials that would lower eta most: what the robot should try next",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			o, err := in.open()
			if err != nil {
				return err
			}
			trials, err := operators.Frontier(cmd.Context(), o.graph, o.trust, o.model)
			if err != nil {
				return err
			}
			trials = trials[:min(len(trials), most)]
			if wantsJSON(cmd) {
				return printJSON(cmd, trials)
			}
			for _, t := range trials {
				fmt.Fprintf(cmd.OutOrStdout(), "try %s in node %d: if it leads to %v, eta falls by %d\n", o.graph.Label(t.Action), t.State, t.Predicted, t.Gain)
			}
			return nil
		},
	}
	in.flags(cmd, true, true)
	cmd.Flags().IntVar(&most, "most", 20, "trials to list")
	atLeast(cmd.Flags(), "most", &most, 0)
	return cmd
}

func operatorsSuspectsCommand() *cobra.Command {
	var in operatorsInput
	var most int
	var bundleDir, bag, pictures string
	cmd := &cobra.Command{
		Use:   "suspects --graph G.dfa",
		Short: "Rank the edges that may be wrong by what dropping each would free",
		Long: `suspects ranks edges by how many missing pairs and nodes dropping each would
free. With --bundle, --bag and --pictures it also writes, for each edge, a sheet
of the recorded pictures behind it: look whether they show what the edge says.`,
		Example: `  stripswm operators suspects --graph runs/blocks/bundle/graph.json
  stripswm operators suspects --graph runs/blocks/bundle/graph.json --bundle runs/blocks/bundle --bag runs/bag --pictures runs/suspects`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if pictures != "" && (bundleDir == "" || bag == "") {
				return usagef("--pictures needs --bundle and --bag")
			}
			o, err := in.open()
			if err != nil {
				return err
			}
			if pictures != "" {
				if err := tryFolder("--pictures", pictures); err != nil {
					return err
				}
			}
			groups, err := operators.Forced(cmd.Context(), o.graph)
			if err != nil {
				return err
			}
			suspects, err := operators.Suspects(cmd.Context(), o.graph, o.trust)
			if err != nil {
				return err
			}
			suspects = suspects[:min(len(suspects), most)]
			var files []string
			if pictures != "" {
				if files, err = suspectPictures(cmd.Context(), bundleDir, bag, pictures, suspects); err != nil {
					return err
				}
			}
			if wantsJSON(cmd) {
				return printJSON(cmd, struct {
					Forced   [][]strips.StateID  `json:"forced"`
					Suspects []operators.Suspect `json:"suspects"`
					Pictures []string            `json:"pictures,omitempty"`
				}{groups, suspects, files})
			}
			w := cmd.OutOrStdout()
			for _, group := range groups {
				fmt.Fprintf(w, "nodes %v are forced together\n", group)
			}
			for _, s := range suspects {
				fmt.Fprintf(w, "%s: in %d proofs; without it %d missing pairs and %d nodes are free\n", edgeText(o.graph, s.Edge), s.Cores, s.Atoms, s.Merges)
			}
			return nil
		},
	}
	in.flags(cmd, false, true)
	cmd.Flags().IntVar(&most, "most", 20, "edges to list")
	atLeast(cmd.Flags(), "most", &most, 0)
	cmd.Flags().StringVar(&bundleDir, "bundle", "", "bundle that the graph is from")
	cmd.Flags().StringVarP(&bag, "bag", "b", "", "recording that the bundle was learned from")
	cmd.Flags().StringVar(&pictures, "pictures", "", "folder for the pictures behind each edge")
	return cmd
}
