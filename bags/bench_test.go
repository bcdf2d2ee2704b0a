package bags_test

import (
	"context"
	"image"
	"math/rand/v2"
	"path/filepath"
	"testing"

	"stripswm/bags"
	"stripswm/msgs"
)

// noise is an image that does not compress.
func noise(sec int32, width, height int) *msgs.Image {
	img := image.NewRGBA(image.Rect(0, 0, width, height))
	r := rand.New(rand.NewPCG(uint64(sec), 1))
	for i := range img.Pix {
		img.Pix[i] = byte(r.Uint32())
	}
	return msgs.NewImage(msgs.Header{Stamp: msgs.Time{Sec: sec}, FrameID: "camera"}, img)
}

// recordN writes n attempts with two fresh images each.
func recordN(b *testing.B, dir string, o bags.Options, n, width, height int) {
	m := noise(1, width, height)
	w := must(bags.Create(dir, o))
	for i := range int32(n) {
		for _, sec := range []int32{2 * i, 2*i + 1} {
			m.Header.Stamp.Sec = sec
			must(0, w.WriteImage(camera, m))
		}
		must(0, w.WriteTransition(&msgs.Transition{ImageTopic: camera, Before: msgs.Time{Sec: 2 * i},
			Action: 1,
			After:  msgs.Time{Sec: 2*i + 1}, Outcome: msgs.TransitionSucceeded}))
	}
	must(0, w.Close())
}

const attemptBytes64 = 2 * 64 * 64 * 3
const attemptBytes640 = 2 * 640 * 480 * 3

func BenchmarkWrite(b *testing.B) {
	for _, bm := range []struct {
		name          string
		o             bags.Options
		width, height int
		bytes         int64
	}{
		{"64x64 synced each", bags.Options{}, 64, 64, attemptBytes64},
		{"64x64 synced by 50", bags.Options{SyncEvery: 50}, 64, 64, attemptBytes64},
		{"64x64 synced at end", bags.Options{SyncEvery: -1}, 64, 64, attemptBytes64},
		{"640x480 synced each", bags.Options{}, 640, 480, attemptBytes640},
		{"640x480 synced at end", bags.Options{SyncEvery: -1}, 640, 480, attemptBytes640},
	} {
		b.Run(bm.name, func(b *testing.B) {
			b.SetBytes(bm.bytes)
			recordN(b, filepath.Join(b.TempDir(), "run"), bm.o, b.N, bm.width, bm.height)
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "transitions/s")
		})
	}
}

func BenchmarkRead(b *testing.B) {
	const n = 500
	for _, compression := range []string{"none", "zstd"} {
		o := bags.Options{SyncEvery: -1}
		if compression == "zstd" {
			o.Compression = compression
		}
		dir := filepath.Join(b.TempDir(), "run")
		recordN(b, dir, o, n, 64, 64)
		b.Run("transitions with pixels, "+compression, func(b *testing.B) {
			b.SetBytes(n * attemptBytes64)
			for b.Loop() {
				r := must(bags.Open(dir))
				for t, err := range r.Transitions(context.Background()) {
					must(0, err)
					for _, im := range []bags.Image{t.Before, t.After} {
						must(im.Message())
					}
				}
				must(0, r.Close())
			}
			b.ReportMetric(n*float64(b.N)/b.Elapsed().Seconds(), "transitions/s")
		})
		b.Run("check, "+compression, func(b *testing.B) {
			b.SetBytes(n * attemptBytes64)
			for b.Loop() {
				if report, err := bags.Check(context.Background(), dir, decode, nil); err != nil ||
					report.Class != bags.Intact {
					b.Fatal(report, err)
				}
			}
			b.ReportMetric(n*float64(b.N)/b.Elapsed().Seconds(), "transitions/s")
		})
	}
}
