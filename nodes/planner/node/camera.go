package node

import (
	"context"
	"fmt"
	"sync"
	"time"

	"stripswm/models/pixels"
	"stripswm/msgs"
	"stripswm/nodes/cvbridge"
	"stripswm/nodes/ros"
)

// A frame is a picture as it came, not yet decoded.
type frame struct {
	header   msgs.Header
	stamp    time.Time // of the header, or when it arrived if that is zero
	received time.Time
	message  msgs.Message // *msgs.Image or *msgs.CompressedImage
}

func newFrame(h msgs.Header, i ros.Info, m msgs.Message) *frame {
	f := &frame{header: h, stamp: h.Stamp.GoTime(), received: i.Received, message: m}
	if h.Stamp.IsZero() {
		f.stamp = i.Received
	}
	return f
}

// pixels decodes the frame.
func (f *frame) pixels() (pixels.RGB, error) { return cvbridge.RGB(f.message) }

// camera keeps the newest frame of a topic.
type camera struct {
	mu     sync.Mutex
	latest *frame
	count  uint64
	fresh  chan struct{} // closed and replaced with each frame
}

func newCamera() *camera { return &camera{fresh: make(chan struct{})} }

// subscribe makes the camera's subscription, raw or compressed.
func (c *camera) subscribe(n *ros.Node, topic, transport string) (*ros.Subscription, error) {
	if transport == "compressed" {
		return ros.Subscribe(n, topic+"/compressed", ros.SensorData, func(m *msgs.CompressedImage, i ros.Info) { c.put(newFrame(m.Header, i, m)) })
	}
	return ros.Subscribe(n, topic, ros.SensorData, func(m *msgs.Image, i ros.Info) { c.put(newFrame(m.Header, i, m)) })
}

func (c *camera) put(f *frame) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.latest = f
	c.count++
	close(c.fresh)
	c.fresh = make(chan struct{})
}

// newest is the latest frame, nil before the first, and how many came.
func (c *camera) newest() (*frame, uint64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.latest, c.count
}

// next waits for a frame taken at or after a time.
func (c *camera) next(ctx context.Context, notBefore time.Time) (*frame, error) {
	for {
		c.mu.Lock()
		latest, fresh := c.latest, c.fresh
		c.mu.Unlock()
		if latest != nil && !latest.stamp.Before(notBefore) {
			return latest, nil
		}
		select {
		case <-fresh:
		case <-ctx.Done():
			if latest == nil {
				return nil, fmt.Errorf("no image has arrived: %w", ctx.Err())
			}
			return nil, fmt.Errorf("the newest image was taken %v too early: %w", notBefore.Sub(latest.stamp).Round(time.Millisecond), ctx.Err())
		}
	}
}
