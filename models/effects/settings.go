package effects

// Numbers that were tuned, or chosen, and why. nodes/eval/effects measures what they do.
const (
	// wrongShare is the share of attempts that show something else than what was recorded: labels
	// that are wrong, changes by hand. It bounds what one attempt says to log(spanned/wrongShare).
	wrongShare = 0.05
	// spanned is the range of responses over which wrong ones are spread evenly.
	spanned = 4.0
	// bias is the standard deviation of a pair's mean response around -1, 0 or 1: skills change a
	// part of what others do. Two skills that share half of their effect stay undecided.
	bias = 0.15
	// alikeBias is likewise that of the cosine of two skills' changes that are the same; of those of
	// different things at one place it is 0.2 to 0.9.
	alikeBias = 0.05
	// keeping is the evidence in nats from which a skill leaves an effect: one clear response. To undo
	// one takes more, since most skills leave it.
	keeping = 3
	// leastSpread bounds the standard deviation of single responses from below, which a few
	// successes may underestimate.
	leastSpread = 0.1
	// nearly is how clear a value's change is at least, relative to that of the clearest one.
	nearly = 0.5
	// modes is how many directions of variation without change are taken out: light from another
	// side, shake, shadows.
	modes = 8
	// stillPairs is how many pairs of images of one state these are learned from, at most.
	stillPairs = 256
	// trimmed is the share of such pairs that differ most and are left out: somebody may have
	// changed something.
	trimmed = 0.2
	// mostParts a skill changes, at most.
	mostParts = 4
	// reach is how many pixels apart two of one part are at most.
	reach = 2
	// fewSuccesses are too few to learn a detector from.
	fewSuccesses = 4
	// priorSuccesses is how many successes the variance of all skills counts as much as.
	priorSuccesses = 4
)
