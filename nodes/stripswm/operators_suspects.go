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
	var most int
	var bundleDir, bag, images string
	cmd := &cobra.Command{
		Use:   "suspects --graph G.dfa",
		Short: "Rank the edges that may be wrong by what dropping each would free",
		Long: `suspects ranks edges by how many missing pairs and nodes dropping each would
free. With --bundle, --bag and --images it also writes, for each edge, a sheet
of the recorded images behind it: look whether they show what the edge says.`,
		Example: `  stripswm operators suspects --graph runs/blocks/bundle/graph.json
  stripswm operators suspects --graph runs/blocks/bundle/graph.json --bundle runs/blocks/bundle --bag runs/bag --images runs/suspects`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if images != "" && (bundleDir == "" || bag == "") {
				return usagef("--images needs --bundle and --bag")
			}
			o, err := in.open()
			if err != nil {
				return err
			}
			if images != "" {
				if err := tryFolder("--images", images); err != nil {
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
			if images != "" {
				if files, err = builder.SuspectImages(cmd.Context(), bundleDir, bag, images, suspects); err != nil {
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
				fmt.Fprintf(w, "%s: in %d proofs; without it %d missing pairs and %d nodes are free\n", edgeText(o.graph, s.Edge), s.Cores, s.SeparationConstraints, s.Merges)
			}
			return nil
		},
	}
	in.flags(cmd, false, true)
	cmd.Flags().IntVar(&most, "most", 20, "edges to list")
	atLeast(cmd.Flags(), "most", &most, 0)
	cmd.Flags().StringVar(&bundleDir, "bundle", "", "bundle that the graph is from")
	cmd.Flags().StringVarP(&bag, "bag", "b", "", "recording that the bundle was learned from")
	cmd.Flags().StringVar(&images, "images", "", "folder for the images behind each edge")
	return cmd
}
