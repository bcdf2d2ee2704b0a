package node

import (
	"context"
	"fmt"
	"sync"
	"time"

	"stripswm/models/pixels"
	"stripswm/msgs"
	"stripswm/nodes/camera"
	"stripswm/nodes/cvbridge"
	"stripswm/nodes/ros"
)

// A frame is an image as it came, not yet decoded.
type frame struct {
	header   msgs.Header
	stamp    time.Time // of the header, or when it arrived if that is zero
	received time.Time
	rgb      func(bits int) (pixels.RGB, error)
}

func newFrame(h msgs.Header, received time.Time, rgb func(int) (pixels.RGB, error)) *frame {
	f := &frame{header: h, stamp: h.Stamp.GoTime(), received: received, rgb: rgb}
	if h.Stamp.IsZero() {
		f.stamp = received
	}
	return f
}

// messageFrame is an image that came as a message of its own.
func messageFrame(h msgs.Header, received time.Time, m msgs.Message) *frame {
	return newFrame(h, received, func(bits int) (pixels.RGB, error) { return cvbridge.RGB(m, bits) })
}

// frameBuffer keeps the newest frame of the camera.
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
		e.put(newFrame(i.Header, i.Info.Received, i.RGB))
	})
	return e, err
}

func (e *frameBuffer) put(f *frame) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.latest = f
	e.count++
	close(e.fresh)
	e.fresh = make(chan struct{})
}

// newest is the latest frame, nil before the first, and how many came.
func (e *frameBuffer) newest() (*frame, uint64) {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.latest, e.count
}

// next waits for a frame taken at or after a time.
func (e *frameBuffer) next(ctx context.Context, notBefore time.Time) (*frame, error) {
	for {
		e.mu.Lock()
		latest, fresh := e.latest, e.fresh
		e.mu.Unlock()
		if latest != nil && !latest.stamp.Before(notBefore) {
			return latest, nil
		}
		select {
		case <-fresh:
		case <-ctx.Done():
			if latest == nil {
				return nil, fmt.Errorf("no image has arrived: %w", ctx.Err())
			}
			return nil, fmt.Errorf("the newest image was taken %v too early: %w",
				notBefore.Sub(latest.stamp).Round(time.Millisecond), ctx.Err())
		}
	}
}
