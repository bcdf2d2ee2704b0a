package node

import (
	"testing"
	"time"
)

func TestContinuity(t *testing.T) {
	at := func(s int) time.Time { return time.Unix(int64(1000+s), 0) }
	for name, c := range map[string]struct {
		events func(*continuity)
		broken bool
	}{
		"the first":          {func(*continuity) {}, true},
		"after a transition": {func(c *continuity) { c.mends(at(1), false) }, false},
		"after a refused one": {func(c *continuity) { c.mends(at(1), false); c.mends(at(2), true) },
			false},
		"refused at first":   {func(c *continuity) { c.mends(at(1), true) }, true},
		"after a failed one": {func(c *continuity) { c.mends(at(1), false); c.breaks() }, true},
		"reset": {func(c *continuity) { c.mends(at(1), false); c.resets(at(2)) },
			true},
		"one after the reset": {
			func(c *continuity) { c.mends(at(1), false); c.resets(at(2)); c.mends(at(3), false) }, false},
		"refused after the reset": {
			func(c *continuity) { c.mends(at(1), false); c.resets(at(2)); c.mends(at(3), true) }, true},
		"reset overtakes": {func(c *continuity) { c.resets(at(2)); c.mends(at(1), false) },
			true},
		"reset overtakes a refusal": {
			func(c *continuity) { c.mends(at(0), false); c.resets(at(2)); c.mends(at(1), true) }, true},
		"one after both": {
			func(c *continuity) { c.resets(at(2)); c.mends(at(1), false); c.mends(at(3), false) }, false},
	} {
		k := continuity{broken: true}
		if c.events(&k); k.broken != c.broken {
			t.Errorf("%s: broken %t", name, k.broken)
		}
	}
}
