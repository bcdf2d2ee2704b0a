package annotated

import (
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"stripswm/bags"
	"stripswm/bags/pairing"
	"stripswm/bags/recording"
	"stripswm/internal/clocks"
	"stripswm/internal/files"
	"stripswm/msgs"
)

const (
	// pause is how long a robot that says no ends of skills is thought to rest before the next skill.
	// Shorter, the image after has to be of fewer frames; longer, it may show the robot at work.
	pause = 500 * time.Millisecond
	// maxID is the largest number that may be the id of a skill. The learner makes an operator for
	// each id up to the largest, seen or not.
	maxID = 10_000
	// shown is how many values of the field an error gives as examples.
	shown = 5
)

// Options of an import.
type Options struct {
	Image   string          // topic of the camera: sensor_msgs/msg/Image or CompressedImage
	Skill   string          // topic that marks skills, of any type
	Field   string          // a string, integer or bool of its messages: "data", or "goal.name"
	Rules   Rules           // what the field's values mean
	Pairing pairing.Options // how images are picked
	Camera  bags.Camera     // what is known of the camera, for the recording
	// Thumbnail makes a small view of an image, which tells rest from motion.
	Thumbnail func(msgs.Message) (pairing.View, error)
	// Log is told which attempts are lost, and why; slog.Default if nil.
	Log *slog.Logger
	// Progress is told the number of messages; it may be nil.
	Progress func(done, total int64)
}

// Import makes a recording at out, which must not exist, of the skills that the bag's topic marks.
// Images and marks count in the order of their receive times (bags.ByTime), so the camera's clock
// need not be the recorder's. It is an error if there is no attempt. After an error nothing is left
// at out.
func Import(ctx context.Context, bag, out string, o Options) (recording.Report, error) {
	r, err := bags.Open(bag)
	if err != nil {
		return recording.Report{}, fmt.Errorf("import: %w", err)
	}
	defer r.Close()
	if o.Log == nil {
		o.Log = slog.Default()
	}
	s, err := survey(ctx, r, o)
	if err != nil {
		return recording.Report{}, fmt.Errorf("import %s: %w", bag, err)
	}
	if out, err = filepath.Abs(out); err != nil {
		return recording.Report{}, fmt.Errorf("import: %w", err)
	}
	var report recording.Report
	err = files.Create(out, func(at string) (err error) {
		f := &feeder{options: o, survey: s}
		report, err = f.feed(ctx, r, at)
		if err == nil && report.Transitions() == 0 {
			err = fmt.Errorf("%w: none of the skills that start has an image before and after",
				bags.ErrTransition)
		}
		return err
	})
	report.Directory = out
	if report.Lost > 0 {
		o.Log.Warn("attempts are lost", "lost", report.Lost, "kept", report.Transitions(), "the last",
			report.Loss, "unreadable images", report.Unusable.Unreadable)
	}
	if err != nil {
		return report, fmt.Errorf("import %s: %w", bag, err)
	}
	return report, nil
}

// A feeder plays a bag to a recorder.
type feeder struct {
	options  Options
	survey   *surveyed
	recorder *recording.Recorder
	now      time.Time // receive time of the present message
	running  string    // skill under way; "" for none
	count    uint32    // skills begun
}

func (f *feeder) feed(ctx context.Context, r *bags.Reader, out string) (recording.Report, error) {
	o := f.options
	f.recorder = recording.New(recording.Options{
		Pairing: o.Pairing, StatusTopic: "/skill_status", Names: f.survey.names, Camera: o.Camera,
		Bag: bags.Options{SyncEvery: -1, Clock: func() time.Time { return f.now }}, Log: o.Log,
	})
	f.now = time.Unix(0, f.survey.messages[0].Received)
	if _, err := f.recorder.Start(out, f.now); err != nil {
		return recording.Report{}, err
	}
	var failed error
	for i, m := range f.survey.messages {
		f.now = time.Unix(0, m.Received)
		if failed = cmp.Or(ctx.Err(), r.Load(&m)); failed == nil {
			failed = f.message(&m)
		}
		if failed != nil {
			break
		}
		if o.Progress != nil {
			o.Progress(int64(i+1), int64(len(f.survey.messages)))
		}
	}
	f.rest()
	report, err := f.recorder.Stop(f.now)
	if errors.Is(err, recording.ErrNotRecording) { // it ended by itself, and says why
		report, _ = f.recorder.Report()
		err = errors.New(report.Reason)
	}
	return report, errors.Join(failed, err)
}

