package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"stripswm/models/operators"
	"stripswm/models/strips"
	"stripswm/nodes/eval/builder"
)

func operatorsSuspectsCommand() *cobra.Command {
	var in operatorsInput
	var limit int
	var bundleDir, bag, out string
	cmd := &cobra.Command{
		Use:   "suspects --graph G.dfa",
		Short: "Rank the edges that may be wrong",
		Long: `suspects ranks edges by the number of missing pairs and nodes that dropping the edge
frees. With --bundle, --bag and --out it draws the recorded images behind each edge, so
that a person can check them.`,
		Example: `  stripswm operators suspects --graph runs/blocks/bundle/graph.json
  stripswm operators suspects --graph runs/blocks/bundle/graph.json --bundle runs/blocks/bundle --bag runs/bag --out runs/suspects`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if out != "" && (bundleDir == "" || bag == "") {
				return usagef("--out needs --bundle and --bag")
			}
			o, err := in.open()
			if err != nil {
				return err
			}
			if out != "" {
				if err := outside("--out", out, bundleDir, bag); err != nil {
					return err
				}
				if err := tryFolder("--out", out); err != nil {
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
			suspects = suspects[:min(len(suspects), limit)]
			var files []string
			if out != "" {
				if files, err = builder.SuspectImages(cmd.Context(), bundleDir, bag, out,
					suspects); err != nil {
					return err
				}
			}
			if wantsJSON(cmd) {
				return printJSON(cmd, struct {
					Forced   [][]strips.StateID  `json:"forced"`
					Suspects []operators.Suspect `json:"suspects"`
					Images   []string            `json:"images,omitempty"`
				}{groups, suspects, files})
			}
			w := cmd.OutOrStdout()
			for _, group := range groups {
				fmt.Fprintf(w, "nodes %v are forced together\n", group)
			}
			for _, s := range suspects {
				fmt.Fprintf(w, "%s: in %d proofs; without it %d missing pairs and %d nodes are free\n",
					edgeText(o.graph, s.Edge), s.Cores, s.SeparationConstraints, s.Merges)
			}
			return nil
		},
	}
	in.flags(cmd, false, true)
	cmd.Flags().IntVar(&limit, "limit", 20, "number of edges to list")
	atLeast(cmd.Flags(), "limit", &limit, 0)
	cmd.Flags().StringVar(&bundleDir, "bundle", "", "bundle that the graph is from")
	cmd.Flags().StringVarP(&bag, "bag", "b", "", "recording that the bundle was learned from")
	cmd.Flags().StringVarP(&out, "out", "o", "", "folder for the images behind each edge")
	return cmd
}
