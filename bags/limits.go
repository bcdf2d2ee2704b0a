package bags

import "time"

// Bounds on what is read, so that a damaged length, or a file made to do harm, cannot ask for all
// memory or time. What is beyond a bound is refused, and the message has the number.
const (
	// maxRecord is the most bytes of one MCAP record, and of one chunk's contents: ten 4K images of 8
	// bits, not compressed.
	maxRecord = 256 << 20
	// maxMetadata is the most bytes of metadata.yaml. A recording of 1,000 files has some 200 KB.
	maxMetadata = 16 << 20
	// maxImage is the most bytes of an image file in a folder: ten times a large PNG.
	maxImage = 64 << 20
	// maxTable is the most bytes of transitions.csv, and maxRows the most attempts in it: two years
	// of a robot that makes one every fifteen seconds.
	maxTable = 1 << 30
	maxRows  = 1 << 22
	// maxActionID is the largest action id in a table. The learner makes an operator for each id up
	// to the largest, seen or not.
	maxActionID = 1 << 16
	// maxName is the most bytes of an action's name, which stands in plans and plots.
	maxName = 100
	// maxPath is the most bytes of an image's path, as on Linux.
	maxPath = 4096
	// checkedPerByte bounds the search for the next whole chunk behind damage: so many bytes of
	// candidates are read and checked for each byte of the file. A search ends at the first whole
	// chunk, so only a file made to waste time has many candidates.
	checkedPerByte = 4
)

// What is kept in memory, and how much is done at once.
const (
	// maxImages is how many of the latest images a transition may refer to: over half an hour at 30
	// images a second. They take some 20 MB.
	maxImages = 1 << 16
	// cacheSize is the memory, in bytes, for chunks whose images transitions refer back to: eight of
	// the default size. With less than two, each chunk is read once for every image.
	cacheSize = 32 << 20
	// searchBlock is how many bytes of a file are searched for a chunk at once, and readBlock how many
	// are read at once otherwise.
	searchBlock = 1 << 20
	readBlock   = 1 << 16
	// firstBuffer is how many bytes a chunk is decompressed into at first, as its size may be damaged.
	firstBuffer = 1 << 20
	// maxFaults is how many faults a Report lists; it counts all.
	maxFaults = 100
)

// How a recording is written.
const (
	// defaultChunk is Options.ChunkSize, in bytes: four images of 640x480, not compressed. Smaller
	// chunks make a longer index; larger ones lose more to one damaged byte.
	defaultChunk = 4 << 20
	// endSize is the room on the disk, in bytes, for the end of a recording: the indexes of some
	// 19,000 chunks, of 110 bytes each, and metadata.yaml.
	endSize = 2 << 20
)

// clockAdjusted is how far receive times may go back within a file and still tell the order. NTP
// adjusts a clock by less; a simulation that starts again sets it back by more.
const clockAdjusted = time.Second