func (f *feeder) message(m *bags.Message) error {
	if m.Topic.Name == f.options.Image {
		return f.frame(m)
	}
	value, err := f.survey.field.Text(m.Data)
	if err != nil {
		return fmt.Errorf("topic %s: %w", m.Topic.Name, err)
	}
	phase, name, ok := f.options.Rules.phase(value)
	switch {
	case !ok, name == f.running: // nothing, or what was said before
		return nil
	case phase == msgs.SkillStatusStarted:
		f.rest()
		f.running = name
		f.count++
		f.say(phase, f.now)
	default:
		f.say(phase, f.now)
		f.running = ""
	}
	return nil
}

// rest ends the skill under way if there is no rule for ends: it was over some time before the next
// one starts.
func (f *feeder) rest() {
	if f.options.Rules.End != nil || f.running == "" {
		return
	}
	f.say(msgs.SkillStatusSucceeded, f.now.Add(-pause-max(f.options.Pairing.Settle, 0)))
	f.running = ""
}

// say gives the recorder what a skill executor would have said at a time.
func (f *feeder) say(phase uint8, at time.Time) {
	m := &msgs.SkillStatus{Header: msgs.Header{Stamp: msgs.TimeFrom(at)},
		Action: f.survey.ids[f.running], Phase: phase}
	binary.LittleEndian.PutUint32(m.ExecutionID.UUID[:], f.count)
	f.recorder.Status(m, at)
}

func (f *feeder) frame(m *bags.Message) error {
	header, err := msgs.HeaderOf(m.Data)
	if err != nil {
		return fmt.Errorf("topic %s: %w", m.Topic.Name, err)
	}
	stamp, stamped := clocks.Stamp(header.Stamp, f.now)
	topic, data := m.Topic, m.Data
	f.recorder.Frame(&pairing.Frame{Stamp: stamp, Unstamped: !stamped, FrameID: header.FrameID,
		Received: f.now, Topic: topic.Name, Type: topic.Type, Payload: data,
		Thumbnail: func() (pairing.View, error) { return f.options.view(topic, data) }})
	return nil
}

// view is the Thumbnail of a message.
func (o Options) view(topic *bags.Topic, data []byte) (pairing.View, error) {
	image, _ := msgs.New(topic.Type)
	if err := msgs.UnmarshalNoCopy(data, image); err != nil {
		return pairing.View{}, err
	}
	return o.Thumbnail(image)
}

// Rules say what a value of the field means. Ends are asked for first; a value that no rule knows
// means nothing.
type Rules struct {
	// Start matches what starts a skill, whose name is its first group, or all of the value where it
	// has none.
	Start *regexp.Regexp
	// End, Refused and Failed match what ends the skill under way. Without End one is over when the
	// next one is about to start, or with the recording; its image after is one of the last half
	// second before that.
	End, Refused, Failed *regexp.Regexp
}

// phase is what the value says of a skill, and the name of one that starts. ok is false if the
// value says nothing.
func (r Rules) phase(value string) (phase uint8, name string, ok bool) {
	for _, end := range []struct {
		rule  *regexp.Regexp
		phase uint8
	}{{r.Refused, msgs.SkillStatusRefused}, {r.Failed, msgs.SkillStatusFailed},
		{r.End, msgs.SkillStatusSucceeded}} {
		if end.rule != nil && end.rule.MatchString(value) {
			return end.phase, "", true
		}
	}
	match := r.Start.FindStringSubmatch(value)
	if match == nil {
		return 0, "", false
	}
	name = match[0]
	if len(match) > 1 {
		name = match[1]
	}
	return msgs.SkillStatusStarted, name, name != ""
}

// A surveyed bag has the topics that are asked for.
type surveyed struct {
	field    *msgs.FieldReader
	ids      map[string]uint32 // of skills by name
	names    []string          // of skills 1, 2, ...; nil where they are numbers
	messages []bags.Message    // on the two topics, by time, without data
}

