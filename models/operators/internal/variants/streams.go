package variants

// Streams keep the random numbers of one seed apart. The race takes two streams in each round.
const (
	streamRace   uint64 = 3
	streamRevise uint64 = 4
)
