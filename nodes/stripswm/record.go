package main

import (
	"context"
	"fmt"
	"runtime"

	"github.com/spf13/cobra"

	"stripswm/nodes/sim"
	"stripswm/nodes/simrig/record"
	"stripswm/nodes/stripswm/progress"
)

// pictureFlags are the camera's settings, shared by record, eval and demo.
type pictureFlags struct {
	size     int
	nuisance float64
}

func (p *pictureFlags) add(cmd *cobra.Command) {
	cmd.Flags().IntVar(&p.size, "size", 128, "side of the pictures, pixels (64 to 640)")
	cmd.Flags().Float64Var(&p.nuisance, "nuisance", 1, "strength of placement, light and sensor nuisance (0 none)")
}

func (p *pictureFlags) check() error {
	if p.size < 64 || p.size > 640 {
		return usagef("--size %d: choose 64 to 640", p.size)
	}
	if p.nuisance < 0 || p.nuisance > 4 {
		return usagef("--nuisance %g: choose 0 to 4", p.nuisance)
	}
	return nil
}

func recordCommand(c *common) *cobra.Command {
	var world, out string
	var seed uint64
	var transitions int
	var pictures pictureFlags
	cmd := &cobra.Command{
		Use:   "record --world NAME --out BAG",
		Short: "Record transitions of a simulated world as a rosbag2 directory",
		Long: `record walks a simulated world with random skills, photographs it before and
after each, and writes a rosbag2 directory (MCAP) as the recorder node does on a
rig. The same seed gives the same bytes. Interrupted or out of disk, the
recording is closed with what is in it.`,
		Example: `  stripswm record --world blocksworld --out runs/bag
  stripswm record --world blocksworld --transitions 500 --size 228 --seed 7 --out runs/small`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if out == "" {
				return usagef("--out is needed: the directory to make")
			}
			w, err := sim.New(world)
			if err != nil {
				return usageError{err}
			}
			if err := pictures.check(); err != nil {
				return err
			}
			if transitions, err = transitionsOf(w, transitions); err != nil {
				return err
			}
			s, err := pictures.record(cmd.Context(), c, w, out, transitions, seed)
			if c.json {
				if jsonErr := printJSON(cmd, s); jsonErr != nil {
					return jsonErr
				}
			} else {
				fmt.Fprintf(cmd.OutOrStdout(), "%s: %d transitions, %d refused attempts, %d true states, %.1f MB in %.1f s\n",
					out, s.Transitions, s.Refused, s.States, float64(s.Bytes)/1e6, s.Seconds)
			}
			return err
		},
	}
	cmd.Flags().StringVar(&world, "world", "blocksworld", "world to record")
	cmd.Flags().StringVarP(&out, "out", "o", "", "recording to make")
	cmd.Flags().Uint64Var(&seed, "seed", 1, "seed of walk and nuisance")
	cmd.Flags().IntVarP(&transitions, "transitions", "n", 0, "successful transitions (default: as many as the paper's data set)")
	pictures.add(cmd)
	return cmd
}

// transitionsOf is the length of a recording: n or, where n is 0, the paper's.
func transitionsOf(w sim.World, n int) (int, error) {
	if n == 0 {
		n = w.Dataset().Transitions
	}
	if n < 1 {
		return 0, usagef("--transitions %d: at least 1", n)
	}
	return n, nil
}

// record records a world with a bar.
func (p *pictureFlags) record(ctx context.Context, c *common, w sim.World, out string, transitions int, seed uint64) (record.Summary, error) {
	bar := progress.Start(ctx, "record", int64(transitions), progress.Options{Quiet: c.quiet || c.json})
	defer bar.Done()
	return record.Run(ctx, w, out, record.Options{
		Transitions: transitions, Seed: seed, Size: p.size, Nuisance: p.nuisance,
		Quality: jpegQuality, Workers: runtime.GOMAXPROCS(0), Progress: func(n int) { bar.Set(int64(n)) },
	})
}

// jpegQuality of recorded pictures: artefacts stay below the sensor's noise.
const jpegQuality = 90