// survey reads the bag for the names of the skills, and finds what is missing before anything is
// written.
func survey(ctx context.Context, r *bags.Reader, o Options) (*surveyed, error) {
	s := &surveyed{}
	topics := map[string]*bags.Topic{}
	seen := map[string]bool{}
	var values []string // examples
	readable := false
	var unreadable error // the first
	for m, err := range r.Messages(ctx) {
		if err != nil {
			return nil, err
		}
		topics[m.Topic.Name] = m.Topic
		if m.Topic.Name != o.Image && m.Topic.Name != o.Skill {
			continue
		}
		kept := m
		kept.Data = nil
		s.messages = append(s.messages, kept)
		if m.Topic.Name == o.Image {
			if m.Topic.IsImage() && !readable {
				_, err := o.view(m.Topic, m.Data)
				readable = err == nil
				if unreadable == nil {
					unreadable = err
				}
			}
			continue
		}
		value, err := s.value(&m, o.Field)
		if err != nil {
			return nil, err
		}
		if phase, name, ok := o.Rules.phase(value); ok && phase == msgs.SkillStatusStarted {
			seen[name] = true
		}
		if len(values) < shown && !slices.Contains(values, value) {
			values = append(values, value)
		}
	}
	image := topics[o.Image]
	switch {
	case image == nil:
		return nil, fmt.Errorf("%w: no messages on %s; there are %s", bags.ErrReference, o.Image,
			list(topics))
	case !image.IsImage():
		return nil, fmt.Errorf("%w: %s has %s, not images; there are %s", bags.ErrReference, o.Image,
			image.Type, list(topics))
	case !readable:
		return nil, fmt.Errorf("topic %s: %w: no image can be read; the first: %w", o.Image,
			bags.ErrImage, unreadable)
	case topics[o.Skill] == nil:
		return nil, fmt.Errorf("%w: no messages on %s; there are %s", bags.ErrReference, o.Skill,
			list(topics))
	case len(seen) == 0:
		return nil, fmt.Errorf("%w: no value of %s on %s starts a skill by the rule %q; the first are %q",
			bags.ErrTransition, o.Field, o.Skill, o.Rules.Start, values)
	}
	if back := bags.ByTime(s.messages); back > 0 {
		o.Log.Warn("receive times go back within a file, so that the order in it counts", "by", back)
	}
	var err error
	s.ids, s.names, err = skills(seen)
	return s, err
}

// value reads the field of a message.
func (s *surveyed) value(m *bags.Message, field string) (string, error) {
	if s.field == nil {
		if !m.Topic.IsCDR() {
			return "", fmt.Errorf("%w: topic %s is encoded in %q", bags.ErrUnsupported, m.Topic.Name,
				m.Topic.Encoding)
		}
		definition, err := definition(m.Topic)
		if err != nil {
			return "", err
		}
		if s.field, err = msgs.NewFieldReader(m.Topic.Type, definition, field); err != nil {
			return "", fmt.Errorf("topic %s: %w: %w", m.Topic.Name, bags.ErrUnsupported, err)
		}
	}
	value, err := s.field.Text(m.Data)
	if err != nil {
		return "", fmt.Errorf("topic %s: %w: %w", m.Topic.Name, bags.ErrDamaged, err)
	}
	return value, nil
}

// definition is that of a topic's type in the recording, or else in package msgs.
func definition(t *bags.Topic) (string, error) {
	known, _ := msgs.Schema(t.Type)
	switch {
	case t.Schema != "" && t.SchemaEncoding == "":
		return t.Schema, nil
	case known != "":
		return known, nil
	case t.SchemaEncoding != "":
		return "", fmt.Errorf("topic %s: %w: %s is defined in %s; record a topic of a type that a .msg "+
			"file defines, such as std_msgs/msg/String", t.Name, bags.ErrUnsupported, t.Type,
			t.SchemaEncoding)
	}
	return "", fmt.Errorf("%w: the recording does not define %s; convert it to MCAP with ros2 bag "+
		"convert", bags.ErrUnsupported, t.Type)
}

// list names the topics, for messages to people.
func list(topics map[string]*bags.Topic) string {
	var all []string
	for _, t := range topics {
		all = append(all, t.String())
	}
	slices.Sort(all)
	return cmp.Or(strings.Join(all, ", "), "none")
}

// skills gives skills their ids. If all names are numbers from 1 on, those are the ids, and names
// is nil; otherwise ids go by the alphabet.
func skills(seen map[string]bool) (ids map[string]uint32, names []string, err error) {
	ids = map[string]uint32{}
	for name := range seen {
		n, err := strconv.Atoi(name)
		if err != nil || n < 1 {
			break
		}
		if n > maxID {
			return nil, nil,
				fmt.Errorf("skill %d: ids go to %d; name skills by a word in the rule for starts", n, maxID)
		}
		ids[name] = uint32(n)
	}
	if len(ids) == len(seen) {
		return ids, nil, nil
	}
	for i, name := range slices.Sorted(maps.Keys(seen)) {
		ids[name] = uint32(i + 1)
		// recordings take names of one word
		names = append(names, strings.Join(strings.Fields(name), "_"))
	}
	return ids, names, nil
}
