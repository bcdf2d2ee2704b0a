package node

import (
	"context"
	"slices"
	"sync"
	"time"

	"stripswm/nodes/camera"
)

// frame is an image as it came, not yet decoded.
type frame struct {
	camera.Image
	stamp time.Time
}

// film is what the camera showed lately, and around the start of the skill that was sent last: the
// recorder's image before may be from before a long skill.
type film struct {
	mu     sync.Mutex
	recent strip
	start  strip
	until  time.Time // when the images around the start end
	count  int       // of frames that came
	fresh  chan struct{}
}

// How long frames are kept, and how many bytes of them: the image after is settled and on disk by
// then.
const (
	keepRecent = 10 * time.Second
	keepStart  = 2 * time.Second // before a skill was sent, and after
	keepBytes  = 256 << 20
)

func newFilm() *film { return &film{fresh: make(chan struct{})} }

// strip is a part of a film.
type strip struct {
	frames []frame
	bytes  int
}

func (s *strip) add(f frame) {
	s.frames = append(s.frames, f)
	s.bytes += len(f.Info.Payload)
}

// trim leaves the newest frames, those received since a time, as far as there is room.
func (s *strip) trim(since time.Time) {
	n := 0
	for ; n < len(s.frames)-1 &&
		(s.bytes > keepBytes || s.frames[n].Info.Received.Before(since)); n++ {
		s.bytes -= len(s.frames[n].Info.Payload)
	}
	s.frames = slices.Delete(s.frames, 0, n)
}

// put adds a frame.
func (m *film) put(i camera.Image) {
	m.mu.Lock()
	defer m.mu.Unlock()
	f := frame{i, i.Header.Stamp.GoTime()}
	m.recent.add(f)
	m.recent.trim(i.Info.Received.Add(-keepRecent))
	if i.Info.Received.Before(m.until) && m.start.bytes < keepBytes {
		m.start.add(f)
	}
	m.count++
	close(m.fresh)
	m.fresh = make(chan struct{})
}

// begin is called before a skill is sent.
func (m *film) begin(now time.Time) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.start = strip{slices.Clone(m.recent.frames), m.recent.bytes}
	m.start.trim(now.Add(-keepStart))
	m.until = now.Add(keepStart)
}

// next waits for a frame that comes from now on and was not taken before a time.
func (m *film) next(ctx context.Context, notBefore time.Time) (frame, error) {
	m.mu.Lock()
	seen := m.count
	m.mu.Unlock()
	for {
		m.mu.Lock()
		count, fresh := m.count, m.fresh
		var newest frame
		if count > seen {
			newest = m.recent.frames[len(m.recent.frames)-1]
		}
		m.mu.Unlock()
		if count > seen && !newest.stamp.Before(notBefore) {
			return newest, nil
		}
		select {
		case <-fresh:
		case <-ctx.Done():
			return frame{}, ctx.Err()
		}
	}
}

// nearFrame is how near a frame must be to stand for one that was lost on the way.
const nearFrame = 100 * time.Millisecond

// at is the frame that was taken at a time, or the nearest if that was lost. A frame may come a
// while after the recorder's word of it. It returns false if there is none so near.
func (m *film) at(ctx context.Context, stamp time.Time) (frame, bool) {
	for {
		m.mu.Lock()
		best, late := m.nearest(stamp)
		fresh := m.fresh
		m.mu.Unlock()
		off := best.stamp.Sub(stamp).Abs()
		if off == 0 || !late {
			return best, off <= nearFrame
		}
		select {
		case <-fresh:
		case <-ctx.Done():
			return best, off <= nearFrame
		}
	}
}

// nearest also says whether a nearer one may still come.
func (m *film) nearest(stamp time.Time) (best frame, late bool) {
	late = true
	for _, f := range slices.Concat(m.start.frames, m.recent.frames) {
		if f.stamp.Sub(stamp).Abs() < best.stamp.Sub(stamp).Abs() {
			best = f
		}
		late = late && f.stamp.Before(stamp.Add(nearFrame))
	}
	return best, late
}
