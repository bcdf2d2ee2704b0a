package bags_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"stripswm/bags"
)

// TestMissingBytesCostTheirChunkAlone removes bytes from one chunk of a recording, or puts some in.
func TestMissingBytesCostTheirChunkAlone(t *testing.T) {
	const n = 20
	r := rand.New(rand.NewPCG(5, 6))
	for _, compression := range []string{"", "zstd"} {
		for _, closed := range []bool{true, false} {
			dir, data, sizes := acknowledgedAt(t, bags.Options{Compression: compression}, n)
			if !closed {
				data = data[:sizes[n-1]]
			}
			for _, chunk := range []int{2, 3, n / 2, n - 1} { // the first has the topics' definitions
				begin, end := int(sizes[chunk-1]), int(sizes[chunk])
				at := begin + r.IntN(end-begin-1)
				for name, with := range map[string][]byte{
					"a byte missing": slices.Concat(data[:at], data[at+1:]),
					"more missing":   slices.Concat(data[:at], data[at+1+r.IntN(end-at-1):]),
					"a byte more":    slices.Concat(data[:at], []byte{6}, data[at:]),
					"zeros put into": slices.Concat(data[:at], make([]byte, 100), data[at:]),
				} {
					broken := damaged(t, dir, with, closed)
					report := repair(t, broken)
					want := n - 2 // the attempt after that of the chunk began with its image
					if chunk == n-1 {
						want = n - 1
					}
					if got, err := attempts(t, broken); err != nil || len(got) != report.Kept { // compares pixels
						t.Errorf("%d read after %+v, %v", len(got), report, err)
					}
					if report.Kept < want || report.Lost > n-want {
						t.Errorf("%q closed %v, chunk %d, %s at %d: kept %d of %d, lost %d",
							compression, closed, chunk, name, at-begin, report.Kept, n, report.Lost)
					}
				}
			}
		}
	}
}
