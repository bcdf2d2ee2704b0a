package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"stripswm/internal/files"
	"stripswm/nodes/eval/explorebench"
	"stripswm/nodes/sim"
)

// benchFlags are those of explore --bench.
type benchFlags struct {
	on            bool
	seeds         []uint
	walk, queries int
}

func (f *benchFlags) add(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&f.on, "bench", false, "compare with a robot that draws all skills evenly")
	cmd.Flags().UintSliceVar(&f.seeds, "seeds", []uint{1, 2, 3}, "with --bench: seeds to do it with")
	cmd.Flags().IntVar(&f.walk, "walk", 3000, "with --bench: most attempts of the robot that draws evenly; it ends when all is solved")
	cmd.Flags().IntVar(&f.queries, "queries", 200, "with --bench: start/goal image pairs for each shortest-path horizon")
	atLeast(cmd.Flags(), "walk", &f.walk, 0)
	atLeast(cmd.Flags(), "queries", &f.queries, 1)
	for _, alone := range []string{"seed", "stay-within", "forbid"} {
		cmd.MarkFlagsMutuallyExclusive("bench", alone)
	}
}

// benchOutput is WORLD-SEED.json.
type benchOutput struct {
	Run provenance `json:"run"`
	explorebench.Result
}

// run compares with every seed, and draws all comparisons that the folder holds.
func (f benchFlags) run(cmd *cobra.Command, c *common, w sim.World, e *exploreFlags, out string) error {
	if e.budget == 0 {
		return usagef("--bench needs --attempts")
	}
	for _, seed := range f.seeds {
		path := filepath.Join(out, fmt.Sprintf("%s-%d.json", w.Name(), seed))
		if _, err := os.Stat(path); err == nil {
			continue
		}
		if err := f.one(cmd, c, w, e, uint64(seed), path); err != nil {
			return err
		}
	}
	all, err := readBench(out)
	if err != nil {
		return err
	}
	if err := explorebench.Draw(out, all); err != nil {
		return err
	}
	if c.json {
		return printJSON(cmd, all)
	}
	return printBench(cmd.OutOrStdout(), all)
}

func (f benchFlags) one(cmd *cobra.Command, c *common, w sim.World, e *exploreFlags, seed uint64, path string) error {
	run := path[:len(path)-len(filepath.Ext(path))]
	o, err := e.options(run, seed)
	if err != nil {
		return err
	}
	if err := begin(run, o.Learner.Resume); err != nil {
		return err
	}
	tell, done := exploreProgress(cmd.Context(), c, 0)
	o.Progress = tell
	r, err := explorebench.Run(cmd.Context(), w, o, f.walk, f.queries)
	done()
	if err != nil {
		return err
	}
	data, err := json.MarshalIndent(benchOutput{originOf(seed, ""), r}, "", " ")
	if err != nil {
		return err
	}
	return files.Write(path, append(data, '\n'))
}

// begin makes the folder of a comparison, unless one goes on there that the same program began.
func begin(run string, resume bool) error {
	note := filepath.Join(run, "commit")
	commit, err := files.Read(note, maxJSON)
	if resume && err == nil {
		if string(commit) != version() {
			return fmt.Errorf("%w: %s was begun by commit %s, this is %s: remove it, or go on with that", errInput, run, commit, version())
		}
		return nil
	}
	if err := os.Mkdir(run, 0o777); err != nil {
		return fmt.Errorf("%w: go on with --resume, remove it, or choose another folder", err)
	}
	return files.Write(note, []byte(version()))
}

// readBench reads the comparisons in a folder, by name.
func readBench(dir string) ([]explorebench.Result, error) {
	paths, err := filepath.Glob(filepath.Join(dir, "*-*.json"))
	if err != nil {
		return nil, err
	}
	var all []explorebench.Result
	for _, path := range paths {
		data, err := files.Read(path, maxJSON)
		if err != nil {
			return nil, err
		}
		var one benchOutput
		if err := json.Unmarshal(data, &one); err != nil {
			return nil, fmt.Errorf("%w: %s: %w", errInput, path, err)
		}
		if one.World == "" || len(one.Explorer.Points) == 0 {
			return nil, fmt.Errorf("%w: %s is no comparison that explore --bench kept: take another folder for --out", errInput, path)
		}
		all = append(all, one.Result)
	}
	if len(all) == 0 {
		return nil, errors.New("there is nothing to draw: name seeds with --seeds")
	}
	return all, nil
}

func printBench(out io.Writer, all []explorebench.Result) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "world\tseed\trobot\tattempts\tstates\tnodes\tpairs\tsolved\t95 % after\t100 % after\tlessons\tlearning\t")
	for _, r := range all {
		for _, robot := range []struct {
			name string
			explorebench.Curve
		}{{"explorer", r.Explorer}, {"walk", r.Random}} {
			if len(robot.Points) == 0 {
				continue
			}
			last := robot.Points[len(robot.Points)-1]
			fmt.Fprintf(w, "%s\t%d\t%s\t%d\t%d of %d\t%d\t%d\t%.1f %%\t%s\t%s\t%d\t%.0f s\t\n", r.World, r.Seed, robot.name, last.Attempts, last.States, r.States, last.Nodes, last.Pairs,
				100*last.Success(), never(robot.Attempts(0.95)), never(robot.Attempts(1)), len(robot.Points), robot.Seconds())
		}
	}
	return w.Flush()
}

func never(n int) string {
	if n == 0 {
		return "-"
	}
	return fmt.Sprint(n)
}
