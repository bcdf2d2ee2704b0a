package eval

// Streams keep the random numbers of one seed apart.
const (
	streamQueries   uint64 = 0x51e57 // queries in a folder of images
	streamFaulty    uint64 = 0xfa17  // tables with an object removed, doubled or moved
	streamUnrelated uint64 = 0xf04e  // unrelated images
	streamCorrupted uint64 = 0xa17e  // corrupted images
)
