package check

import "fmt"

// untried asks that the pairs which the model calls untried are those of no edge and
// of no missing pair at whose node all operators of the action that apply, one at
// least, come to the same.
func (c *checker) untried(missing []Pair) {
	known := map[Pair]bool{}
	for _, pair := range missing {
		known[pair] = true
	}
	seen := c.seen()
	listed := map[Pair]bool{}
	for _, u := range c.m.Untried {
		pair := Pair{u.Node, u.Action}
		if listed[pair] {
			c.fault("untried (%d, %d) is listed twice", u.Node, u.Action)
		}
		listed[pair] = true
	}
	c.sum.Untried = len(listed)
	for _, pair := range AllMissing(c.g) {
		open := !known[pair] && !seen[c.inCode(pair)] && c.predicts(pair)
		if open != listed[pair] {
			c.fault("untried: that %s was not tried in node %d is listed: %t, want %t",
				c.g.Labels[pair.Action-1], pair.State, listed[pair], open)
		}
		delete(listed, pair)
	}
	for _, u := range c.m.Untried {
		if listed[Pair{u.Node, u.Action}] {
			c.fault("untried (%d, %d) was seen to succeed", u.Node, u.Action)
		}
	}
}

// seen is the actions that succeeded, each in the code of the node where it did.
func (c *checker) seen() map[string]bool {
	seen := map[string]bool{}
	for _, e := range c.g.Edges {
		seen[c.inCode(Pair{e.Source, e.Action})] = true
	}
	return seen
}

// inCode is a pair's action and its node's code.
func (c *checker) inCode(pair Pair) string { return fmt.Sprint(pair.Action, c.code[pair.State]) }

// predicts says whether some operator of the action applies, and all that do agree.
func (c *checker) predicts(pair Pair) bool {
	from := c.code[pair.State]
	outcomes := map[string]bool{}
	for _, k := range c.byAction[pair.Action-1] {
		if !k.applies(from) {
			continue
		}
		to := make([]bool, len(from))
		for p := range from {
			to[p] = k.after(from, p)
		}
		outcomes[fmt.Sprint(to)] = true
	}
	return len(outcomes) == 1
}
