package workcell_test

import (
	"fmt"
	"testing"
	"time"

	"stripswm/nodes/sim"
	"stripswm/nodes/sim/camera"
	"stripswm/nodes/sim/workcell"
)

// BenchmarkFrame makes frames of a scene in motion, the dearest ones.
func BenchmarkFrame(b *testing.B) {
	for _, size := range [][2]int{{128, 128}, {640, 480}} {
		b.Run(fmt.Sprintf("%dx%d", size[0], size[1]), func(b *testing.B) {
			world, _ := sim.New("blocksworld")
			r, err := workcell.New(workcell.Options{World: world, Camera: camera.New(size[0], size[1]),
				Seed: 1, Noise: 1, Tuning: workcell.Tuning{Skill: time.Hour}})
			if err != nil {
				b.Fatal(err)
			}
			now := time.Unix(1000, 0)
			if _, err := r.Begin(pick, func() time.Time { return now }); err != nil {
				b.Fatal(err)
			}
			pixels := make([]byte, 3*size[0]*size[1])
			for b.Loop() {
				r.Frame(pixels, now.Add(time.Minute))
			}
		})
	}
}
