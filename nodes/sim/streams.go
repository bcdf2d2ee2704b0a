package sim

// Streams keep the random numbers of one seed apart. A recording of a seed has the same bytes only
// while they keep their values.
const (
	streamDistance uint64 = 0x51e57 // queries at each distance
	streamPolicy   uint64 = 0x3a1c  // skills that a policy draws
	streamFailures uint64 = 0xfa11  // attempts that fail
	streamResets   uint64 = 0x4a2d  // states that resets lead to
)
