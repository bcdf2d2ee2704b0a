package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"runtime"

	"github.com/spf13/cobra"

	"stripswm/nodes/sim"
	"stripswm/nodes/sim/record"
)

// imageFlags are the settings of the simulated camera.
type imageFlags struct {
	size     int
	nuisance float64
}

func (p *imageFlags) add(cmd *cobra.Command) {
	within(cmd.Flags(), &p.size, "size", 128, 64, 640,
		"side of the images, pixels (64 to 640)")
	within(cmd.Flags(), &p.nuisance, "nuisance", 1, 0, 4,
		"strength of placement, light and sensor nuisance (0 none, at most 4)")
}

// recordFlags say what record and demo record.
type recordFlags struct {
	transitions int
	policy      string
	mislabel    float64
	faults      sim.Faults
	unmarked    bool
}

func (f *recordFlags) add(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.policy, "policy", string(sim.Uniform), "what chooses the skills: "+
		"uniform draws among those that apply; balanced prefers what was tried least in the "+
		"true state; uninformed draws among all, and most are refused")
	atLeast(cmd.Flags(), &f.transitions, "transitions,n", 0, 0,
		"successful transitions to record (default: the number in the paper's data set)")
	within(cmd.Flags(), &f.mislabel, "mislabel", 0, 0, 1,
		"fraction of the transitions recorded with a wrong action id (0 to 1)")
	within(cmd.Flags(), &f.faults.Resets, "resets", 0, 0, 1,
		"fraction of the attempts before which a person changes the scene (0 to 1)")
	within(cmd.Flags(), &f.faults.Failures, "failures", 0, 0, 0.99,
		"fraction of the attempts that fail, half of these with the skill's effect (0 to 0.99)")
	cmd.Flags().BoolVar(&f.unmarked, "unmarked", false,
		"with --resets: the recording does not mark them")
	var policies []string
	for _, p := range sim.Policies() {
		policies = append(policies, string(p))
	}
	oneOf(cmd, "policy", policies)
}

// check refuses what does not go together.
func (f recordFlags) check() error {
	if f.unmarked && f.faults.Resets == 0 {
		return usagef("--unmarked needs --resets above 0")
	}
	return nil
}

// of puts in the paper's number of transitions of a world where none is given.
func (f recordFlags) of(w *sim.World) recordFlags {
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
		Long: `record executes random skills in a simulated world, takes an image before and after
each, and writes a rosbag2 directory (MCAP) like the recorder node on a robot. The same
seed gives the same bytes. Fewer transitions give the first part of the same recording.
If ^C or a full disk ends it, the recording is closed and valid.

--mislabel gives a fraction of the transitions a wrong action id. Attempts and images
stay the same, and refused attempts keep their ids.

--resets changes the scene to another explored state before a fraction of the attempts.
The recording marks each change, as a person at the recorder would. With --unmarked it
does not.

--failures has a fraction of the attempts fail that apply. Half of these change the scene
as the skill should.`,
		Example: `  stripswm record --world blocksworld --out runs/bag
  stripswm record --world blocksworld --transitions 500 --size 228 --seed 7 --out runs/small
  stripswm record --world dinnertable --skills state-dependent --out runs/table
  stripswm record --world dinnertable --states all --transitions 2700 --out runs/whole
  stripswm record --world blocksworld --mislabel 0.03 --out runs/mislabelled
  stripswm record --world blocksworld --resets 0.05 --out runs/interrupted`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := recorded.check(); err != nil {
				return err
			}
			w, err := world.world()
			if err != nil {
				return err
			}
			s, err := recorded.of(w).record(cmd.Context(), c, w, out, seed, images)
			printErr := c.print(cmd, s, func(w io.Writer) {
				fmt.Fprintf(w, "%s: %d transitions (%d mislabelled), %d refused and %d failed attempts, "+
					"%d resets, %d true states, %.1f MB in %.1f s\n", out, s.Transitions, s.Mislabelled,
					s.Refused, s.Failed, s.Resets, s.States, float64(s.Bytes)/1e6, s.Seconds)
			})
			return cmp.Or(printErr, err)
		},
	}
	world.add(cmd, "world", "blocksworld", "world to record")
	world.addStates(cmd, exploredStates)
	cmd.Flags().StringVarP(&out, "out", "o", "", "recording to make")
	cmd.Flags().Uint64Var(&seed, "seed", 1, "seed of policy and nuisance")
	recorded.add(cmd)
	images.add(cmd)
	require(cmd, "out")
	return cmd
}

// record records a world and shows how far it has come.
func (f recordFlags) record(ctx context.Context, c *common, w *sim.World, out string, seed uint64,
	p imageFlags,
) (record.Summary, error) {
	show := c.progress(ctx)
	defer show.Done()
	return record.Run(ctx, w, out, record.Options{
		Transitions: f.transitions, Policy: sim.Policy(f.policy), Mislabel: f.mislabel, Faults: f.faults,
		Unmarked: f.unmarked, Seed: seed,
		Size: p.size, Nuisance: p.nuisance, Quality: jpegQuality, Workers: runtime.GOMAXPROCS(0),
		Progress: func(n int) { show.Set("record", n, f.transitions, "") },
	})
}

// jpegQuality of recorded images: artefacts stay below the sensor's noise.
const jpegQuality = 90
