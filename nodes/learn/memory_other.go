//go:build !linux

package learn

func resetPeak() bool { return false }

func peakMemory() int64 { return 0 }
