package main

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"time"

	"stripswm/models/traces"
	"stripswm/models/traces/internal/worlds"
)

func main() {
	only := flag.String("world", "", "")
	seeds := flag.Int("seeds", 3, "")
	n := flag.Int("n", 0, "")
	k := flag.Int("k", 0, "")
	v := flag.Bool("v", false, "")
	flag.Parse()
	for _, c := range []struct {
		w *worlds.World
		n []int
	}{
		{worlds.Table(5, 7), []int{1000, 1500, 3000}},
		{worlds.Blocks(), []int{1000}},
		{worlds.Hanoi(4), []int{3000, 6000}},
		{worlds.KeyDoor(), []int{3000, 6000, 12000}},
		{worlds.Puzzle(2, 3), []int{3000, 6000, 12000}},
		{worlds.Vehicles(2, 5, 3), []int{3000, 6000}},
		{worlds.Kitchen(4, 3, 2), []int{3000, 6000}},
	} {
		if !strings.HasPrefix(c.w.Name, *only) {
			continue
		}
		if *n > 0 {
			c.n = []int{*n}
		}
		for _, n := range c.n {
			for seed := range uint64(*seeds) {
				tr := c.w.Record(n, seed+1, worlds.Noise{})
				began := time.Now()
				r, err := traces.Learn(len(c.w.Operators), [][]traces.Attempt{tr}, traces.Options{Support: *k})
				if err != nil {
					fmt.Println(err)
					os.Exit(1)
				}
				took := time.Since(began)
				s, err := c.w.Compare(r.Model.Operators, r.State(0), 50, seed+1)
				facts := 0
				for _, p := range r.Model.Predicates {
					if p.Members == nil {
						facts++
					}
				}
				fmt.Printf("%-14s %6d %d  states %5d P %.5f R %.5f plans %3.0f%%  facts %d derived %d untrue %d %.2fs score %.1fs %+v %v\n", c.w.Name, n, seed+1, s.States, s.Precision, s.Recall, 100*s.Plans,
					facts, len(r.Model.Predicates)-facts, s.Untrue, took.Seconds(), time.Since(began).Seconds()-took.Seconds(), fmt.Sprint(r.Report.Mined, r.Report.Atomic, r.Report.Unions, r.Report.Cut), err)
				if *v {
					show(c.w, r)
				}
			}
		}
	}
}

func show(w *worlds.World, r *traces.Result) {
	for i, p := range r.Model.Predicates {
		fmt.Print("  p", i, ":")
		for _, a := range p.Add {
			fmt.Print(" +", w.Operators[a-1].Name)
		}
		for _, a := range p.Del {
			fmt.Print(" -", w.Operators[a-1].Name)
		}
		fmt.Println("", p.Members)
	}
	for _, o := range r.Model.Operators {
		fmt.Println("  ", w.Operators[o.Action-1].Name, "pos", o.PrePos, "neg", o.PreNeg, "add", o.Add, "del", o.Del)
	}
}
