package main

import (
	"fmt"
	"os"
	"strings"
	"text/tabwriter"

	"stripswm/models/worlds"
)

// failures after which a share of plans is clear enough: no more are made then.
const failures = 40

// curves measures how many plans lead to the goal as a recording grows, by seed, and after how many
// attempts 95 % do in this row and all that follow.
func curves(seeds []uint64, only string) error {
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	for _, c := range []struct {
		world    *worlds.World
		attempts []int
	}{
		{worlds.Table(5, 7), []int{200, 300, 400, 500, 600, 800, 1000, 1500}},
		{worlds.Kitchen(4, 3, 2), []int{300, 400, 500, 600, 800, 1000, 1200, 1500}},
		{worlds.Vehicles(2, 5, 3), []int{600, 800, 1000, 1200, 1500, 2000, 3000, 4000}},
		{worlds.Gripper(4, 3), []int{200, 300, 400, 500, 600, 800, 1000, 1500}},
		{worlds.Blocks(), []int{50, 100, 150, 200, 300, 400, 500, 1000}},
		{worlds.Hanoi(4), []int{500, 800, 1000, 1500, 2000, 3000, 4000, 6000}},
		{worlds.KeyDoor(), []int{500, 1000, 1500, 2000, 3000, 4000, 6000, 12000}},
		{worlds.Fixture(2, 3), []int{500, 800, 1000, 1200, 1500, 2000, 2500, 3000}},
	} {
		if !strings.HasPrefix(c.world.Name, only) {
			continue
		}
		fmt.Fprintf(w, "%s\tseed\t%s\t95 %%\t\n", c.world.Name,
			strings.Trim(strings.Join(strings.Fields(fmt.Sprint(c.attempts)), "\t"), "[]"))
		for _, seed := range seeds {
			row, enough := fmt.Sprintf("\t%d", seed), 0
			for _, n := range c.attempts {
				r, err := learn(c.world, n, seed)
				if err != nil {
					return err
				}
				s, err := c.world.Plans(r.Model.Operators, r.State(0), queries, failures, seed)
				if err != nil {
					return err
				}
				row += fmt.Sprintf("\t%.0f", 100*s)
				if s < 0.95 {
					enough = 0
				} else if enough == 0 {
					enough = n
				}
			}
			fmt.Fprintf(w, "%s\t%d\t\n", row, enough)
		}
	}
	return w.Flush()
}
