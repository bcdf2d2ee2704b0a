// Package policy chooses what a robot tries next while little is known of its skills, so that a
// recording shows more states and edges for the same number of attempts.
//
// The main type is [Chooser]. It is told each attempt, as codes of the images before and after, and
// is asked what to try at the current code:
//
//	Attempt --Observe--> Chooser --Next--> Choice --Unseen--> what more attempts should show
//
//	c, err := policy.New(labels, policy.Options{Within: 71})
//	choice, err := c.Next(ctx, at)
//	err = c.Observe(ctx, policy.Attempt{At: at, Action: choice.Action, Refused: refused, To: after})
//
// A code is that of an encoder. Before there is an encoder it is a name of the static interval
// (Options.Static intervals): while skills are refused, the state is the same. When an encoder has
// been trained, a new Chooser is told all attempts again. [Chooser.Bits] says whether its codes
// describe the attempts in fewer bits.
//
// Next chooses the pair of a node and an action with the best odds of applying, over the number of
// attempts that it takes to get there and try it. The odds combine:
//   - what the action did at neighbouring nodes, because most actions leave most of what a skill
//     needs unchanged (survival);
//   - the operators that the attempts so far allow, learned again after each attempt that shows
//     something (operators.Relearn);
//   - how reliable both are, estimated from all attempts so far (calibration).
//
// So the actions of a new state are tried in the order in which they are likely to apply. An action
// that was refused everywhere waits until something that it may need has changed. If every pair was
// tried, pairs are tried again, first those that are likeliest to have another result: two states
// may have one code.
//
// In a full region (Options.Within) a pair is worth the number of pairs of nodes that get a path if
// it applies. [Unseen] says what further exploration is expected to show: the sum of the odds, and
// the states behind these edges.
//
// docs/research/exploration.md has the measurements, and what was tried and dropped.
package policy
