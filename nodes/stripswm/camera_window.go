package main

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/spf13/cobra"

	"stripswm/models/pixels"
	"stripswm/nodes/camera"
)

// A window is a camera's topic, listened to.
type window struct {
	seen    *camera.Camera
	images  chan camera.Image
	skipped atomic.Int64 // images, while others were looked at
	close   func() error
}

func openWindow(cmd *cobra.Command, topic string, way camera.Transport) (*window, error) {
	n, leave, err := join(cmd)
	if err != nil {
		return nil, err
	}
	w := &window{images: make(chan camera.Image, 1), close: leave}
	w.seen, err = camera.Open(n, topic, way, 1, func(i camera.Image) {
		select {
		case w.images <- i:
		default: // the one before is looked at still
			w.skipped.Add(1)
		}
	})
	if err != nil {
		return nil, errors.Join(err, leave())
	}
	return w, nil
}

// patience is how long a camera has to be found.
const patience = 10 * time.Second

// show has the looker see what comes for a while, from the first image on.
func (w *window) show(ctx context.Context, l *looker, period time.Duration) error {
	w.skipped.Store(0)
	end := time.NewTimer(patience)
	defer end.Stop()
	for {
		select {
		case i := <-w.images:
			if l.Images == 0 {
				end.Reset(period)
			}
			p, err := i.RGB(l.camera.Bits)
			if err != nil {
				return err
			}
			l.Source = i.Topic
			if err := l.at(time.Now()).see(p, i.Used()); err != nil {
				return err
			}
		case <-ctx.Done():
			return ctx.Err()
		case <-end.C:
			l.skipped = int(w.skipped.Load())
			return w.missing(l.Images)
		}
	}
}

// missing says why nothing was seen; nil if something was.
func (w *window) missing(images int) error {
	if images > 0 {
		return nil
	}
	if absent := w.seen.Absent(); absent != "" {
		return fmt.Errorf(
			"%s; or set ROS_DOMAIN_ID and ROS_AUTOMATIC_DISCOVERY_RANGE as for the robot's nodes", absent)
	}
	if now, _ := w.seen.Since(); now.Err != nil {
		return fmt.Errorf("%w: %w", errInput, now.Err)
	}
	return fmt.Errorf("no image came on %s in %s", w.seen.Topic(), patience)
}

// once looks at a camera for a while.
func (l *looker) once(cmd *cobra.Command, topic string, way camera.Transport,
	period time.Duration,
) error {
	w, err := openWindow(cmd, topic, way)
	if err != nil {
		return err
	}
	defer w.close()
	return w.show(cmd.Context(), l, period)
}

// watchCamera prints a line a second until ^C.
func watchCamera(cmd *cobra.Command, topic string, way camera.Transport, eye pixels.Camera) error {
	w, err := openWindow(cmd, topic, way)
	if err != nil {
		return err
	}
	defer w.close()
	for {
		l := &looker{camera: eye}
		if err := w.show(cmd.Context(), l, time.Second); err != nil {
			if errors.Is(err, context.Canceled) {
				return nil
			}
			return err
		}
		fmt.Fprintln(cmd.OutOrStdout(), l.line())
	}
}
