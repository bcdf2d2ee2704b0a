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

	"stripswm/models/bundle"
	"stripswm/models/imageplan"
	"stripswm/models/inference"
	"stripswm/models/pixels"
	"stripswm/models/planner"
	"stripswm/nodes/sim"
	"stripswm/nodes/sim/camera"
)

// BenchmarkImageToPlan times what a planner does with two camera images of
// 640x480 pixels in PNG files: decode, classify, search, on one core.
func BenchmarkImageToPlan(b *testing.B) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	p := must(imageplan.Open(checkedIn, imageplan.Options{Inference: inference.Options{Threads: 1},
		Nearest: true}))
	defer p.Close()
	var files [2][]byte
	for i, s := range []sim.State{0, 15} {
		img := must(camera.New(640, 480).Render(blocks(), s, 1<<61|uint64(i)))
		path := filepath.Join(b.TempDir(), "image.png")
		f := must(os.Create(path))
		must(0, png.Encode(f, img))
		f.Close()
		files[i] = must(os.ReadFile(path))
	}
	var times []time.Duration
	for b.Loop() {
		begin := time.Now()
		var images [2]pixels.RGB
		for i, data := range files {
			images[i] = must(pixels.Decode(data))
		}
		r, err := p.Plan(context.Background(), images[0], images[1])
		if err != nil || r.Outcome == planner.LimitReached {
			b.Fatal(r.Outcome, err)
		}
		times = append(times, time.Since(begin))
	}
	slices.Sort(times)
	b.ReportMetric(times[len(times)/2].Seconds()*1e3, "ms-median")
	b.ReportMetric(times[len(times)*99/100].Seconds()*1e3, "ms-p99")
}

// BenchmarkRecognitionCheck times what it takes to recognize an image of 640x480 pixels, and how
// much of that the gate takes: encoder, looks and contrast beside the classifier.
func BenchmarkRecognitionCheck(b *testing.B) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	one := inference.Options{Threads: 1}
	gated := must(imageplan.Open(checkedIn, imageplan.Options{Inference: one}))
	defer gated.Close()
	network := must(bundle.Use(gated.Bundle(), bundle.Classifier, inference.Open, one))
	plain := must(imageplan.New(gated.Model(), network, imageplan.Options{}))
	defer plain.Close()
	img := must(camera.New(640, 480).Render(blocks(), 7, 1<<61))
	small := pixels.FromImage(img)
	times := map[*imageplan.Planner][]time.Duration{}
	for b.Loop() {
		for _, p := range []*imageplan.Planner{plain, gated} {
			begin := time.Now()
			must(p.Recognize(small))
			times[p] = append(times[p], time.Since(begin))
		}
	}
	median := func(p *imageplan.Planner) float64 {
		slices.Sort(times[p])
		return times[p][len(times[p])/2].Seconds() * 1e3
	}
	b.ReportMetric(median(gated), "ms-recognize")
	b.ReportMetric(median(gated)-median(plain), "ms-gate")
	b.ReportMetric(median(gated)/median(plain), "times-ungated")
}
