package main

import (
	"context"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"stripswm/models/operators/program"
)

func operatorsProgramCommand() *cobra.Command {
	var in operatorsInput
	var opb, wcnf, distinct string
	var m, minUnique int
	var solve, bySupport bool
	var budget time.Duration
	cmd := &cobra.Command{
		Use:   "program --graph G.dfa --predicates M",
		Short: "Write or solve the paper's monolithic 0/1 program, the reference for small graphs",
		Example: `  stripswm operators program --graph door.dfa --predicates 2 --solve
  stripswm operators program --graph blocksworld.dfa --predicates 6 --opb blocks.opb --wcnf blocks.wcnf`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			o, err := in.open()
			if err != nil {
				return err
			}
			d, err := readDistinct(distinct)
			if err != nil {
				return err
			}
			p, err := program.Build(o.graph, o.pairs, m,
				program.Options{Distinct: d.List(o.graph.NumStates()), MinUnique: minUnique,
					BySupport: bySupport})
			if err != nil {
				return usageError{err}
			}
			w := cmd.OutOrStdout()
			fmt.Fprintf(cmd.ErrOrStderr(), "%d variables, %d constraints\n", p.Vars, len(p.Constraints))
			if opb != "" {
				if err := writeWith(opb, p.WriteOPB); err != nil {
					return err
				}
			}
			if wcnf != "" {
				if err := writeWith(wcnf, p.WriteWCNF); err != nil {
					return err
				}
			}
			if !solve {
				return nil
			}
			ctx, stop := context.WithTimeout(cmd.Context(), budget)
			defer stop()
			best, err := p.Solve(ctx)
			if err != nil {
				return err
			}
			if wantsJSON(cmd) {
				return printJSON(cmd, struct {
					Values [4]int  `json:"values"`
					Proved [4]bool `json:"proved"`
				}{best.Values, best.Proved})
			}
			for i, name := range []string{"xi", "eta", "effects", "preconditions"} {
				fmt.Fprintf(w, "%-14s %5d proved %t\n", name, best.Values[i], best.Proved[i])
			}
			return nil
		},
	}
	in.flags(cmd, false, true)
	f := cmd.Flags()
	f.IntVar(&m, "predicates", 1, "number of predicates m")
	f.StringVar(&opb, "opb", "", "file for the pseudo-Boolean format")
	f.StringVar(&wcnf, "wcnf", "", "file for weighted partial MaxSAT")
	f.StringVar(&distinct, "distinct", "none",
		"nodes that need different codes: none, all or pairs such as 0-3,4-7")
	f.IntVar(&minUnique, "min-unique", 0, "least number of different codes")
	f.BoolVar(&bySupport, "by-support", false, "weight transition slack by the support of the edge")
	f.BoolVar(&solve, "solve", false, "solve it with gophersat")
	f.DurationVar(&budget, "budget", time.Minute, "time to solve it")
	atLeast(f, "predicates", &m, 1)
	atLeast(f, "min-unique", &minUnique, 0)
	atLeast(f, "budget", &budget, 0)
	return cmd
}
