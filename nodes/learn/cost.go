package learn

import "time"

// Cost is what a part of a run took.
type Cost struct {
	Seconds float64
	// PeakMemory is the most memory of the process, in bytes, that was resident
	// at once, what earlier parts left behind included; 0 where the system does
	// not tell (it does on Linux).
	PeakMemory int64
}

// Measure runs one part and says what it took. Parts must not overlap.
func Measure(part func() error) (Cost, error) {
	known := resetPeak()
	start := time.Now()
	err := part()
	c := Cost{Seconds: time.Since(start).Seconds()}
	if known {
		c.PeakMemory = peakMemory()
	}
	return c, err
}
