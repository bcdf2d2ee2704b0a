package endtoend

import (
	"context"
	"image/png"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"testing"
	"time"

	"stripswm/models/imageplan"
	"stripswm/models/inference"
	"stripswm/models/pixels"
	"stripswm/models/planner"
	"stripswm/nodes/sim"
	"stripswm/nodes/sim/camera"
)

// BenchmarkImageToPlan times what a planner does with two camera pictures of
// 640x480 pixels in PNG files: decode, classify, search, on one core.
func BenchmarkImageToPlan(b *testing.B) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	p, err := imageplan.Open(checkedIn, imageplan.Options{Inference: inference.Options{Threads: 1}, Nearest: true})
	if err != nil {
		b.Fatal(err)
	}
	defer p.Close()
	var files [2][]byte
	for i, s := range []sim.State{0, 15} {
		img, err := camera.New(640, 480).Render(blocks(b), s, 1<<61|uint64(i))
		if err != nil {
			b.Fatal(err)
		}
		path := filepath.Join(b.TempDir(), "picture.png")
		f, err := os.Create(path)
		if err != nil {
			b.Fatal(err)
		}
		if err := png.Encode(f, img); err != nil {
			b.Fatal(err)
		}
		f.Close()
		if files[i], err = os.ReadFile(path); err != nil {
			b.Fatal(err)
		}
	}
	var times []time.Duration
	for b.Loop() {
		begin := time.Now()
		var pictures [2]pixels.RGB
		for i, data := range files {
			if pictures[i], err = pixels.Decode(data); err != nil {
				b.Fatal(err)
			}
		}
		r, err := p.Plan(context.Background(), pictures[0], pictures[1])
		if err != nil || r.Outcome == planner.LimitReached {
			b.Fatal(r.Outcome, err)
		}
		times = append(times, time.Since(begin))
	}
	slices.Sort(times)
	b.ReportMetric(times[len(times)/2].Seconds()*1e3, "ms-median")
	b.ReportMetric(times[len(times)*99/100].Seconds()*1e3, "ms-p99")
}
