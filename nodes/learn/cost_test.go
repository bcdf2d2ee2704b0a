package learn

import (
	"errors"
	"runtime"
	"runtime/debug"
	"testing"
)

// TestPeakMemoryIsByPart: a part that needs much does not count for the next.
func TestPeakMemoryIsByPart(t *testing.T) {
	if runtime.GOOS != "linux" || !resetPeak() {
		t.Skip("the system does not tell the peak of resident memory")
	}
	const size = 256 << 20
	big, err := Measure(func() error {
		block := make([]byte, size)
		for i := 0; i < size; i += 4096 {
			block[i] = 1
		}
		runtime.KeepAlive(block)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	debug.FreeOSMemory()
	small, err := Measure(func() error { return errors.New("stopped") })
	if err == nil {
		t.Error("the error of the part is lost")
	}
	if big.PeakMemory < size || small.PeakMemory <= 0 || small.PeakMemory > big.PeakMemory-size/2 {
		t.Errorf("peaks %d and %d bytes for %d and none", big.PeakMemory, small.PeakMemory, size)
	}
}
