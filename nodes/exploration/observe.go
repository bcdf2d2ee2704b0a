package exploration

import (
	"context"
	"fmt"
	"time"
)

// maxImages is the number of images, a second apart, that may differ from what the last attempt
// left.
const maxImages = 5

// observe waits until the camera shows what the last attempt left. If it keeps showing another
// known state, somebody changed the scene. If it keeps showing no known state, a person is asked
// for help.
func (r *run) observe(ctx context.Context) error {
	for k := 1; ; k++ {
		img, err := r.Observe(ctx)
		if err != nil {
			return fmt.Errorf("explore: observe: %w", err)
		}
		view, err := r.Session.View(img)
		switch {
		case err != nil || view == AsLeft:
			return err
		case k < maxImages:
		case view == Moved:
			if r.Moved != nil {
				if err := r.Moved(ctx); err != nil {
					return fmt.Errorf("explore: report that the scene changed: %w", err)
				}
			}
			r.Session.Reset()
			_, err := r.Session.View(img)
			return err
		default:
			return r.reset(ctx, "the camera shows no known state, and not what the last attempt left")
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(time.Second):
		}
	}
}

// reset asks a person to change the scene.
func (r *run) reset(ctx context.Context, why string) error {
	r.status.Resets++
	if err := r.Robot.Reset(ctx, why); err != nil {
		return fmt.Errorf("explore: reset: %w", err)
	}
	r.Session.Reset()
	return nil
}
