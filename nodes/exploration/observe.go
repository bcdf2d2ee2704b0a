package exploration

import (
	"context"
	"fmt"
	"time"
)

// observations is how often the scene is looked at, a second apart, until it is as the last attempt left it.
const observations = 5

// observe waits until what the camera shows is what the last attempt left. If it stays another state that is known, somebody
// changed the scene; if it stays nothing known, somebody is asked to put it in order.
func (r *run) observe(ctx context.Context) error {
	for k := 1; ; k++ {
		img, err := r.Observe(ctx)
		if err != nil {
			return fmt.Errorf("explore: look: %w", err)
		}
		view, err := r.Session.View(img)
		switch {
		case err != nil || view == AsLeft:
			return err
		case k < observations:
		case view == Moved:
			if r.Moved != nil {
				if err := r.Moved(ctx); err != nil {
					return fmt.Errorf("explore: tell that the scene was changed: %w", err)
				}
			}
			r.Session.Reset()
			_, err := r.Session.View(img)
			return err
		default:
			return r.reset(ctx, "the camera shows nothing that is known, and not what the last attempt left")
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(time.Second):
		}
	}
}

// reset has somebody change the scene.
func (r *run) reset(ctx context.Context, why string) error {
	r.status.Resets++
	if err := r.Robot.Reset(ctx, why); err != nil {
		return fmt.Errorf("explore: reset: %w", err)
	}
	r.Session.Reset()
	return nil
}
