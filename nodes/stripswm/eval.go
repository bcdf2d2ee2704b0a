package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"stripswm/models/imageplan"
	"stripswm/nodes/sim"
	"stripswm/nodes/stripswm/eval"
	"stripswm/nodes/stripswm/progress"
	"stripswm/nodes/stripswm/report"
)

// evalFlags are what eval and demo share.
type evalFlags struct{ queries int }

func (f *evalFlags) add(cmd *cobra.Command) {
	cmd.Flags().IntVar(&f.queries, "queries", 200, "start/goal picture pairs for each shortest-path horizon")
}

func evalCommand(c *common) *cobra.Command {
	var dir, domain, out string
	var seed uint64
	var nearest bool
	var f evalFlags
	var pictures pictureFlags
	cmd := &cobra.Command{
		Use:   "eval --bundle DIR --domain WORLD",
		Short: "Measure planning success by horizon, as the paper does",
		Long: `eval draws start and goal states at each shortest-path distance of the
ground-truth graph, renders their pictures with seeds that no recording uses,
plans from the pictures, and executes the plans in the ground-truth graph and in
the simulated world. With --out it also writes eval.json and a report.`,
		Example: `  stripswm eval --bundle runs/blocks/bundle --domain blocksworld
  stripswm eval --bundle runs/blocks/bundle --domain blocksworld --queries 1000 --nuisance 1.5 --json`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if dir == "" {
				return usagef("--bundle is needed")
			}
			w, err := sim.New(domain)
			if err != nil {
				return usageError{err}
			}
			if err := pictures.check(); err != nil {
				return err
			}
			p, err := imageplan.Open(dir, imageplan.Options{Nearest: nearest})
			if err != nil {
				return err
			}
			defer p.Close()
			r, err := runEval(cmd, c, p, w, f, pictures, seed)
			if err != nil {
				return err
			}
			if out != "" {
				if err := writeEval(out, domain, r); err != nil {
					return err
				}
			}
			if c.json {
				return printJSON(cmd, r)
			}
			return printEval(cmd.OutOrStdout(), w.Name(), r)
		},
	}
	cmd.Flags().StringVar(&dir, "bundle", "", "learned bundle")
	cmd.Flags().StringVar(&domain, "domain", "blocksworld", "world to evaluate in")
	cmd.Flags().StringVarP(&out, "out", "o", "", "folder for eval.json and the report")
	cmd.Flags().Uint64Var(&seed, "seed", 1, "seed of the queries and their pictures")
	cmd.Flags().BoolVar(&nearest, "nearest", false, "plan with the nearest known state where a picture shows none")
	f.add(cmd)
	pictures.add(cmd)
	return cmd
}

func runEval(cmd *cobra.Command, c *common, p *imageplan.Planner, w sim.World, f evalFlags, pictures pictureFlags, seed uint64) (eval.Report, error) {
	if f.queries < 1 {
		return eval.Report{}, usagef("--queries %d: at least 1", f.queries)
	}
	var bar *progress.Bar
	defer func() { bar.Done() }()
	o := eval.Options{
		Queries: f.queries, Seed: seed, Size: pictures.size, Nuisance: pictures.nuisance, Workers: runtime.GOMAXPROCS(0),
		Progress: func(done, total int) {
			if bar == nil {
				bar = progress.Start(cmd.Context(), "evaluate", int64(total), progress.Options{Quiet: c.quiet || c.json})
			}
			bar.Set(int64(done))
		},
	}
	abstraction, err := eval.Abstract(cmd.Context(), p, w, o)
	if err != nil {
		return eval.Report{}, err
	}
	r, err := eval.Run(cmd.Context(), p, w, o)
	r.Abstraction = abstraction
	return r, err
}

func writeEval(out, domain string, r eval.Report) error {
	if err := os.MkdirAll(out, 0o777); err != nil {
		return err
	}
	data, err := json.MarshalIndent(r, "", " ")
	if err != nil {
		return err
	}
	if err := writeWith(filepath.Join(out, "eval.json"), func(w io.Writer) error { _, err := w.Write(data); return err }); err != nil {
		return err
	}
	table := tableOf(r.Abstraction)
	return report.Write(out, report.Input{Domain: domain, Table: &table, Success: horizons(r)})
}

// printEval prints the row of table 1 and success per horizon.
func printEval(out io.Writer, domain string, r eval.Report) error {
	a := r.Abstraction
	printTable1(out, domain, tableOf(a), paperRows[domain])
	fmt.Fprintf(out, "\n%d new pictures of the true states: %d not recognised, %d strays; %d true states share a code\n\n",
		a.Pictures, a.Unrecognized, a.Strays, a.Aliased)
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "horizon\tqueries\tin graph\tin world\tunrecognised\tno plan\twrong\t")
	for _, h := range r.Horizons {
		fmt.Fprintf(w, "%d\t%d\t%s\t%s\t%d\t%d\t%d\t\n", h.Horizon, h.Queries, percent(h.SolvedGraph, h.Queries), percent(h.SolvedWorld, h.Queries),
			h.Unrecognized, h.NoPlan, h.WrongPlan)
	}
	return w.Flush()
}

func tableOf(a eval.Abstraction) report.Table {
	return report.Table{
		Actions: a.Actions, Transitions: a.Transitions, TrueStates: a.TrueStates, States: a.States, Codes: a.DistinctCodes,
		Predicates: a.Predicates, Xi: a.Xi, Eta: a.Eta, Nondeterministic: a.Nondeterminism,
	}
}

func percent(n, of int) string {
	if of == 0 {
		return "-"
	}
	return strconv.FormatFloat(100*float64(n)/float64(of), 'f', 1, 64) + " %"
}

func horizons(r eval.Report) []report.Horizon {
	list := make([]report.Horizon, len(r.Horizons))
	for i, h := range r.Horizons {
		list[i] = report.Horizon{Horizon: h.Horizon, Queries: h.Queries, SolvedGraph: h.SolvedGraph, SolvedWorld: h.SolvedWorld}
	}
	return list
}
