//go:build !linux

package pipeline

func resetPeak() bool { return false }

func peakMemory() int64 { return 0 }
