package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"stripswm/models/imageplan"
	"stripswm/nodes/eval"
	"stripswm/nodes/eval/report"
	"stripswm/nodes/learn"
	"stripswm/nodes/sim/record"
)

// monthsOutput is what research months prints.
type monthsOutput struct {
	World       string         `json:"world"`
	Seed        uint64         `json:"seed"`
	Every       int            `json:"every"`
	Stretches   []eval.Stretch `json:"stretches"`
	eval.Counts                // of all stretches
}

func monthsCommand(c *common) *cobra.Command {
	var m eval.Months
	var world worldFlags
	var images imageFlags
	cmd := &cobra.Command{
		Use:   "months --bundle DIR --bag BAG --out DIR",
		Short: "Execute plans for months while camera, light and things change",
		Long: `months executes plans to random states of a simulated table in closed loop. Meanwhile the
camera creeps, and is bumped three times by 1 to 3 % of the width; light drifts by a fifth
and is a fifth less at night; noise grows by half; and one object is replaced by one of
another colour. What is executed is recorded, and the bundle is refreshed from it after
every so many skills (learn --refresh). After the object is replaced, and images are
refused, somebody confirms that it is the same object.`,
		Example: `  stripswm research months --bundle runs/table/bundle --bag runs/bag --out runs/months
  stripswm research months --bundle runs/table/bundle --bag runs/bag --every 0 --out runs/never`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			p, err := imageplan.Open(m.Bundle, imageplan.Options{})
			if err != nil {
				return err
			}
			m.World, err = bundleWorld(&world, p.Bundle())
			if err := errors.Join(err, p.Close()); err != nil {
				return err
			}
			m.Image = record.Options{Size: images.size, Nuisance: images.nuisance, Quality: jpegQuality}
			show := c.progress(cmd.Context())
			m.Progress = func(skills int, note string) {
				show.Set("execute plans", skills, m.Skills, note)
			}
			all, err := m.Run(cmd.Context())
			show.Done()
			if err != nil && (len(all) == 0 || cmd.Context().Err() == nil) {
				return err
			}
			out := monthsOutput{World: m.World.Name(), Seed: m.Seed, Every: m.Every, Stretches: all}
			for _, s := range all {
				out.Add(s.Counts)
			}
			return cmp.Or(drawMonths(m.Out, all), c.print(cmd, out, func(w io.Writer) {
				printMonths(w, out)
			}), err)
		},
	}
	cmd.Flags().StringVar(&m.Bundle, "bundle", "", "learned bundle of facts")
	cmd.Flags().StringVar(&m.Bag, "bag", "", "recording that it was learned from")
	cmd.Flags().StringVarP(&m.Out, "out", "o", "", "folder for recordings and refreshed bundles")
	world.add(cmd, "world", "", "world that it is of (default: the bundle's)")
	cmd.Flags().Uint64Var(&m.Seed, "seed", learn.DefaultSeed, "seed of goals, images and what changes")
	atLeast(cmd.Flags(), &m.Skills, "executions", 5000, 1, "skills to execute")
	atLeast(cmd.Flags(), &m.Every, "every", 500, 0, "skills between two refreshes; 0: none")
	atLeast(cmd.Flags(), &m.Threads, "threads", learn.DefaultThreads(), 0, "threads of training")
	images.add(cmd)
	require(cmd, "bundle", "bag", "out")
	return cmd
}

// drawMonths writes months.svg and months.png: what became of images and goals over time, and how
// far the camera was moved.
func drawMonths(dir string, all []eval.Stretch) error {
	accepted, right := report.Curve{Name: "images accepted"}, report.Curve{Name: "of these right"}
	reached := report.Curve{Name: "goals reached"}
	moved, aligned := report.Curve{Name: "camera"}, report.Curve{Name: "alignment"}
	share := func(part, all int) float64 { return 100 * float64(part) / float64(max(all, 1)) }
	add := func(c *report.Curve, s eval.Stretch, y float64) {
		c.Points = append(c.Points, report.Point{X: float64(s.Skills), Y: y})
	}
	for _, s := range all {
		add(&accepted, s, share(s.Accepted, s.Images))
		add(&right, s, share(s.Accepted-s.Wrong, s.Accepted))
		add(&reached, s, share(s.Reached, s.Goals))
		add(&moved, s, 100*s.Shift)
		add(&aligned, s, 100*s.Aligned)
	}
	return report.WritePanels(dir, "months", [][]report.Figure{{
		{Name: "Images and goals", X: "skills", Y: "%", Percent: true,
			Curves: []report.Curve{accepted, right, reached}},
		{Name: "Camera", X: "skills", Y: "% of the width", Curves: []report.Curve{moved, aligned}},
	}})
}

func printMonths(out io.Writer, m monthsOutput) {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "skills\timages accepted\twrong\tgoals reached\tmistaken\tcamera moved\t"+
		"aligned by\tlight\t")
	for _, s := range m.Stretches {
		fmt.Fprintf(w, "%d\t%d of %d\t%d\t%d of %d\t%d\t%.1f %%\t%.1f %%\tx%.2f\t%s\n", s.Skills,
			s.Accepted, s.Images, s.Wrong, s.Reached, s.Goals, s.Mistaken, 100*s.Shift, 100*s.Aligned,
			s.Light, cmp.Or(s.Kept, map[bool]string{true: "confirmed"}[s.Confirmed]))
	}
	fmt.Fprintf(w, "in all\t%d of %d\t%d\t%d of %d\t%d\n", m.Accepted, m.Images, m.Wrong, m.Reached,
		m.Goals, m.Mistaken)
	w.Flush()
}
