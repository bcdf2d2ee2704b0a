package learn

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
)

// resetPeak sets the kernel's high-water mark of resident memory to what is
// resident now (proc(5), clear_refs) and says whether that was possible.
func resetPeak() bool { return os.WriteFile("/proc/self/clear_refs", []byte("5"), 0) == nil }

// peakMemory is the high-water mark in bytes; 0 where it cannot be read.
func peakMemory() int64 {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0
	}
	for lines := bufio.NewScanner(bytes.NewReader(status)); lines.Scan(); {
		var kilobytes int64
		if _, err := fmt.Sscanf(lines.Text(), "VmHWM: %d kB", &kilobytes); err == nil {
			return kilobytes << 10
		}
	}
	return 0
}
