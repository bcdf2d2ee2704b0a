package main

import (
	"cmp"
	"context"
	"fmt"
	"runtime"

	"github.com/spf13/cobra"

	"stripswm/nodes/sim"
	"stripswm/nodes/sim/record"
	"stripswm/nodes/stripswm/internal/progress"
)

// imageFlags are the camera's settings, shared by record, eval and demo.
type imageFlags struct {
	size     int
	nuisance float64
}

func (p *imageFlags) add(cmd *cobra.Command) {
	cmd.Flags().IntVar(&p.size, "size", 128, "side of the images, pixels (64 to 640)")
	cmd.Flags().Float64Var(&p.nuisance, "nuisance", 1, "strength of placement, light and sensor nuisance (0 none, at most 4)")
	within(cmd.Flags(), "size", &p.size, 64, 640)
	within(cmd.Flags(), "nuisance", &p.nuisance, 0, 4)
}

// recordFlags say what is recorded, shared by record and demo.
type recordFlags struct {
	transitions int
	walk        string
	mislabel    float64
	resets      float64
	unmarked    bool
}

func (f *recordFlags) add(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.walk, "walk", string(sim.Uniform), "uniform: every action that applies alike; balanced: mostly what was tried least where it is, which only a simulation knows; uninformed: every action alike, most of which are refused")
	cmd.Flags().IntVarP(&f.transitions, "transitions", "n", 0, "successful transitions to record (default: as many as the paper's data set)")
	cmd.Flags().Float64Var(&f.mislabel, "mislabel", 0, "share of the transitions recorded with another action id than the executed one (0 to 1)")
	cmd.Flags().Float64Var(&f.resets, "resets", 0, "share of the attempts before which somebody puts the scene into another explored state (0 to 1)")
	cmd.Flags().BoolVar(&f.unmarked, "unmarked", false, "with --resets: nothing in the recording says so")
	var walks []string
	for _, p := range sim.Policies() {
		walks = append(walks, string(p))
	}
	oneOf(cmd, "walk", walks)
	atLeast(cmd.Flags(), "transitions", &f.transitions, 0)
	within(cmd.Flags(), "mislabel", &f.mislabel, 0, 1)
	within(cmd.Flags(), "resets", &f.resets, 0, 1)
}

// check refuses what does not go together.
func (f recordFlags) check() error {
	if f.unmarked && f.resets == 0 {
		return usagef("--unmarked leaves the marks of --resets out, of which there are none: give a share of resets above 0")
	}
	return nil
}

// of puts in the paper's number of transitions of a world where none is given.
func (f recordFlags) of(w sim.World) recordFlags {
	f.transitions = cmp.Or(f.transitions, w.Dataset().Transitions)
	return f
}

func recordCommand(c *common) *cobra.Command {
	var world worldFlags
	var out string
	var seed uint64
	var recorded recordFlags
	var images imageFlags
	cmd := &cobra.Command{
		Use:   "record --world NAME --out BAG",
		Short: "Record transitions of a simulated world as a rosbag2 directory",
		Long: `record policies a simulated world with random skills, photographs it before and
after each, and writes a rosbag2 directory (MCAP) as the recorder node does on a
rig. The same seed gives the same bytes, and fewer transitions the beginning of
the same walk. Interrupted or out of disk, the recording is closed with what is
in it.

--mislabel gives a share of the transitions the id of an action that was not
executed. Walk and images stay the same, refused attempts keep their ids, and
what is mislabelled at 1 % is mislabelled at 10 %.

--resets has somebody put the scene into another explored state before a share
of the attempts, and the recording says so, as a person with a recorder would.
With --unmarked it does not, to try out how learning bears that. Until the first
reset walk and images are as without.`,
		Example: `  stripswm record --world blocksworld --out runs/bag
  stripswm record --world blocksworld --transitions 500 --size 228 --seed 7 --out runs/small
  stripswm record --world dinnertable --skills coarse --walk uniform --out runs/coarse
  stripswm record --world dinnertable --states all --transitions 2700 --out runs/whole
  stripswm record --world blocksworld --mislabel 0.03 --out runs/mislabelled
  stripswm record --world blocksworld --resets 0.05 --out runs/interrupted`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if out == "" {
				return usagef("--out is needed: the directory to make")
			}
			if err := recorded.check(); err != nil {
				return err
			}
			w, err := world.world()
			if err != nil {
				return err
			}
			s, err := recorded.of(w).record(cmd.Context(), c, w, out, seed, images)
			if c.json {
				if jsonErr := printJSON(cmd, s); jsonErr != nil {
					return jsonErr
				}
			} else {
				fmt.Fprintf(cmd.OutOrStdout(), "%s: %d transitions (%d mislabelled), %d refused attempts, %d resets, %d true states, %.1f MB in %.1f s\n",
					out, s.Transitions, s.Mislabelled, s.Refused, s.Resets, s.States, float64(s.Bytes)/1e6, s.Seconds)
			}
			return err
		},
	}
	world.add(cmd, "world", "blocksworld", "world to record")
	world.addStates(cmd)
	cmd.Flags().StringVarP(&out, "out", "o", "", "recording to make")
	cmd.Flags().Uint64Var(&seed, "seed", 1, "seed of walk and nuisance")
	recorded.add(cmd)
	images.add(cmd)
	return cmd
}

// record records a world with a bar.
func (f recordFlags) record(ctx context.Context, c *common, w sim.World, out string, seed uint64, p imageFlags) (record.Summary, error) {
	bar := progress.Start(ctx, "record", int64(f.transitions), progress.Options{Quiet: c.quiet || c.json})
	defer bar.Done()
	return record.Run(ctx, w, out, record.Options{
		Transitions: f.transitions, RunPolicy: sim.Policy(f.walk), Mislabel: f.mislabel, Resets: f.resets, Unmarked: f.unmarked, Seed: seed,
		Size: p.size, Nuisance: p.nuisance, Quality: jpegQuality, Workers: runtime.GOMAXPROCS(0), Progress: func(n int) { bar.Set(int64(n)) },
	})
}

// jpegQuality of recorded images: artefacts stay below the sensor's noise.
const jpegQuality = 90
