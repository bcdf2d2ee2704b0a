package bags

import (
	"context"
	"fmt"
	"iter"

	"stripswm/msgs"
)

// Outcome of an attempt.
type Outcome = msgs.Outcome

// Outcomes.
const (
	Succeeded = msgs.Succeeded
	Refused   = msgs.Refused // not applicable: the world was left as it was
	Failed    = msgs.Failed  // the result is unknown
)

// A Transition is (image, action, image) with its outcome.
type Transition struct {
	Index   int    // in the recording, from 0; amended ones are not counted twice
	Action  uint32 // opaque id, 1..L
	Outcome Outcome
	Before  Image
	After   Image
	Stamp   msgs.Time // when the outcome was known
	Note    string
	Reset   bool // the scene is not what the transition before left: see ResetTopic
}

// An Image is a recorded image that is loaded when it is asked for.
type Image struct {
	Topic string
	Type  string // sensor_msgs/msg/Image or sensor_msgs/msg/CompressedImage
	Stamp msgs.Time

	reader *Reader
	at     location
}

// File is the image's path inside a folder of images; "" where the recording is a bag.
func (im Image) File() string {
	if im.reader != nil {
		if f, ok := im.reader.files[im.at.file].(*folderFile); ok {
			return f.path(f.row(im.at), im.at.off)
		}
	}
	return ""
}

// String says where the image is, for messages to people.
func (im Image) String() string {
	if file := im.File(); file != "" {
		return fmt.Sprintf("%s (%s:%d)", file, im.reader.names[im.at.file], im.at.record)
	}
	return fmt.Sprintf("%s at %s", im.Topic, im.Stamp)
}

// Message returns the image message: *msgs.Image or *msgs.CompressedImage, to be decoded by who
// needs pixels. Its bytes are shared with the Reader and are not to be changed.
func (im Image) Message() (msgs.Message, error) {
	if im.reader == nil {
		return nil, fmt.Errorf("%w: the transition has no such image", ErrReference)
	}
	payload, err := im.reader.files[im.at.file].load(im.at)
	if err != nil {
		return nil, fmt.Errorf("image %s: %w", im, err)
	}
	m, ok := msgs.New(im.Type)
	if !ok {
		return nil, fmt.Errorf("image %s: no codec for %s", im, im.Type)
	}
	if err := msgs.UnmarshalNoCopy(payload, m); err != nil {
		return nil, fmt.Errorf("image %s: %w", im, err)
	}
	return m, nil
}

// Transitions yields the transitions in the order of recording. An error that wraps ErrTransition
// or ErrReference is about the transition it comes with, and the next pair is the next transition;
// any other error is the last pair.
func (r *Reader) Transitions(ctx context.Context) iter.Seq2[Transition, error] {
	return func(yield func(Transition, error) bool) {
		p := &pairing{reader: r, images: newRecent[Image](maxImages), yield: yield}
		for m, err := range r.Messages(ctx) {
			if err != nil {
				if p.flush() {
					yield(Transition{}, err)
				}
				return
			}
			if !p.message(&m) {
				return
			}
		}
		p.flush()
	}
}

// A pairing ties transitions to their images. It holds the latest transition back, since the next
// message on the topic may amend it.
type pairing struct {
	reader *Reader
	images *recent[Image]
	yield  func(Transition, error) bool
	held   *Transition
	index  int
	reset  bool // since the latest transition
}

func (p *pairing) message(m *Message) bool {
	switch {
	case m.Topic.IsImage():
		stamp, err := msgs.Stamp(m.Data)
		if err != nil {
			return true // a transition that refers to it will say so
		}
		p.images.put(stampKey{m.Topic.Name, stamp},
			Image{Topic: m.Topic.Name, Type: m.Topic.Type, Stamp: stamp, reader: p.reader, at: m.at})
	case m.Topic.IsTransition():
		return p.transition(m)
	case m.Topic.Name == ResetTopic:
		p.reset = true
	}
	return true
}

func (p *pairing) transition(m *Message) bool {
	var msg msgs.Transition
	err := m.Decode(&msg)
	detail := ""
	if err != nil {
		detail = err.Error()
	} else {
		detail = invalid(&msg)
	}
	t := Transition{Action: msg.Action, Outcome: Outcome(msg.Outcome), Stamp: msg.Header.Stamp,
		Note:   msg.Note,
		Before: Image{Topic: msg.ImageTopic, Stamp: msg.Before}, After: Image{Topic: msg.ImageTopic,
			Stamp: msg.After}}
	if p.held != nil && detail == "" && sameAttempt(p.held, &t) {
		t.Index, t.Before, t.After, t.Reset = p.held.Index, p.held.Before, p.held.After, p.held.Reset
		p.held = &t
		return true
	}
	if !p.flush() {
		return false
	}
	t.Index, t.Reset = p.index, p.reset
	p.index++
	p.reset = false
	fault := &Fault{File: p.reader.names[m.at.file], Offset: m.at.record, Topic: m.Topic.Name,
		Index: t.Index}
	if detail != "" {
		fault.Kind, fault.Detail = ErrTransition, detail
		return p.yield(t, fault)
	}
	for _, im := range []*Image{&t.Before, &t.After} {
		found, ok := p.images.get(stampKey{im.Topic, im.Stamp})
		if !ok {
			fault.Kind, fault.Detail = ErrReference, fmt.Sprintf(
				"no image on %s stamped %s among the %d before it", im.Topic, im.Stamp, len(p.images.values))
			return p.yield(t, fault)
		}
		*im = found
	}
	p.held = &t
	return true
}

// sameAttempt reports whether b amends a.
func sameAttempt(a, b *Transition) bool {
	return a.Action == b.Action && a.Before.Topic == b.Before.Topic &&
		a.Before.Stamp == b.Before.Stamp && a.After.Stamp == b.After.Stamp
}

func (p *pairing) flush() bool {
	if p.held == nil {
		return true
	}
	t := *p.held
	p.held = nil
	return p.yield(t, nil)
}
