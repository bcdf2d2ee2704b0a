package camera

import (
	"context"
	"fmt"
	"sync"
	"time"

	"stripswm/nodes/ros"
)

// A Latest is a camera that keeps its newest image whose stamp follows on those before.
type Latest struct {
	*Camera
	mu    sync.Mutex
	image *Image
	count uint64
	fresh chan struct{} // closed and replaced with each image
}

// OpenLatest opens the camera that a node has on camera/image_raw.
func OpenLatest(n *ros.Node, t Transport) (l *Latest, err error) {
	l = &Latest{fresh: make(chan struct{})}
	l.Camera, err = Open(n, "camera/image_raw", t, ros.SensorData.Depth, l.put)
	return l, err
}

func (l *Latest) put(i Image) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.count++
	if i.Taken.IsZero() {
		return
	}
	l.image = &i
	close(l.fresh)
	l.fresh = make(chan struct{})
}

// Newest is the latest image, nil before the first, and how many came.
func (l *Latest) Newest() (*Image, uint64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.image, l.count
}

// Next waits for an image that was surely taken at or after a time.
func (l *Latest) Next(ctx context.Context, notBefore time.Time) (*Image, error) {
	for {
		l.mu.Lock()
		image, fresh := l.image, l.fresh
		l.mu.Unlock()
		if image != nil && !image.Taken.Before(notBefore) {
			return image, nil
		}
		select {
		case <-fresh:
		case <-ctx.Done():
			text := "no image has arrived"
			if image != nil {
				text = fmt.Sprintf("the newest image was taken %v too early",
					notBefore.Sub(image.Taken).Round(time.Millisecond))
			}
			if _, warning := l.Clock(); warning != "" {
				text += " (" + warning + ")"
			}
			return nil, fmt.Errorf("%s: %w", text, ctx.Err())
		}
	}
}
