package node_test

import (
	"image"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"stripswm/bags"
	"stripswm/msgs"
	"stripswm/nodes/recorder/node"
	"stripswm/nodes/ros"
	"stripswm/nodes/ros/rostest"
)

// TestOnlyRegionCounts has somebody walk through the left half of the images all the time.
func TestOnlyRegionCounts(t *testing.T) {
	for region, want := range map[string]uint8{"[]": msgs.TransitionFailed,
		"[0.5, 0.0, 0.5, 1.0]": msgs.TransitionSucceeded} {
		t.Run(region, func(t *testing.T) {
			t.Parallel()
			s := open(t, "region:="+region, "timeout:=0.4")
			shots := 0
			s.image = func(h msgs.Header) *msgs.Image {
				shots++
				m := image.NewGray(image.Rect(0, 0, 32, 32))
				for i := range m.Pix {
					m.Pix[i] = uint8(i)
					if i%32 < 16 {
						m.Pix[i] = uint8(shots % 3 * 80)
					}
				}
				return msgs.NewImage(h, m)
			}
			if m := s.skill(); m.Outcome != want {
				t.Errorf("%+v, want outcome %d", m, want)
			}
			must(0, s.recorder.Close())
			r := must(bags.Open(s.dir))
			defer r.Close()
			var cameras []bags.Camera
			for m, err := range r.Messages(t.Context(), bags.CameraTopic) {
				var text msgs.String
				must(0, err)
				must(0, m.Decode(&text))
				cameras = append(cameras, must(bags.ParseCamera(&text)))
			}
			if told := len(cameras) == 1 &&
				slices.Equal(cameras[0].Region, []float64{0.5, 0, 0.5, 1}); told != (region != "[]") {
				t.Errorf("the bag says %+v", cameras)
			}
		})
	}
}

// TestDarkSamplesAreNamed: a camera of 12 bits in 16 makes nearly black images, unless somebody
// says so.
func TestDarkSamplesAreNamed(t *testing.T) {
	for bits, want := range map[string]string{"0": "use 12 of them so far", "12": "recording",
		"10": "samples use 12 bits, and bits is 10"} {
		t.Run(bits, func(t *testing.T) {
			t.Parallel()
			s := open(t, "bits:="+bits, "contrast:=0.0")
			s.image = func(h msgs.Header) *msgs.Image {
				m := &msgs.Image{Header: h, Width: 32, Height: 32, Encoding: "mono16", Step: 64}
				for i := range 32 * 32 {
					m.Data = append(m.Data, uint8(i*4), uint8(i>>6))
				}
				return m
			}
			s.skill()
			s.says(want, func() { s.watch(1) })
		})
	}
}

// TestTooManyImages are those that no machine takes; /diagnostics says how many it does.
func TestTooManyImages(t *testing.T) {
	s := open(t)
	rng := rand.New(rand.NewPCG(1, 1))
	s.says("images a second are lost, of 0.0 MB each; it takes some ", func() {
		s.now = s.now.Add(10 * time.Millisecond)
		if rng.IntN(2) == 0 {
			h := msgs.Header{Stamp: msgs.TimeFrom(s.now)}
			must(0, s.raw.Publish(msgs.NewImage(h, image.NewGray(image.Rect(0, 0, 32, 32)))))
		}
	})
}

// TestAutoRecordsBothTransports has a camera whose driver is started again with the other
// transport, in one recording.
func TestAutoRecordsBothTransports(t *testing.T) {
	s := open(t)
	must(0, s.compressed.Close())
	s.compressed = nil
	first := s.skill()
	must(0, s.raw.Close())
	s.raw, s.compressed = nil, must(ros.Advertise[*msgs.CompressedImage](s.tester,
		"camera/image_raw/compressed", ros.SensorData))
	for s.compressed.Subscribers() == 0 {
		time.Sleep(10 * time.Millisecond)
	}
	second := s.skill()
	if first.ImageTopic != "/camera/image_raw" ||
		second.ImageTopic != "/camera/image_raw/compressed" ||
		second.Outcome != msgs.TransitionSucceeded {
		t.Errorf("%+v\n%+v", first, second)
	}
	must(0, s.recorder.Close())
	if report, err := bags.Check(t.Context(), s.dir, nil, nil); err != nil ||
		report.Class != bags.Intact || report.Succeeded != 2 {
		t.Errorf("%v, %v", report, err)
	}
}

func TestBadRegions(t *testing.T) {
	for _, p := range []string{"region:=[0.5, 0.0, 0.6, 1.0]", "region:=[0.5]", "bits:=7"} {
		n := newNode(t, rostest.NewBus(), "recorder", "min_free:=0", p)
		if r, err := node.New(n, &rostest.Log{}); err == nil {
			t.Errorf("%s was taken", p)
			r.Close()
		}
	}
}

// says waits for the text in /diagnostics, while the camera shows something every 10 ms, and
// returns the message.
func (s *studio) says(text string, show func()) (last string) {
	s.t.Helper()
	shots := time.NewTicker(10 * time.Millisecond)
	defer shots.Stop()
	for patience := time.After(10 * time.Second); ; {
		select {
		case <-shots.C:
			show()
		case s.latest = <-s.diagnostics:
			if last = s.latest.Status[0].Message; strings.Contains(last, text) {
				return last
			}
		case <-patience:
			s.t.Fatalf("/diagnostics says %q, want %q", last, text)
		}
	}
}
