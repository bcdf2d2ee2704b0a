package node

import (
	"context"
	"fmt"
	"sync"
	"time"

	"stripswm/internal/clocks"
	"stripswm/models/pixels"
	"stripswm/msgs"
	"stripswm/nodes/camera"
	"stripswm/nodes/cvbridge"
	"stripswm/nodes/ros"
)

// A frame is an image as it came, not yet decoded.
type frame struct {
	header   msgs.Header
	received time.Time
	taken    time.Time // the earliest time possible (camera.Image.Taken); zero if unusable
	rgb      func(bits int) (pixels.RGB, error)
}

// messageFrame is an image that came as a message of its own.
func messageFrame(h msgs.Header, received time.Time, m msgs.Message) *frame {
	return &frame{header: h, received: received, rgb: func(bits int) (pixels.RGB, error) {
		return cvbridge.RGB(m, bits)
	}}
}

// stamp is of the header, or when it arrived if that has none.
func (f *frame) stamp() time.Time {
	stamp, _ := clocks.Stamp(f.header.Stamp, f.received)
	return stamp
}

// frameBuffer keeps the newest frame of the camera whose stamp follows on those before.
type frameBuffer struct {
	*camera.Camera
	mu     sync.Mutex
	latest *frame
	count  uint64
	fresh  chan struct{} // closed and replaced with each frame
}

func openFrameBuffer(n *ros.Node, t camera.Transport) (e *frameBuffer, err error) {
	e = &frameBuffer{fresh: make(chan struct{})}
	e.Camera, err = camera.Open(n, "camera/image_raw", t, ros.SensorData.Depth, func(i camera.Image) {
		e.put(&frame{header: i.Header, received: i.Received, taken: i.Taken, rgb: i.RGB})
	})
	return e, err
}

func (e *frameBuffer) put(f *frame) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.count++
	if f.taken.IsZero() {
		return
	}
	e.latest = f
	close(e.fresh)
	e.fresh = make(chan struct{})
}

// newest is the latest frame, nil before the first, and how many came.
func (e *frameBuffer) newest() (*frame, uint64) {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.latest, e.count
}

// next waits for a frame that was surely taken at or after a time.
func (e *frameBuffer) next(ctx context.Context, notBefore time.Time) (*frame, error) {
	for {
		e.mu.Lock()
		latest, fresh := e.latest, e.fresh
		e.mu.Unlock()
		if latest != nil && !latest.taken.Before(notBefore) {
			return latest, nil
		}
		select {
		case <-fresh:
		case <-ctx.Done():
			text := "no image has arrived"
			if latest != nil {
				text = fmt.Sprintf("the newest image was taken %v too early",
					notBefore.Sub(latest.taken).Round(time.Millisecond))
			}
			if _, warning := e.Clock(); warning != "" {
				text += " (" + warning + ")"
			}
			return nil, fmt.Errorf("%s: %w", text, ctx.Err())
		}
	}
}
