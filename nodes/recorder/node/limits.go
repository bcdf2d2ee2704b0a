package node

const (
	// waiting is how many statuses, and resets, may wait while the disk is busy. They are small, and
	// each of them counts: a lost one costs an attempt.
	waiting = 1000

	// images is how many images wait to be classified for the coverage: those of eight attempts. What
	// does not fit is left out, so that the recording never waits.
	images = 16

	// tooMany is the share of the camera's images that may be lost before /diagnostics warns. Single
	// ones are lost on any network.
	tooMany = 0.1

	// darkBits is how many of 16 bits samples may use before images are too dark: a quarter of the
	// scale. Sensors of 8 to 14 bits in the lower bits use no more.
	darkBits = 14
)
