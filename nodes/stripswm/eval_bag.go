package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"stripswm/models/bundle"
	"stripswm/models/imageplan"
	"stripswm/nodes/eval/compose"
	"stripswm/nodes/eval/heldout"
	"stripswm/nodes/learn"
	"stripswm/nodes/stripswm/internal/progress"
)

// heldOutput is eval.json of a recording.
type heldOutput struct {
	Run provenance `json:"run"`
	*heldout.Report
}

// evalBag judges a bundle on a recording, without a world: of one that it was learned from,
// on what was held out.
func evalBag(cmd *cobra.Command, c *common, p *imageplan.Planner, bag, out string) error {
	b := p.Bundle()
	g, err := b.TaskGraph()
	if err != nil {
		return err
	}
	frame, err := learn.FrameOf(b)
	if err != nil {
		return err
	}
	recording, err := learn.Load(cmd.Context(), bag, frame, g.NumActions(), nil)
	if err != nil {
		return err
	}
	defer recording.Close()
	known, err := heldout.LearnedFrom(b, bag)
	if err != nil {
		return err
	}
	if known {
		training, err := learn.ReadTraining(b)
		if err != nil && !errors.Is(err, bundle.ErrNoPart) {
			return err
		}
		if training.HeldOut > 0 {
			_, recording = recording.Split(training.HeldOut)
			known = false
		}
	}
	bar := progress.Start(cmd.Context(), "recognise pictures", int64(recording.Data.Images()), progress.Options{Quiet: c.quiet || c.json})
	r, err := heldout.Run(cmd.Context(), p, recording, func(done, _ int) { bar.Set(int64(done)) })
	bar.Done()
	if err != nil {
		return err
	}
	r.Known = known
	kept := heldOutput{originOf(b.Manifest.Seed, ""), r}
	if out != "" {
		if err := writeHeldOut(out, kept, recording); err != nil {
			return err
		}
	}
	if c.json {
		return printJSON(cmd, kept)
	}
	return printHeldOut(cmd.OutOrStdout(), r)
}

func writeHeldOut(out string, r heldOutput, recording *learn.Recording) error {
	if err := os.MkdirAll(out, 0o777); err != nil {
		return err
	}
	if err := writeEvalJSON(out, r); err != nil {
		return err
	}
	return compose.HeldOut(out, r.Report, recording)
}

func printHeldOut(out io.Writer, r *heldout.Report) error {
	if r.Known {
		fmt.Fprint(out, "the bundle was learned from this recording: nothing of it was held out\n\n")
	}
	fmt.Fprintf(out, "pictures     %d, %s taken for a state", r.Pictures, percent(r.Recognized(), r.Pictures))
	for _, why := range []imageplan.Refusal{imageplan.Blank, imageplan.Unknown, imageplan.Disagree, imageplan.Unlike, imageplan.Unsure} {
		if n := r.Refused[why]; n > 0 {
			fmt.Fprintf(out, "; %s: %d", why, n)
		}
	}
	fmt.Fprintf(out, "\nmoments      %d with two pictures, of %d judged %s show one state\n\n", r.Moments.Moments, r.Moments.Judged, percent(r.Moments.Agreed, r.Moments.Judged))
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "skill\ttransitions\tjudged\tpredicted\tled elsewhere\texcluded\tleft open\trefused\tjudged\tforeseen\tnot\tleft open\t")
	for _, s := range append(slices.Clone(r.Skills), r.All) {
		fmt.Fprintf(w, "%s\t%d\t%d\t%s\t%d\t%d\t%d\t%d\t%d\t%s\t%d\t%d\t\n", s.Name, s.Transitions, s.Judged, percent(s.Predicted, s.Judged), s.Elsewhere, s.Excluded,
			s.Judged-s.Predicted-s.Elsewhere-s.Excluded, s.Refusals, s.RefusalsJudged, percent(s.RefusalsForeseen, s.RefusalsJudged), s.RefusalsNot,
			s.RefusalsJudged-s.RefusalsForeseen-s.RefusalsNot)
	}
	return w.Flush()
}
