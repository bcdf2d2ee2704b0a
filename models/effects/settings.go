package effects

// Numbers that were tuned, or chosen, and why. test/experiments/effects.yaml measures what
// they do.
const (
	// modes is how many directions of variation without change are taken out of differences: light
	// from another side, shake, shadows.
	modes = 8
	// stillPairs is how many pairs of images of one state these are learned from, at most, and how
	// many images the median image.
	stillPairs = 256
	// trimmed is the share of such pairs that differ most and are left out: somebody may have
	// changed something.
	trimmed = 0.2
	// falsePlaces is the expected number of places, of a whole recording, that are found where there
	// is nothing, of each kind of test.
	falsePlaces = 0.01
	// rarely is the share of differences in which nothing happens that exceed a cell's level. 0.01 and
	// 0.05 find the same.
	rarely = 0.02
	// uneven is how many times as often they do in some skills, since cells are not alike.
	uneven = 1.5
	// mostLooks a variable has, at most: an object at each of many places is a variable each, so that
	// a world of ten times as many places needs no more, but ten times as many objects would.
	mostLooks = 32
	// fewLooks are too few images for a look.
	fewLooks = 5
	// lookDims is the number of directions in which looks are compared. Where images vary by noise
	// alone, more would drown the differences.
	lookDims = 8
	// closeDims is that of directions in which one look is divided again, at most: the things that it
	// may be are few, and each direction more adds noise.
	closeDims = 3
	// recenterings is how often points are given the look of the nearest mean. After 2 few change.
	recenterings = 3
	// placeDims is the number of directions of which these are chosen. Most places have fewer values.
	placeDims = 64
	// nearby is the distance of images that need not be told apart, in standard deviations of two
	// images of one state: in 8 directions these are sqrt(8) apart, about, and few are farther.
	nearby = 4.0
	// mostLeaders bounds the looks that are clustered, whose distances take time and room.
	mostLeaders = 500
	// mostDivisions of a place into looks are tried, those with the widest gaps: what skills tell
	// decides between them.
	mostDivisions = 4
	// keepShare is the prior share of skills after which a look is as before, and priorMass is how
	// many successes the prior counts as much as. Evidence is hundreds of nats, and the prior a few.
	keepShare = 0.8
	priorMass = 0.3
	// mostSurprises is the share of a variable's changes, and of images, that may be otherwise
	// than skills tell, or not clear: wrong labels, changes by hand, hidden places.
	mostSurprises = 0.05
	// mostByChance is the share of the skills that change a variable that may do so by chance. Where a
	// thing is seen badly, or two are, those that move it surprise: one in four of four things.
	mostByChance = 0.12
	// misread is the share of images that may be read wrong where the looks of one variable tell
	// those of another, and ownLooks that of those that do not have its most frequent look.
	misread  = 0.02
	ownLooks = 0.1
	// exclusive is how often two looks would meet by chance, at least, if that they never do says that
	// they exclude each other: one pair in 150 does not meet by chance, and its looks stay apart.
	exclusive = 5
	// seldom is the share of what chance would have meet that may, of looks which exclude each other.
	// Looks of different things meet as often as by chance, or more often.
	seldom = 0.1
	// leastWrong is the share of successes that show something else than what a skill does, at least:
	// one in so many attempts goes wrong in any recording. Where more of a variable's changes are
	// otherwise than skills tell, that share counts.
	leastWrong = 0.002
	// fewOfVariant are too few successes for a variant: as many may be misread.
	fewOfVariant = 3
)

// scales are how alike the changes of a place's cells are: the share of successes at which two
// change, of those at which one does. Things that are nearly one in the image need a larger one,
// and large things that look different in parts a smaller one.
var scales = []float64{0.3, 0.5, 0.7}
