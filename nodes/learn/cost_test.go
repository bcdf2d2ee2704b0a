package learn

import (
	"errors"
	"fmt"
	"regexp"
	"runtime"
	"runtime/debug"
	"testing"

	"github.com/google/go-cmp/cmp"

	"stripswm/models/vision"
)

// TestPeakMemoryIsByPart: a part that needs much does not count for the next.
func TestPeakMemoryIsByPart(t *testing.T) {
	if runtime.GOOS != "linux" || !resetPeak() {
		t.Skip("the system does not tell the peak of resident memory")
	}
	const size = 256 << 20
	big := must(Measure(func() error {
		block := make([]byte, size)
		for i := 0; i < size; i += 4096 {
			block[i] = 1
		}
		runtime.KeepAlive(block)
		return nil
	}))
	debug.FreeOSMemory()
	small, err := Measure(func() error { return errors.New("stopped") })
	if err == nil {
		t.Error("the error of the part is lost")
	}
	if big.PeakMemory < size || small.PeakMemory <= 0 || small.PeakMemory > big.PeakMemory-size/2 {
		t.Errorf("peaks %d and %d bytes for %d and none", big.PeakMemory, small.PeakMemory, size)
	}
}

// TestProgressSaysWhatIsKnown of a training that begins again and may settle early: no share of an
// end that nobody knows.
func TestProgressSaysWhatIsKnown(t *testing.T) {
	var said []string
	r := &run{Learner: Learner{Progress: func(what string, done, total int, note string) {
		note = regexp.MustCompile(`at most \w+ left, `).ReplaceAllString(note, "")
		said = append(said, fmt.Sprintf("%s: %s %d of %d", what, note, done, total))
	}}}
	tell := r.watch("stage", 64)
	tell(1, 900, nil)
	tell(2, 900, &vision.Evaluation{Codes: 16, Losses: map[string]float64{"total": 0.5}})
	tell(1, 400, nil)
	tell(1, 400, nil)
	want := []string{"stage: step 1 of at most 900, images 64 of 0",
		"stage: step 2 of at most 900, loss 0.500, 16 codes, nondeterminism 0, images 128 of 0",
		"stage, again: step 1 of at most 400, images 64 of 0",
		"stage, again: step 1 of at most 400, images 64 of 0"}
	if diff := cmp.Diff(want, said); diff != "" {
		t.Error(diff)
	}
}
