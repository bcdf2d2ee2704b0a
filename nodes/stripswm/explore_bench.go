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

// exploreBench compares exploration with the random policy.
type exploreBench struct {
	seeds          []uint
	randomAttempts int
	queries        int
	explore        exploreFlags
}

func exploreBenchCommand(c *common) *cobra.Command {
	var world worldFlags
	var out string
	var f exploreBench
	cmd := &cobra.Command{
		Use:   "explore --world NAME --attempts N --out DIR",
		Short: "Compare exploration with the random policy, by number of attempts",
		Long: `explore compares a robot that chooses its attempts (stripswm explore) with one that
draws all skills with equal probability. For each seed both record and learn, and each
model plans between all states from new images.

It writes DIR/WORLD-SEED.json and DIR/success-by-attempts.svg. Seeds with a result are
not run again. --resume continues a seed that ^C interrupted.`,
		Example: `  stripswm research explore --world blocksworld --seed 1,2,3 --attempts 400 \
    --random-attempts 2000 --out runs/attempts`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if out == "" || f.explore.attempts == 0 {
				return usagef("--out and --attempts are needed")
			}
			w, err := world.world()
			if err != nil {
				return err
			}
			if err := tryFolder("--out", out); err != nil {
				return err
			}
			return f.run(cmd, c, w, out)
		},
	}
	world.add(cmd, "world", "blocksworld", "world to explore")
	cmd.Flags().StringVarP(&out, "out", "o", "", "folder for everything")
	cmd.Flags().UintSliceVar(&f.seeds, "seed", []uint{1, 2, 3}, "seeds, separated by commas")
	cmd.Flags().IntVar(&f.randomAttempts, "random-attempts", 3000,
		"number of attempts of the random policy to stop at, unless it solves all pairs before")
	cmd.Flags().IntVar(&f.queries, "queries", 200,
		"start/goal image pairs for each shortest-path horizon")
	atLeast(cmd.Flags(), "random-attempts", &f.randomAttempts, 0)
	atLeast(cmd.Flags(), "queries", &f.queries, 1)
	f.explore.add(cmd)
	return cmd
}

// benchOutput is WORLD-SEED.json.
type benchOutput struct {
	Run provenance `json:"run"`
	explorebench.Result
}

// run compares with every seed, and draws all comparisons that the folder holds.
func (f *exploreBench) run(cmd *cobra.Command, c *common, w sim.World, out string) error {
	for _, seed := range f.seeds {
		path := filepath.Join(out, fmt.Sprintf("%s-%d.json", w.Name(), seed))
		if _, err := os.Stat(path); err == nil {
			continue
		}
		if err := f.one(cmd, c, w, uint64(seed), path); err != nil {
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

func (f *exploreBench) one(cmd *cobra.Command, c *common, w sim.World, seed uint64, path string,
) error {
	run := path[:len(path)-len(filepath.Ext(path))]
	o, err := f.explore.options(run, seed)
	if err != nil {
		return err
	}
	if err := begin(run, o.Learner.Resume); err != nil {
		return err
	}
	tell, done := exploreProgress(cmd.Context(), c, 0)
	o.Progress = tell
	r, err := explorebench.Run(cmd.Context(), w, o, f.randomAttempts, f.queries)
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

// begin makes the folder of a comparison. With resume it may exist, made by the same commit.
func begin(run string, resume bool) error {
	note := filepath.Join(run, "commit")
	commit, err := files.Read(note, maxJSON)
	if resume && err == nil {
		if string(commit) != version() {
			return fmt.Errorf(
				"%w: %s was begun by commit %s, this is %s: remove it, or continue with that commit", errInput,
				run, commit, version())
		}
		return nil
	}
	if err := os.Mkdir(run, 0o777); err != nil {
		return fmt.Errorf("%w: continue with --resume, remove it, or choose another folder", err)
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
			return nil,
				fmt.Errorf("%w: %s is no result of research explore: choose another folder for --out", errInput,
					path)
		}
		all = append(all, one.Result)
	}
	if len(all) == 0 {
		return nil, errors.New("there is nothing to draw: name seeds with --seed")
	}
	return all, nil
}

func printBench(out io.Writer, all []explorebench.Result) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w,
		"world\tseed\trobot\tattempts\tstates\tnodes\tpairs\tsolved\t95 % after\t100 % "+
			"after\trounds\tlearning\t")
	for _, r := range all {
		for _, robot := range []struct {
			name string
			explorebench.Curve
		}{{"explorer", r.Explorer}, {"random", r.Random}} {
			if len(robot.Points) == 0 {
				continue
			}
			last := robot.Points[len(robot.Points)-1]
			fmt.Fprintf(w, "%s\t%d\t%s\t%d\t%d of %d\t%d\t%d\t%.1f %%\t%s\t%s\t%d\t%.0f s\t\n", r.World,
				r.Seed, robot.name, last.Attempts, last.States, r.States, last.Nodes, last.Pairs,
				100*last.Success(), never(robot.Attempts(0.95)), never(robot.Attempts(1)), len(robot.Points),
				robot.Seconds())
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
