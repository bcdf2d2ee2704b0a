package node

import (
	"context"
	"time"

	"stripswm/models/imageplan"
	"stripswm/models/pixels"
	"stripswm/msgs"
)

// observe waits while the node is paused, heeds what was heard of the scene, and sees what it is
// like.
func (e *Explorer) observe(ctx context.Context) (pixels.RGB, error) {
	if err := e.rest(ctx); err != nil {
		return pixels.RGB{}, err
	}
	e.drainTransitions()
	if e.heed() {
		e.session.Reset()
	}
	var err error
	if e.observed, err = e.see(ctx); err == nil {
		e.say(exploring)
	}
	return e.observed, err
}

// rest waits until the node is not paused.
func (e *Explorer) rest(ctx context.Context) error {
	for {
		e.mu.Lock()
		resting, changed := e.paused, e.news
		e.mu.Unlock()
		if !resting {
			return ctx.Err()
		}
		e.say(paused)
		select {
		case <-changed:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// see waits for an image that shows something, taken after the last attempt.
func (e *Explorer) see(ctx context.Context) (pixels.RGB, error) {
	for {
		waiting, cancel := context.WithTimeout(ctx, e.patience.camera)
		f, err := e.film.next(waiting, e.after)
		cancel()
		if ctx.Err() != nil {
			return pixels.RGB{}, ctx.Err()
		}
		why := ""
		if err != nil {
			// The camera's clock may have gone back; what comes after such a time is new anyhow.
			e.after, why = time.Time{}, e.noImage()
		} else if view, err := f.View(e.settings.camera); err != nil {
			why = err.Error()
		} else if view.Contrast() < imageplan.DefaultThresholds().Contrast {
			why = "the camera shows nothing: see whether it is covered"
		} else {
			img, err := f.RGB(e.settings.camera.Bits)
			if err == nil {
				return img, nil
			}
			why = err.Error()
		}
		e.say("waits for an image: " + why)
	}
}

// noImage says why no image comes.
func (e *Explorer) noImage() string {
	if absent := e.camera.Absent(); absent != "" {
		return absent
	}
	if capture, _ := e.camera.Since(); capture.Err != nil {
		return capture.Err.Error()
	}
	return "none comes from " + e.camera.Topic()
}

// Reset says on ~/reset_request why the scene has to be changed, and waits until somebody did.
func (e robot) Reset(ctx context.Context, why string) error {
	e.node.Log().Warn("change the scene, and say so on scene_reset", "why", why)
	e.say("waits for a reset: " + why)
	if err := e.requests.Publish(&msgs.String{Data: why}); err != nil {
		return err
	}
	if err := e.changed(ctx); err != nil {
		return err
	}
	return e.requests.Publish(&msgs.String{})
}

// moved says on scene_reset that somebody changed the scene, as recorder and learner have to know,
// and waits until that is heard.
func (e *Explorer) moved(ctx context.Context) error {
	const why = "the camera shows another state than the last attempt left"
	e.node.Log().Warn("somebody changed the scene", "why", why)
	if err := e.resets.Publish(&msgs.String{Data: why}); err != nil {
		return err
	}
	return e.changed(ctx)
}

// changed waits until scene_reset says that the scene was changed.
func (e *Explorer) changed(ctx context.Context) error {
	for {
		e.mu.Lock()
		changed, news := e.reset, e.news
		e.reset = false
		e.mu.Unlock()
		if changed {
			return nil
		}
		select {
		case <-news:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// disturb notes that the scene is not what the last attempt left.
func (e *Explorer) disturb() {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.reset = true
	e.wake()
}

func (e *Explorer) disturbed() bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.reset
}

// heed says whether the scene was disturbed since it was last asked.
func (e *Explorer) heed() bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	was := e.reset
	e.reset = false
	return was
}

// wake tells who waits that something has changed. It is called with mu held.
func (e *Explorer) wake() {
	close(e.news)
	e.news = make(chan struct{})
}

// pause sets whether attempts wait.
func (e *Explorer) pause(on bool) *msgs.TriggerResponse {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.paused = on
	e.wake()
	if on {
		return &msgs.TriggerResponse{Success: true, Message: "no attempt begins"}
	}
	return &msgs.TriggerResponse{Success: true, Message: "attempts go on"}
}
