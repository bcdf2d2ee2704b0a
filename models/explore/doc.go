// Package explore chooses what a robot tries next while nothing or little is known of its
// skills, so that a recording shows more states and edges for the same number of attempts.
//
// Its main type is Chooser. It is told of every attempt, as codes of what was seen before and
// after, and asked what to try at the code that is seen now:
//
//	c, err := explore.New(labels, explore.Options{Within: 71})
//	choice, err := c.Next(ctx, at)
//	err = c.Observe(ctx, explore.Attempt{At: at, Action: choice.Action, Refused: refused, To: after})
//
// A code may be of an encoder, or before there is one a name for the moment: where nothing
// but refused attempts lie between, the state is the same. When an encoder has been learned, a new Chooser is told of
// all attempts again, and Bits says whether they can be told shorter by its codes.
//
// What decides is the odds that a pair of a node and an action applies, over the attempts that it
// takes to get there and make it. They come of what the action did at the nodes beside (survivals: most of
// what a skill needs is left alone by the others), and of the operators that the attempts so far
// allow, learned anew after each that shows something (operators.Relearn); how much either tells
// is learned, too, from every attempt so far (calibration). A new state's actions are thus tried
// in the order in which they are likely to apply, and an action that was refused everywhere waits until something
// that it may need has changed. Where nothing is left that was not tried, pairs are tried again, those first that are likeliest to
// come out otherwise: two states may have one code.
//
// In a region (Options.Within) that is full, what counts is how many pairs of its nodes have a way more if
// the pair applies. Unseen says what exploring on is expected to show: the sum of the odds, and the states behind.
//
// # What was tried
//
// Attempts until all of BlocksWorld's 16 states are known, with ways between all, where every state is recognized (go test -bench
// Attempts): 218, drawing evenly 1,231 (means of three seeds). On the Real-like table with 64 skills, 3.7 of which apply in a
// state, 33 to 49 states come in 750 attempts and 54 to 70 in 1,000: each skill has to be found by trial before anything
// can be said of it, which takes some 13 attempts, and its undoing is another.
//
// Of moments, dividing what a pair is worth by how often its action has applied: until 16 skills have succeeded, 9.1 in place of 7.6
// edges of BlocksWorld in 72 in place of 57 attempts, of the Real-like table with few skills 15.4 in place of 13.6 in 44 in
// place of 45, of key and door with few skills 10.1 in place of 7.8 in 25 in place of 30 (means of eight seeds).
//
// No better: how many pairs of nodes have a way more, as the worth of a pair while the region has room; regions that grow
// to twice or four times what is strongly connected; what was tried at nodes that may be the same state under another code, as evidence
// beside the neighbours (a third of the moments coded otherwise: 226 attempts until all states are seen, without it 224).
package explore
