package exploration_test

import (
	"fmt"
	"regexp"
	"slices"
	"testing"

	"stripswm/models/exploration"
	"stripswm/models/strips"
	"stripswm/models/traces"
	"stripswm/models/worlds"
)

// What an explorer says of its attempts is so by those before it.
func TestExplain(t *testing.T) {
	r := newRobot(t, worlds.Table(3, 5), exploration.Options{Seed: 1})
	var names []string
	for i := range r.world.Operators {
		names = append(names, r.world.Operators[i].Name)
	}
	count := func(a strips.ActionID, o traces.Outcome) (n int) {
		for _, t := range r.trace {
			if t.Action == a && t.Outcome == o {
				n++
			}
		}
		return n
	}
	after := func(a strips.ActionID, before string) (n int) {
		latest := ""
		for _, t := range r.trace {
			if t.Action == a && latest == before {
				n++
			}
			if t.Outcome == traces.Succeeded {
				latest = names[t.Action-1]
			}
		}
		return n
	}
	times := func(n int) string { return fmt.Sprintf("%d time", n) }
	kinds := []struct {
		says string
		true func(c exploration.Choice, said []string) bool
		seen int
	}{
		{`: it was never tried(,|$)`, func(c exploration.Choice, _ []string) bool {
			return count(c.Action, traces.Refused)+count(c.Action, traces.Succeeded) == 0
		}, 0},
		{`it was refused (\d+ time)s? and has not succeeded yet`,
			func(c exploration.Choice, said []string) bool {
				return said[1] == times(count(c.Action, traces.Refused)) &&
					count(c.Action, traces.Succeeded) == 0
			}, 0},
		{`it has succeeded only (\d+ time)`, func(c exploration.Choice, said []string) bool {
			return said[1] == times(count(c.Action, traces.Succeeded))
		}, 0},
		{`it was never tried after (\w+)`, func(c exploration.Choice, said []string) bool {
			return slices.Contains(names, said[1]) && after(c.Action, said[1]) == 0
		}, 0},
		{`it does not need ((not )?\w+) \((\d+) % likely\)`,
			func(c exploration.Choice, _ []string) bool {
				return count(c.Action, traces.Succeeded) > 0
			}, 0},
		{`on the way to (\w+)`, func(c exploration.Choice, said []string) bool {
			return c.Steps > 0 && slices.Contains(names, said[1])
		}, 0},
		{`drawn`, func(c exploration.Choice, _ []string) bool { return c.Drawn }, 0},
	}
	for range 1500 {
		c, err := r.Next()
		if err != nil {
			t.Fatal(err)
		}
		sentence := r.Explain(c, names)
		for i := range kinds {
			k := &kinds[i]
			if said := regexp.MustCompile(k.says).FindStringSubmatch(sentence); said != nil {
				if k.seen++; !k.true(c, said) {
					t.Errorf("attempt %d: %q is not true", len(r.trace)+1, sentence)
				}
			}
		}
		r.do(t, c.Action)
	}
	for _, k := range kinds {
		if k.seen == 0 {
			t.Errorf("no attempt is explained by %q", k.says)
		}
	}
}
