package vision

// Streams of random numbers, each the second half of a generator's seed; the first half is
// Options.Seed, and the step where a step draws. Other values give other weights.
const (
	streamWeights    uint64 = 0x57a6e1 // starting weights of stage 1
	streamClassifier uint64 = 0xc1a551 // starting weights, and variations, of stage 3
	streamDither     uint64 = 0xd17e4  // dither of a batch; variations of image i have stream i
)
