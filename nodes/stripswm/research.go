package main

import "github.com/spf13/cobra"

// researchCommand holds the verbs that compare methods and settings. A robot needs none of them.
func researchCommand(c *common) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "research",
		Short: "Compare methods and settings: baselines, sweeps",
		Example: `  stripswm research baseline learn --method lsr --bag runs/bag --out runs/lsr
  stripswm research sweep init --out runs/sweep --seed 1,2,3 --dims 5,6,7
  stripswm research compare runs/results --out runs/results`,
	}
	cmd.AddCommand(baselineCommand(c), compareCommand(c), sweepCommand(c))
	return cmd
}
