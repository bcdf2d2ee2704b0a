package main

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"stripswm/models/vision"
	"stripswm/nodes/eval/sweep"
	"stripswm/nodes/sim"
)

func sweepInitCommand(c *common) *cobra.Command {
	var f sweepFlags
	var g sweep.Grid
	var seeds []string
	var images imageFlags
	cmd := &cobra.Command{
		Use:   "init --out DIR",
		Short: "Number the jobs of a grid",
		Long: `init writes DIR/sweep.json: the grid, and its jobs with all their settings, numbered from
0. It never changes an existing sweep. Lists are separated by commas.

A fraction of the data is the first part of the recording.`,
		Example: `  stripswm research sweep init --out runs/latent --world dinnertable --preset medium --seed 1,2,3
  stripswm research sweep init --out runs/labels --dims 5 --data 1,0.5,0.25 --mislabel 0,0.01,0.03,0.1`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if f.out == "" {
				return usagef("--out is needed: the folder of the sweep")
			}
			for _, text := range seeds {
				seed, err := strconv.ParseUint(text, 10, 64)
				if err != nil {
					return usagef("--seed: %q is not a whole number from 0 on", text)
				}
				g.Seeds = append(g.Seeds, seed)
			}
			g.Size, g.Nuisance = images.size, images.nuisance
			if _, err := g.Jobs(); err != nil {
				return usageError{err}
			}
			folder, err := sweep.Create(f.out, g)
			if err != nil {
				return err
			}
			if c.json {
				return printJSON(cmd, map[string]int{"jobs": len(folder.Jobs)})
			}
			fmt.Fprintf(cmd.OutOrStdout(), "%s: %d jobs, 0 to %d\n", f.out, len(folder.Jobs),
				len(folder.Jobs)-1)
			return nil
		},
	}
	f.add(cmd)
	cmd.Flags().StringSliceVar(&g.Worlds, "world", []string{"blocksworld"}, "worlds to learn: "+
		strings.Join(sim.Names(), ", "))
	cmd.Flags().StringSliceVar(&g.Presets, "preset", []string{vision.DefaultPreset},
		"networks and training: auto, small, medium or paper")
	cmd.Flags().StringSliceVar(&seeds, "seed", []string{"1"}, "seeds of policy, images and training")
	cmd.Flags().IntSliceVar(&g.Dims, "dims", []int{5, 6, 7}, "latent dimensions")
	cmd.Flags().Float64SliceVar(&g.Data, "data", []float64{1},
		"fractions of the transitions to learn from")
	cmd.Flags().Float64SliceVar(&g.Mislabel, "mislabel", []float64{0},
		"fractions of the transitions with a wrong action id")
	cmd.Flags().IntVarP(&g.Transitions, "transitions", "n", 0,
		"successful transitions to record (default: the number in the paper's data set)")
	cmd.Flags().IntVar(&g.Steps, "steps", 0, stepsHelp)
	cmd.Flags().IntVar(&g.Queries, "queries", 200,
		"start/goal image pairs for each shortest-path horizon")
	images.add(cmd)
	completeWorlds(cmd, "world")
	completePresets(cmd)
	return cmd
}
