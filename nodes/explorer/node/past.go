package node

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"stripswm/bags"
	"stripswm/models/pixels"
	"stripswm/models/vision"
	"stripswm/msgs"
	"stripswm/nodes/cvbridge"
	"stripswm/nodes/exploration"
)

// open makes the session, of what is recorded if something is.
func (e *Explorer) open(ctx context.Context) error {
	past, err := e.recording()
	if err != nil {
		return err
	}
	if past != nil {
		defer past.Close()
		if err := e.about(ctx, past); err != nil {
			return fmt.Errorf("go on from %s: %w", e.settings.bag, err)
		}
	}
	if len(e.settings.labels) == 0 {
		return errors.New(
			"the parameters names and actions are empty: set names to those of the executor's skills, or " +
				"actions to their number")
	}
	e.learner.frame = pixels.Frame{Side: vision.Auto().ImageSize(), Fit: pixels.Letterbox,
		Camera: e.settings.camera}
	if e.session, err = exploration.New(e.settings.labels, e.learner.frame,
		e.settings.options); err != nil || past == nil {
		return err
	}
	if err := e.remember(ctx, past); err != nil {
		return fmt.Errorf("go on from %s: %w", e.settings.bag, err)
	}
	if e.session.Attempts() == 0 {
		return nil
	}
	e.node.Log().Info("goes on from what is recorded", "bag", e.settings.bag, "attempts",
		e.session.Attempts(), "succeeded", e.session.Successes())
	return e.accept(ctx)
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
			c, err := bags.ParseCamera(&text)
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

// remember tells the session of all that is recorded.
func (e *Explorer) remember(ctx context.Context, r *bags.Reader) error {
	aside := func(err error) { e.node.Log().Warn("left aside", "error", err) }
	if err := e.session.Remember(ctx, r, e.decode, aside); err != nil {
		return err
	}
	// Nobody watched since: a skill may have been under way.
	e.session.Reset()
	return nil
}

func (e *Explorer) decode(i bags.Image) (pixels.RGB, error) {
	m, err := i.Message()
	if err != nil {
		return pixels.RGB{}, err
	}
	return cvbridge.RGB(m, e.settings.camera.Bits)
}

// accept begins to see with the bundle that is named, with the best that is kept, or with the
// learner's latest.
func (e *Explorer) accept(ctx context.Context) error {
	dir := e.settings.bundle
	if _, err := os.Stat(e.settings.best); dir == "" && e.settings.best != "" && err == nil {
		dir = e.settings.best
	}
	if dir == "" {
		dir = e.learner.latest(ctx, e.patience.bundle)
	}
	if dir == "" {
		return nil
	}
	recognizer, err := e.learner.open(dir, e.learner.frame)
	if err != nil {
		return fmt.Errorf("go on with bundle %s: %w", dir, err)
	}
	better, err := e.session.Accept(ctx, recognizer)
	if err != nil {
		return err
	}
	e.node.Log().Info("the bundle there is", "bundle", dir, "sees with it", better)
	if !better || dir == e.settings.best {
		return nil
	}
	return e.keepFrom(dir, e.session.Attempts())
}
