package bags

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/foxglove/mcap/go/mcap"
	"stripswm/msgs"
)

// neverCut keeps the encoder from ending chunks by itself: the Writer does, when a sync must bring
// all that is pending into the file.
const neverCut = math.MaxInt64

// WriteImage records an image, received now.
func (w *Writer) WriteImage(topic string, m *msgs.Image) error {
	return w.Write(topic, w.opts.Clock(), m)
}

// WriteCompressedImage records a compressed image, received now.
func (w *Writer) WriteCompressedImage(topic string, m *msgs.CompressedImage) error {
	return w.Write(topic, w.opts.Clock(), m)
}

// WriteTransition records a transition, whose images must have been written before it. When it
// returns nil and Options.SyncEvery is 1, the transition and its images survive a kill of the
// process and a loss of power. Writing the same transition again after an error is safe: readers
// take the last of equal ones.
func (w *Writer) WriteTransition(m *msgs.Transition) error {
	return w.Write(w.opts.TransitionTopic, w.opts.Clock(), m)
}

// WriteReset records that the next transition does not find what the last one left, received now;
// why is for people. It is durable when the next transition is.
func (w *Writer) WriteReset(why string) error {
	return w.Write(ResetTopic, w.opts.Clock(), &msgs.String{Data: why})
}

// Write records any message of package msgs, received at the given time.
func (w *Writer) Write(topic string, received time.Time, m msgs.Message) error {
	data, err := msgs.Marshal(m)
	if err != nil {
		return fmt.Errorf("write %s: %w", topic, err)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	t := w.topics[topic]
	if t == nil {
		declared, err := NewTopic(topic, m.ROSType())
		if err != nil {
			return err
		}
		if t, err = w.topic(declared); err != nil {
			return err
		}
	}
	if t.Type != m.ROSType() {
		return fmt.Errorf("topic %s holds %s, not %s", topic, t.Type, m.ROSType())
	}
	return w.record(t, received.UnixNano(), 0, data)
}

// WriteRaw records a CDR payload of a topic that AddTopic declared. received and published are
// nanoseconds since the epoch; published may be 0. The payload is copied.
func (w *Writer) WriteRaw(topic string, received, published int64, payload []byte) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	t := w.topics[topic]
	if t == nil {
		return fmt.Errorf("topic %s was not declared", topic)
	}
	return w.record(t, received, published, bytes.Clone(payload))
}

func (w *Writer) ready() error {
	if w.closed {
		return ErrClosed
	}
	return w.broken
}

// record takes ownership of data.
func (w *Writer) record(t *writerTopic, received, published int64, data []byte) error {
	if err := w.ready(); err != nil {
		return err
	}
	// Something could not be written last time: until it is, keep nothing more in memory.
	if err := w.tail.flush(); err != nil {
		return fmt.Errorf("recording %s: %w", w.dir, err)
	}
	if received < 0 {
		return fmt.Errorf("write %s: receive time %d is before 1970", t.Name, received)
	}
	if published <= 0 {
		published = received
	}
	switch {
	case t.IsImage():
		stamp, err := msgs.Stamp(data)
		if err != nil {
			return fmt.Errorf("write %s: %w", t.Name, err)
		}
		published = max(0, stamp.Nanoseconds())
		w.images.put(stampKey{t.Name, stamp}, struct{}{})
	case t.IsTransition():
		if err := w.checkTransition(data); err != nil {
			return fmt.Errorf("write %s: %w", t.Name, err)
		}
	}
	w.pending = append(w.pending, mcap.Message{ChannelID: t.id, Sequence: t.sequence,
		LogTime: uint64(received), PublishTime: uint64(published), Data: data})
	w.bytes += len(data)
	t.sequence++
	if t.IsTransition() {
		w.unsynced++
		if w.opts.SyncEvery > 0 && w.unsynced >= w.opts.SyncEvery {
			return w.sync()
		}
	}
	if w.bytes < w.opts.ChunkSize {
		return nil
	}
	if err := errors.Join(w.cut(), w.tail.flush()); err != nil {
		return fmt.Errorf("recording %s: %w", w.dir, err)
	}
	return nil
}

// checkTransition refuses what Check would find fault with, while it can still be put right.
func (w *Writer) checkTransition(data []byte) error {
	var m msgs.Transition
	if err := msgs.Unmarshal(data, &m); err != nil {
		return err
	}
	if detail := invalid(&m); detail != "" {
		return fmt.Errorf("%w: %s", ErrTransition, detail)
	}
	for _, stamp := range []msgs.Time{m.Before, m.After} {
		if _, ok := w.images.get(stampKey{m.ImageTopic, stamp}); !ok {
			return fmt.Errorf("%w: %s has no image stamped %s; write it before the transition", ErrReference,
				m.ImageTopic, stamp)
		}
	}
	return nil
}

// invalid says what is wrong with a transition taken by itself, or "".
func invalid(m *msgs.Transition) string {
	switch {
	case m.Action == 0:
		return "action 0; ids begin at 1"
	case m.Outcome < msgs.TransitionSucceeded || m.Outcome > msgs.TransitionFailed:
		return fmt.Sprintf("outcome %d is not known", m.Outcome)
	case m.After.Nanoseconds() < m.Before.Nanoseconds():
		return fmt.Sprintf("the image after (%s) is older than the image before (%s)", m.After, m.Before)
	}
	return ""
}

// cut ends the chunk with what is pending. The encoder compares ChunkSize after each message, so
// the last one ends the chunk.
func (w *Writer) cut() error {
	for i := range w.pending {
		if i == len(w.pending)-1 {
			w.logOpts.ChunkSize = 0
		}
		if err := w.log.WriteMessage(&w.pending[i]); err != nil {
			w.broken = err
			return err
		}
		w.pending[i].Data = nil
	}
	w.logOpts.ChunkSize = neverCut
	w.pending, w.bytes = w.pending[:0], 0
	return nil
}

func (w *Writer) sync() error {
	if err := errors.Join(w.cut(), w.tail.flush()); err != nil {
		return fmt.Errorf("recording %s: %w", w.dir, err)
	}
	if err := w.tail.sync(); err != nil {
		w.broken = fmt.Errorf("recording %s: %w; close it and start another", w.dir, err)
		return w.broken
	}
	w.unsynced = 0
	return nil
}
