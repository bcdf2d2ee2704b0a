package recording

import (
	"context"
	"errors"
	"math"
	"os"
	"slices"
	"strings"
	"time"

	"stripswm/bags"
	"stripswm/bags/pairing"
	"stripswm/internal/clocks"
	"stripswm/msgs"
)

// A bagWriter writes the attempts of one recording, with their images, to its bag.
type bagWriter struct {
	bag         *bags.Writer
	statusTopic string
	began       time.Time // its present file
	transitions int
	last        *msgs.Transition
	clocks      *bags.Clocks // the last ones in the present file
}

func newBagWriter(dir string, now time.Time, o Options) (*bagWriter, error) {
	bag, before, err := open(dir, o)
	if err != nil {
		return nil, err
	}
	// Whoever reads the recording while it is made needs this at its begin.
	if err := errors.Join(begin(bag, before, now, o), bag.Sync()); err != nil {
		bag.Close()
		return nil, err
	}
	return &bagWriter{bag: bag, statusTopic: o.StatusTopic, began: now,
		transitions: before.Transitions}, nil
}

// open makes a bag, or goes on with the one that is there. The report is of what is in it.
func open(dir string, o Options) (*bags.Writer, *bags.Report, error) {
	if o.Continue {
		bag, before, err := bags.Continue(context.Background(), dir, o.Bag)
		if before != nil {
			for _, note := range before.Notes {
				o.Log.Warn(note, "directory", dir)
			}
		}
		if _, missing := os.Stat(dir); missing == nil {
			return bag, before, err
		}
	}
	bag, err := bags.Create(dir, o.Bag)
	return bag, &bags.Report{}, err
}

// begin writes what is known of skills and camera, unless it is in the bag.
func begin(bag *bags.Writer, before *bags.Report, now time.Time, o Options) error {
	knows := func(topic string) bool {
		return slices.ContainsFunc(before.Topics, func(t bags.TopicReport) bool {
			return t.Name == topic
		})
	}
	if before.Transitions > 0 {
		if err := bag.WriteReset("the recorder was away"); err != nil {
			return err
		}
	}
	if len(o.Names) > 0 && !knows(bags.NamesTopic) {
		if err := bag.Write(bags.NamesTopic, now,
			&msgs.String{Data: strings.Join(o.Names, "\n")}); err != nil {
			return err
		}
	}
	if len(o.Camera.Region) == 0 && o.Camera.Bits == 0 || knows(bags.CameraTopic) {
		return nil
	}
	return bag.Tell(bags.CameraTopic, now, o.Camera)
}

// split goes on in the bag's next file. Images that transitions need there are written again, so
// that each file stands alone.
func (t *bagWriter) split(now time.Time) error {
	if err := t.bag.Split(); err != nil {
		return err
	}
	t.began, t.clocks = now, nil
	return nil
}

// frame writes an image unless the present file has it.
func (t *bagWriter) frame(f *pairing.Frame) error {
	if t.bag.Holds(f.Topic, msgs.TimeFrom(f.Stamp)) {
		return nil
	}
	return t.bag.WritePayload(f.Topic, f.Type, f.Received, f.Payload)
}

// tellClocks writes how far the clocks are off, unless the present file says so.
func (t *bagWriter) tellClocks(c bags.Clocks, now time.Time) (told bool, err error) {
	known := t.clocks != nil && max(math.Abs(c.Camera-t.clocks.Camera),
		math.Abs(c.Executor-t.clocks.Executor)) < clocks.Distinct.Seconds()
	if known {
		return false, nil
	}
	t.clocks = &c
	return true, t.bag.Tell(bags.ClocksTopic, now, c)
}

func (t *bagWriter) status(s *msgs.SkillStatus, received time.Time) error {
	return t.bag.Write(t.statusTopic, received, s)
}

// transition writes an attempt with its images. When it returns nil, all of it is on disk.
func (t *bagWriter) transition(m *msgs.Transition, a *pairing.RecordedAttempt) error {
	for _, f := range []*pairing.Frame{a.Before, a.After} {
		if err := t.frame(f); err != nil {
			return err
		}
	}
	if err := t.bag.WriteTransition(m); err != nil {
		return err
	}
	t.last = m
	t.transitions++
	return nil
}
