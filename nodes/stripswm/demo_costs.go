package main

import (
	"fmt"
	"io"
	"text/tabwriter"

	"stripswm/nodes/eval/builder"
	"stripswm/nodes/learn"
)

// printCosts prints time and peak memory of each part of a run.
func printCosts(out io.Writer, s learn.Summary) {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "\npart\ttime\tpeak memory\t")
	total, peak := 0.0, 0.0
	row := func(name string, seconds, mb float64) {
		memory := "-"
		if mb > 0 {
			memory = fmt.Sprintf("%.0f MB", mb)
		}
		fmt.Fprintf(w, "%s\t%.1f s\t%s\t\n", name, seconds, memory)
	}
	for _, p := range builder.Phases {
		if seconds, ok := s.Seconds[p.Key]; ok {
			row(p.Name, seconds, s.PeakMB[p.Key])
			total, peak = total+seconds, max(peak, s.PeakMB[p.Key])
		}
	}
	row("all", total, peak)
	w.Flush()
}
