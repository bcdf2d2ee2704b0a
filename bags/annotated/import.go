package annotated

import (
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"time"

	"stripswm/bags"
	"stripswm/bags/pairing"
	"stripswm/bags/recording"
	"stripswm/internal/clocks"
	"stripswm/internal/files"
	"stripswm/msgs"
)

// Options of an import.
type Options struct {
	Image string // topic of the camera: sensor_msgs/msg/Image or CompressedImage
	Skill string // topic that marks skills, of any type
	// of its messages: a string, integer or bool; "data", or a path such as "goal.name"
	Field   string
	Rules   Rules           // what its values mean
	Pairing pairing.Options // how images are picked
	Camera  bags.Camera     // what is known of it, kept in the recording
	// Thumbnail makes a small view of an image, which tells rest from motion.
	Thumbnail func(msgs.Message) (pairing.View, error)
	// Log is told which attempts are lost, and why; slog.Default if nil.
	Log *slog.Logger
	// Progress is told of messages; nil for nobody.
	Progress func(done, total int64)
}

// Import makes a recording at out, which must not exist, of the skills that the bag's topic marks.
// Where a mark falls among the images, receive times say (bags.ByTime), so that the camera's clock
// need not be the recorder's. An import that ends with an error, or with ctx, leaves nothing; so
// does one without an attempt.
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
	if _, err := os.Lstat(out); err == nil {
		return recording.Report{},
			fmt.Errorf("import: %s is there already; choose another name or remove it", out)
	}
	if out, err = filepath.Abs(out); err != nil {
		return recording.Report{}, fmt.Errorf("import: %w", err)
	}
	draft, err := files.Draft(out)
	if err != nil {
		return recording.Report{}, fmt.Errorf("import: %w", err)
	}
	defer os.RemoveAll(draft)
	f := &feeder{options: o, survey: s}
	made := filepath.Join(draft, filepath.Base(out))
	report, err := f.feed(ctx, r, made)
	if err == nil && report.Transitions() == 0 {
		err = fmt.Errorf("%w: none of the skills that start has an image before and after",
			bags.ErrTransition)
	}
	if err == nil {
		report.Directory, err = out, os.Rename(made, out)
	}
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

// pause is how long a robot whose skills have no end rests before the next one.
const pause = 500 * time.Millisecond

// rest ends the skill under way where there is no rule for ends: it was over when the next one was
// about to start.
func (f *feeder) rest() {
	if f.options.Rules.End != nil || f.running == "" {
		return
	}
	f.say(msgs.SkillStatusSucceeded, f.now.Add(-pause-max(f.options.Pairing.Settle, 0)))
	f.running = ""
}

// say is what a skill executor would have said at a time.
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
