package camera

import (
	"fmt"
	"syscall"
	"testing"
	"time"

	"stripswm/nodes/sim"
)

// BenchmarkCamera takes images on one goroutine and reports images a second: by the clock, and by
// the processor's time, which other work on the machine disturbs less.
func BenchmarkCamera(b *testing.B) {
	for _, name := range sim.Names() {
		for _, size := range [][2]int{{64, 64}, {128, 128}, {228, 228}, {640, 480}} {
			b.Run(fmt.Sprintf("%s/%dx%d", name, size[0], size[1]), func(b *testing.B) {
				w, err := sim.New(name)
				if err != nil {
					b.Fatal(err)
				}
				c := New(size[0], size[1])
				// The first image makes the table's texture.
				if _, err := c.Render(w, 0, 0); err != nil {
					b.Fatal(err)
				}
				seed := uint64(0)
				b.ReportAllocs()
				start := processorTime(b)
				for b.Loop() {
					seed++
					if _, err := c.Render(w, sim.State(seed%uint64(w.NumStates())), seed); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "images/s")
				b.ReportMetric(float64(b.N)/(processorTime(b)-start).Seconds(), "images/cpu-s")
			})
		}
	}
}

func processorTime(b *testing.B) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
