package node

import (
	"context"
	"errors"
	"io/fs"
	"strings"

	"stripswm/bags"
	"stripswm/models/exploration/images"
	"stripswm/models/pixels"
	"stripswm/msgs"
	"stripswm/nodes/camera"
	"stripswm/nodes/exploration"
)

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
