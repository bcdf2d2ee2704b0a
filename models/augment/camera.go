package augment

import (
	"math/rand/v2"
	"sync"
)

// What a camera changes.
const (
	maxShift       = 2    // pixels each way
	maxGain        = 0.15 // share of the brightness
	maxTint        = 0.05 // share of each colour's brightness
	noiseDeviation = 3.0  // standard deviation, 8-bit levels
)

// asCamera writes a mild variation of an image to dst: shifted, brighter or darker, tinted, noisy,
// as between two images of one scene. The cost is a table look-up and an addition a byte.
func asCamera(dst, src []uint8, size int, rng *rand.Rand) {
	dx, dy := rng.IntN(2*maxShift+1)-maxShift, rng.IntN(2*maxShift+1)-maxShift
	var level [3][256]int16
	gain := 1 + maxGain*(2*rng.Float64()-1)
	for c := range level {
		scale := gain * (1 + maxTint*(2*rng.Float64()-1))
		for v := range level[c] {
			level[c][v] = int16(float64(v)*scale + 0.5)
		}
	}
	noise := noiseTable()
	at := rng.IntN(len(noise) - 3*size)
	for y := range size {
		row := src[min(max(y+dy, 0), size-1)*size*3:]
		grain := noise[(at+y*7919)%(len(noise)-3*size):]
		for x := range size {
			from := min(max(x+dx, 0), size-1) * 3
			for c := range 3 {
				v := level[c][row[from+c]] + int16(grain[3*x+c])
				dst[(y*size+x)*3+c] = uint8(min(max(v, 0), 255))
			}
		}
	}
}

// streamNoise is the stream of random numbers of noiseTable. Another one gives other weights.
const streamNoise uint64 = 0x6e6f6973

// noiseTable is sensor noise that is drawn once and read from a different place for each row of
// each image.
var noiseTable = sync.OnceValue(func() []int8 {
	rng := rand.New(rand.NewPCG(1, streamNoise))
	table := make([]int8, 1<<18)
	for i := range table {
		table[i] = int8(noiseDeviation * rng.NormFloat64())
	}
	return table
})
