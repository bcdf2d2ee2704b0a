package recording

import (
	"strings"
	"time"

	"stripswm/bags"
	"stripswm/bags/pairing"
	"stripswm/msgs"
)

// A bagWriter writes the attempts of one recording, with their images, to its bag.
type bagWriter struct {
	bag         *bags.Writer
	topic       string // of the images
	statusTopic string
	began       time.Time // its present file
	transitions int
	last        *msgs.Transition
	written     map[int64]bool // stamps of the images in the present file, the newest of them
	order       []int64
}

// remembered bounds bagWriter.written. An image that is written twice does no harm.
const remembered = 1024

func newBagWriter(dir string, now time.Time, o Options) (*bagWriter, error) {
	bag, err := bags.Create(dir, o.Bag)
	if err != nil {
		return nil, err
	}
	t := &bagWriter{bag: bag, topic: o.ImageTopic, statusTopic: o.StatusTopic, began: now, written: map[int64]bool{}}
	topic, err := bags.NewTopic(o.ImageTopic, o.ImageType)
	if err == nil {
		err = bag.AddTopic(topic)
	}
	if err == nil && len(o.Names) > 0 {
		err = bag.Write(bags.NamesTopic, now, &msgs.String{Data: strings.Join(o.Names, "\n")})
	}
	if err != nil {
		bag.Close()
		return nil, err
	}
	return t, nil
}

// split goes on in the bag's next file. Images are written again where transitions there need them, so that each file
// stands alone.
func (t *bagWriter) split(now time.Time) error {
	if err := t.bag.Split(); err != nil {
		return err
	}
	t.began, t.written, t.order = now, map[int64]bool{}, nil
	return nil
}

// frame writes an image unless the present file has it.
func (t *bagWriter) frame(f *pairing.Frame) error {
	stamp := f.Stamp.UnixNano()
	if t.written[stamp] {
		return nil
	}
	if err := t.bag.WriteRaw(t.topic, f.Received.UnixNano(), stamp, f.Payload); err != nil {
		return err
	}
	t.written[stamp] = true
	t.order = append(t.order, stamp)
	if len(t.order) > remembered {
		delete(t.written, t.order[0])
		t.order = t.order[1:]
	}
	return nil
}

func (t *bagWriter) status(s *msgs.SkillStatus, received time.Time) error {
	return t.bag.Write(t.statusTopic, received, s)
}

// transition writes an attempt with its images. When it returns nil, all of it is on disk.
func (t *bagWriter) transition(m *msgs.Transition, a *pairing.Attempt) error {
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
