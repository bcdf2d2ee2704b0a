package camera

import (
	"fmt"
	"image"
	"testing"

	"stripswm/nodes/sim"
)

// BenchmarkCamera takes pictures on one goroutine and reports images/s, hence images a second of one core.
func BenchmarkCamera(b *testing.B) {
	for _, name := range sim.Names() {
		for _, size := range [][2]int{{64, 64}, {128, 128}, {228, 228}, {640, 480}} {
			b.Run(fmt.Sprintf("%s/%dx%d", name, size[0], size[1]), func(b *testing.B) {
				w, err := sim.New(name)
				if err != nil {
					b.Fatal(err)
				}
				c := New(size[0], size[1])
				m := image.NewRGBA(image.Rect(0, 0, c.Width, c.Height))
				seed := uint64(0)
				b.ReportAllocs()
				for b.Loop() {
					seed++
					if err := c.RenderTo(m, w, sim.State(seed%uint64(w.NumStates())), seed); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "images/s")
			})
		}
	}
}
