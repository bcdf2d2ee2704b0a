package workcell

import (
	"image"
	"math"
	"math/rand/v2"
	"time"
)

// show is what the camera has before it: an image, or the way from one to the next.
type show struct {
	from, to   *image.RGBA
	begin, end time.Time
	mixed      []byte
}

// cut shows an image from now on.
func (s *show) cut(to *image.RGBA) { s.from, s.to, s.end = to, to, time.Time{} }

// change puts other images in place of the one that is left and the one to come.
func (s *show) change(from, to *image.RGBA) { s.from, s.to = from, to }

// fade goes over to an image.
func (s *show) fade(to *image.RGBA, begin, end time.Time) {
	s.from, s.to, s.begin, s.end = s.to, to, begin, end
}

// image is the pixels at a time, rgba, valid until the next call.
func (s *show) image(now time.Time) []byte {
	switch {
	case !now.Before(s.end):
		return s.to.Pix
	case !now.After(s.begin):
		return s.from.Pix
	}
	w := int(256 * now.Sub(s.begin).Seconds() / s.end.Sub(s.begin).Seconds())
	if len(s.mixed) != len(s.to.Pix) {
		s.mixed = make([]byte, len(s.to.Pix))
	}
	from, to, mixed := s.from.Pix, s.to.Pix, s.mixed
	for i := range mixed {
		mixed[i] = byte((int(from[i])*(256-w) + int(to[i])*w) >> 8)
	}
	return mixed
}

// noise is a table of normal deviates, read from another place for each row.
type noise struct {
	seed  uint64
	table [1 << 14]int
}

func newNoise(seed uint64, sigma float64) *noise {
	n, r := &noise{seed: seed}, rand.New(rand.NewPCG(seed, streamNoise))
	for i := range n.table {
		n.table[i] = int(math.Round(sigma * r.NormFloat64()))
	}
	return n
}

// rowBytes is how much of a frame reads the table in order.
const rowBytes = 3 * 512

// add turns rgba into rgb with the noise of a frame.
func (n *noise) add(rgb []byte, frame uint64, rgba []byte) {
	r := rand.NewPCG(n.seed, frame)
	const mask = len(n.table) - 1
	offset := 0
	for i, j := 0, 0; i+2 < len(rgb) && j+3 < len(rgba); i, j = i+3, j+4 {
		if i%rowBytes == 0 {
			offset = int(r.Uint64() >> 40)
		}
		k := offset + i
		rgb[i] = clamp(int(rgba[j]) + n.table[k&mask])
		rgb[i+1] = clamp(int(rgba[j+1]) + n.table[(k+1)&mask])
		rgb[i+2] = clamp(int(rgba[j+2]) + n.table[(k+2)&mask])
	}
}

func clamp(v int) byte { return byte(min(255, max(0, v))) }
