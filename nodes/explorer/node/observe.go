package node

import (
	"context"
	"errors"
	"io/fs"
	"strings"
	"time"

	"stripswm/bags"
	"stripswm/models/exploration/images"
	"stripswm/models/imageplan"
	"stripswm/models/pixels"
	"stripswm/msgs"
	"stripswm/nodes/camera"
	"stripswm/nodes/exploration"
)

// ready waits until an attempt may begin: at the parameter rate, while the node is not paused, and
// when the camera shows something. It says whether the scene was changed.
func (e *Explorer) ready(ctx context.Context) (reset bool, err error) {
	if wait := e.settings.rate - time.Since(e.begun); wait > 0 {
		select {
		case <-time.After(wait):
		case <-ctx.Done():
		}
	}
	if err := e.rest(ctx); err != nil {
		return false, err
	}
	if err := e.see(ctx); err != nil {
		return false, err
	}
	e.say(exploring)
	e.begun = time.Now()
	e.drainTransitions()
	return e.heed(), nil
}

// rest waits until the node is not paused.
func (e *Explorer) rest(ctx context.Context) error {
	e.mu.Lock()
	resting := e.paused
	e.mu.Unlock()
	if resting {
		e.say(paused)
	}
	return e.await(ctx, func() bool { return !e.paused })
}

// await waits until it holds, which is asked with mu held, first and whenever there is news.
func (e *Explorer) await(ctx context.Context, holds func() bool) error {
	for ctx.Err() == nil {
		e.mu.Lock()
		met, news := holds(), e.news
		e.mu.Unlock()
		if met {
			return nil
		}
		select {
		case <-news:
		case <-ctx.Done():
		}
	}
	return ctx.Err()
}

// see waits for an image that is taken from now on and shows something.
func (e *Explorer) see(ctx context.Context) error {
	for from := e.node.Clock().Now(); ; {
		why := ""
		i := e.next(ctx, from)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if i == nil {
			why = e.noImage()
		} else if view, err := i.View(e.settings.camera); err != nil {
			why = err.Error()
		} else if view.Contrast() < imageplan.DefaultThresholds().Contrast {
			why = "the camera shows nothing: see whether it is covered"
		} else {
			e.shown[0] = e.thumbnail(i)
			return nil
		}
		e.say("waits for an image: " + why)
		if i != nil {
			from = i.Taken.Add(1)
		}
	}
}

// next is an image that is taken from a time on, nil if none comes for a while.
func (e *Explorer) next(ctx context.Context, from time.Time) *camera.Image {
	ctx, cancel := context.WithTimeout(ctx, e.patience.camera)
	defer cancel()
	i, err := e.camera.Next(ctx, from)
	if err != nil {
		return nil
	}
	return i
}

// thumbnail is that of an image, nil if there is none or it cannot be read.
func (e *Explorer) thumbnail(i *camera.Image) pixels.Thumbnail {
	if i == nil {
		return nil
	}
	p, err := i.RGB(e.settings.camera.Bits)
	if err != nil {
		return nil
	}
	t, err := images.Thumbnail(p, e.settings.camera)
	if err != nil {
		return nil
	}
	return t
}

// pair are the images before and after the last attempt, nil if one of them did not come.
func (e *Explorer) pair() *[2]pixels.Thumbnail {
	if e.shown[0] == nil || e.shown[1] == nil {
		return nil
	}
	return &e.shown
}

// noImage says why no image comes.
func (e *Explorer) noImage() string {
	if absent := e.camera.Absent(); absent != "" {
		return absent
	}
	if capture, _ := e.camera.Since(); capture.Err != nil {
		return capture.Err.Error()
	}
	if _, warning := e.camera.Clock(); warning != "" {
		return warning
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
	if err := e.await(ctx, e.heedLocked); err != nil {
		return err
	}
	return e.requests.Publish(&msgs.String{})
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
	return e.heedLocked()
}

// heedLocked is heed with mu held.
func (e *Explorer) heedLocked() bool {
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
func (e *Explorer) pause(on bool) (said string, err error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.paused = on
	e.wake()
	if on {
		return "no attempt begins", nil
	}
	return "attempts go on", nil
}

// recording opens what the recorder records; nil without the parameter bag.
func (e *Explorer) recording() (*bags.Reader, error) {
	if e.settings.bag == "" {
		return nil, nil
	}
	return bags.OpenLive(e.settings.bag)
}

// records says whether the recorder has begun, if it is known where.
func (e *Explorer) records() bool {
	r, err := e.recording()
	if r != nil {
		err = r.Close()
	}
	return !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, bags.ErrNoBag)
}

// about takes what the recording says of actions and camera where that is not given.
func (e *Explorer) about(ctx context.Context, r *bags.Reader) error {
	var text msgs.String
	for m, err := range r.Messages(ctx, bags.NamesTopic, bags.CameraTopic) {
		if err == nil {
			err = m.Decode(&text)
		}
		if err != nil {
			return err
		}
		if m.Topic.Name == bags.CameraTopic {
			c, err := bags.Parse[bags.Camera](&text)
			if err != nil {
				return err
			}
			seen, err := pixels.CameraOf(c.Region, c.Bits)
			if err != nil {
				return err
			}
			e.settings.camera = e.settings.camera.Or(seen)
		} else if len(e.settings.labels) == 0 {
			e.settings.labels = strings.Fields(text.Data)
		}
	}
	return nil
}

// decode is the thumbnail of a recorded image.
func (e *Explorer) decode(i bags.Image) (pixels.Thumbnail, error) {
	m, err := i.Message()
	if err != nil {
		return nil, err
	}
	p, err := camera.RGB(m, e.settings.camera.Bits)
	if err != nil {
		return nil, err
	}
	return images.Thumbnail(p, e.settings.camera)
}

// recall has the explorer learn from all that is recorded.
func (e *Explorer) recall(ctx context.Context, x *exploration.Explorer, past *bags.Reader,
	s *exploration.Status,
) error {
	aside := func(err error) { e.node.Log().Warn("left aside", "error", err) }
	if err := x.Recall(ctx, past, s, aside); err != nil || s.Attempts == 0 {
		return err
	}
	e.node.Log().Info("goes on from what is recorded", "bag", e.settings.bag, "attempts", s.Attempts,
		"succeeded", s.Succeeded)
	// Nobody watched since: a skill may have been under way.
	return x.Interrupt()
}
