package recording

import "time"

const (
	// quiet is how long the log is silent after an attempt is lost, so that a publisher of nothing but
	// bad statuses does not fill it. The Report counts all.
	quiet = 100 * time.Millisecond

	// gapFactor is how many times the usual interval is a gap: half way between one interval and two,
	// and a little more for jitter.
	gapFactor = 1.6

	// inertia is over how many intervals the usual one is found, and fewest from how many on. More
	// follow a change of the camera's rate later; fewer are misled by a few frames that are late.
	inertia = 32
	fewest  = 8

	// scatter is by how much of the usual interval intervals may differ from its multiples, by root
	// mean square, and twice that for each. Intervals at random differ by 0.29.
	scatter = 0.1

	// outliers is the share of intervals that may be near no multiple: a frame that is late makes two
	// such. singles is the share that has to be near the usual interval itself.
	outliers = 0.25
	singles  = 0.2
)
