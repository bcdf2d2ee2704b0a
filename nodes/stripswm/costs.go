package main

import (
	"fmt"
	"io"
	"text/tabwriter"
)

// printCosts prints time and peak memory of each part of a run.
func printCosts(out io.Writer, s summary) {
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
	for _, p := range phases {
		if seconds, ok := s.Seconds[p.key]; ok {
			row(p.name, seconds, s.PeakMB[p.key])
			total, peak = total+seconds, max(peak, s.PeakMB[p.key])
		}
	}
	row("all", total, peak)
	w.Flush()
}
