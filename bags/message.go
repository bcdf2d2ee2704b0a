package bags

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"stripswm/msgs"
)

// A Message is one recorded message.
type Message struct {
	Topic     *Topic
	Received  int64 // ns since the epoch, by the recorder's clock
	Published int64 // ns since the epoch, as the publisher says; equal to Received if it does not say
	Sequence  uint32
	Data      []byte // CDR with its encapsulation header; not to be changed

	at location
}

// Decode reads the message into m, whose type must be the topic's. Byte sequences in m are parts of
// Data.
func (m *Message) Decode(into msgs.Message) error {
	if !m.Topic.IsCDR() {
		return fmt.Errorf("topic %s: %w: it is encoded in %q, not in cdr", m.Topic.Name, ErrUnsupported,
			m.Topic.Encoding)
	}
	if m.Topic.Type != into.ROSType() {
		return fmt.Errorf("topic %s holds %s, not %s", m.Topic.Name, m.Topic.Type, into.ROSType())
	}
	return msgs.UnmarshalNoCopy(m.Data, into)
}

// A location is where a message's payload can be found again.
type location struct {
	file   int   // in the order of the recording's files
	record int64 // offset of the chunk or message record; the row in a database
	off, n int   // the payload in the chunk's or record's contents
}

// ByTime puts messages of one recording in the order of their receive times. Recorders and programs
// that rewrite bags put topics into files of their own, or one behind the other.
//
// Where those of a topic go back within a file, by more than clocks are adjusted by, the recorder's
// clock was set back, as that of a simulation is: then times tell no order. The messages stay as
// they are, and back is how far.
func ByTime(list []Message) (back time.Duration) {
	const adjusted = time.Second
	type place struct {
		file  int
		topic *Topic
	}
	last := map[place]int64{}
	for _, m := range list {
		at := place{m.at.file, m.Topic}
		back = max(back, time.Duration(last[at]-m.Received))
		last[at] = m.Received
	}
	if back > adjusted {
		return back
	}
	slices.SortStableFunc(list, func(a, b Message) int { return cmp.Compare(a.Received, b.Received) })
	return 0
}

// A visitor is told what a data file holds, front to back. Its functions return false to end the
// walk.
type visitor struct {
	message func(Message) bool
	fault   func(*Fault) bool
	// lost, if set, is told of messages that were begun but did not come through, as far as they can
	// be made out.
	lost func(t *Topic, sequence uint32)
	// counted, if set, is told how many messages of a topic the file's statistics name.
	counted func(t *Topic, n uint64)
	// strict asks for everything that reading alone does not need: CRCs of whole sections, indexes,
	// statistics.
	strict bool
	// progress, if set, is told the bytes gone through.
	progress func(n int64)
}

// A dataFile is one file of a recording.
type dataFile interface {
	scan(v *visitor)
	// load returns the payload at a location that walk gave.
	load(at location) ([]byte, error)
	bytes() int64 // that progress is told of
	close() error
}

// topicSet shares one Topic a name among the files of a recording.
type topicSet map[string]*Topic

func (s topicSet) add(t Topic) (*Topic, error) {
	known := s[t.Name]
	if known == nil {
		s[t.Name] = &t
		return &t, nil
	}
	if known.Type != t.Type || known.Encoding != t.Encoding {
		return nil, fmt.Errorf("topic %s is %s here and %s before", t.Name, t.kind(), known.kind())
	}
	return known, nil
}
