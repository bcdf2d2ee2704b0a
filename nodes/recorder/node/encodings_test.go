package node_test

import (
	"image"
	"strings"
	"testing"
	"time"

	"stripswm/models/pixels"
	"stripswm/msgs"
)

// TestEncodingsOfCameras records from cameras of each encoding: those that can be converted are,
// and of the others /diagnostics says within two seconds what is wrong, where, and what to do.
func TestEncodingsOfCameras(t *testing.T) {
	for encoding, bytes := range map[string]int{
		"bayer_rggb8": 1, "bayer_bggr8": 1, "bayer_gbrg8": 1, "bayer_grbg8": 1, "mono16": 2, "16UC1": 2,
		"yuv422_yuy2": 2, "uyvy": 2, "yuv422": 2, "8UC3": 3,
		"nv12": 1, // and half as many rows again
		"":     0, "rgb": 0, "32FC1": 0, "RGB8": 0, "bgr8; jpeg": 0,
	} {
		t.Run("encoding "+encoding, func(t *testing.T) {
			t.Parallel()
			s := open(t)
			rows := 32
			if encoding == "nv12" {
				rows = 48
			}
			s.image = func(h msgs.Header) *msgs.Image {
				m := &msgs.Image{Header: h, Width: 32, Height: 32, Encoding: encoding,
					Step: uint32(32 * max(bytes, 1))}
				for y := range rows {
					for range m.Step {
						m.Data = append(m.Data, uint8(5*y))
					}
				}
				return m
			}
			if bytes > 0 {
				if m := s.skill(); m.Outcome != msgs.TransitionSucceeded {
					t.Errorf("%+v", m)
				}
				return
			}
			s.watch(3)
			s.complains("/camera/image_raw: unusable image: encoding \""+encoding+"\" is not one of 16UC1",
				"; have the camera publish what is read")
		})
	}
}

// TestCompressedImagesThatAreNone has files that are cut, or not what they are said to be.
func TestCompressedImagesThatAreNone(t *testing.T) {
	whole := must(msgs.NewJPEG(msgs.Header{}, image.NewGray(image.Rect(0, 0, 64, 48)), 90))
	for want, m := range map[string]*msgs.CompressedImage{
		"ends before its end marker":           {Format: "jpeg", Data: whole.Data[:len(whole.Data)-9]},
		"format \"png\", but the data is jpeg": {Format: "png", Data: whole.Data},
		"0 bytes that are neither":             {Format: "jpeg"},
	} {
		s := open(t, "image_transport:=compressed")
		must(0, s.compressed.Publish(m))
		s.complains("/camera/image_raw/compressed: "+pixels.ErrImage.Error()+": ", want,
			"or set image_transport to raw")
	}
}

// TestTheOtherTransport listens where nobody publishes.
func TestTheOtherTransport(t *testing.T) {
	for transport, want := range map[string]string{
		"auto": "nobody publishes /camera/image_raw or /camera/image_raw/compressed; start the " +
			"camera, or remap camera/image_raw to its topic",
		"raw": "nobody publishes /camera/image_raw; start the camera, remap camera/image_raw to " +
			"its topic, or set image_transport to auto",
		"compressed": "nobody publishes /camera/image_raw/compressed; start the camera, remap " +
			"camera/image_raw to its topic, or set image_transport to auto",
	} {
		s := open(t, "image_transport:="+transport)
		must(0, s.raw.Close())
		must(0, s.compressed.Close())
		s.complains(want)
	}
}

// complains waits, two seconds at most by the recorder's clock, for level ERROR with these texts.
func (s *studio) complains(texts ...string) {
	s.t.Helper()
	began := time.Now()
	for m := range s.diagnostics {
		status := m.Status[0]
		if status.Level == msgs.DiagnosticStatusError {
			for _, text := range texts {
				if !strings.Contains(status.Message, text) {
					s.t.Errorf("%q does not say %q", status.Message, text)
				}
			}
			return
		}
		if waited := m.Header.Stamp.GoTime().Sub(began); waited > 2*time.Second {
			s.t.Fatalf("after %s: %q", waited, status.Message)
		}
	}
}
