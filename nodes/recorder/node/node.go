package node

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync/atomic"
	"time"

	"stripswm/bags"
	"stripswm/bags/pairing"
	"stripswm/bags/recording"
	"stripswm/internal/clocks"
	"stripswm/msgs"
	"stripswm/nodes/camera"
	"stripswm/nodes/ros"
)

// A Node records until it is closed.
type Node struct {
	node        *ros.Node
	recorder    *recording.Recorder
	transitions *ros.Publisher[*msgs.Transition]
	coverage    *coverage // nil without a bundle
	settings    settings
	out         io.Writer

	camera *camera.Camera
	heard  []*ros.Subscription
	level  tally
	used   atomic.Int32 // the most of 16 bits that samples of an image used
	ended  bool         // the recording ended by itself, and /diagnostics says so
	failed chan error   // what Failed returns
}

// New declares the parameters, makes the endpoints and begins to record. It writes reports to out.
func New(n *ros.Node, out io.Writer) (*Node, error) {
	s, err := declareAll(n)
	if err == nil {
		s.recording.StatusTopic, err = n.Resolve("skill_status")
	}
	if err == nil {
		s.recording.Bag.TransitionTopic, err = n.Resolve("transitions")
	}
	if err != nil {
		return nil, err
	}
	n.WarnUndeclared()
	r := &Node{node: n, settings: s, out: out, failed: make(chan error, 1)}
	if err := r.open(); err != nil {
		return nil, errors.Join(err, r.Close())
	}
	return r, nil
}

func (r *Node) open() (err error) {
	o := r.settings.recording
	if r.settings.bundle != "" {
		if r.coverage, err = watch(r.settings.bundle, r.node.Log()); err != nil {
			return err
		}
		if o.Actions == 0 {
			o.Actions = r.coverage.actions()
		}
	}
	lost := func() uint64 { return r.camera.Dropped() } // asked once it records
	o.Log, o.Lost, o.Acknowledged, o.Ended = r.node.Log(), lost, r.acknowledge, r.tell
	if r.transitions, err = ros.Advertise[*msgs.Transition](r.node, "transitions",
		ros.QoS{Depth: 100}); err != nil {
		return err
	}
	r.recorder = recording.New(o)
	if err := r.listen(); err != nil {
		return err
	}
	if r.settings.autostart {
		if _, err := r.recorder.Start("", r.node.Clock().Now()); err != nil {
			return fmt.Errorf("start recording: %w", err)
		}
	}
	return errors.Join(r.serve(), r.node.Diagnose("recording", r.diagnose))
}

// listen subscribes to the camera, to the executor and to who changes the scene.
func (r *Node) listen() error {
	var err error
	if r.camera, err = camera.Open(r.node, imageTopic, r.settings.camera.Transport, r.settings.queue,
		r.see); err != nil {
		return err
	}
	status, err := ros.Subscribe(r.node, r.settings.recording.StatusTopic, ros.QoS{Depth: waiting},
		func(m *msgs.SkillStatus, i ros.Info) { r.recorder.Status(m, r.node.Received(i)) })
	if err != nil {
		return err
	}
	reset, err := ros.Subscribe(r.node, "scene_reset", ros.QoS{Depth: waiting},
		func(m *msgs.String, i ros.Info) {
			r.node.Log().Info("the scene was reset", "why", m.Data)
			r.recorder.Reset(m.Data, r.node.Received(i))
		})
	r.heard = []*ros.Subscription{status, reset}
	return err
}

// see hands an image on, decoded only where the recorder looks at it.
func (r *Node) see(i camera.Image) {
	stamp, stamped := clocks.Stamp(i.Header.Stamp, i.Received)
	f := &pairing.Frame{Stamp: stamp, Unstamped: !stamped, FrameID: i.Header.FrameID,
		Received: i.Received, Topic: i.Topic, Type: i.Type, Payload: i.Info.Payload,
		Writer: i.Info.Writer, Number: i.Info.Number}
	f.Thumbnail = func() (pairing.View, error) {
		r.used.Store(max(r.used.Load(), int32(i.Used()))) // of one goroutine at a time
		return i.View(r.settings.camera.Camera)
	}
	r.recorder.Frame(f)
}

func (r *Node) acknowledge(m *msgs.Transition, a pairing.RecordedAttempt) {
	if err := r.transitions.Publish(m); err != nil {
		r.node.Log().Warn("a transition is on disk but was not published", "action", m.Action, "error",
			err)
	}
	if r.coverage != nil {
		r.coverage.add(a)
	}
}

// tell prints what an ended recording holds.
func (r *Node) tell(report recording.Report) {
	fmt.Fprint(r.out, report.String())
	if r.coverage != nil {
		fmt.Fprint(r.out, r.coverage.String())
	}
}

// ErrEnded is wrapped by what Failed gives.
var ErrEnded = errors.New("the recording ended")

// Failed gives an error when the disk ended a recording, after /diagnostics has said so for a
// second.
func (r *Node) Failed() <-chan error { return r.failed }

// end is told once a second why the recording ended by itself; "" if it did not.
func (r *Node) end(reason string) {
	if reason != "" && r.ended {
		select {
		case r.failed <- fmt.Errorf("%w: %s", ErrEnded, reason):
		default:
		}
	}
	r.ended = reason != ""
}

// Close ends the recording, if one is under way, and prints its report.
func (r *Node) Close() error {
	var err error
	if r.recorder != nil {
		if _, err = r.recorder.Stop(r.node.Clock().Now()); errors.Is(err, recording.ErrNotRecording) {
			err = nil
		}
	}
	if r.coverage != nil {
		err = errors.Join(err, r.coverage.close())
	}
	return err
}

func (r *Node) serve() error {
	start := func(_ context.Context, q *msgs.StartRecordingRequest) *msgs.StartRecordingResponse {
		dir, err := r.recorder.Start(q.Directory, r.node.Clock().Now())
		return &msgs.StartRecordingResponse{Success: err == nil, Message: message(err), Directory: dir}
	}
	stop := func(context.Context, *msgs.StopRecordingRequest) *msgs.StopRecordingResponse {
		report, err := r.recorder.Stop(r.node.Clock().Now())
		return &msgs.StopRecordingResponse{Success: err == nil, Message: message(err),
			Directory: report.Directory, Transitions: uint32(report.Transitions()),
			Refused: uint32(report.Outcomes.Refused), Failed: uint32(report.Outcomes.Failed),
			Dropped: uint32(report.Dropped), Duration: report.Duration().Seconds()}
	}
	mark := func(_ context.Context, q *msgs.MarkFailedRequest) *msgs.MarkFailedResponse {
		index, err := r.recorder.MarkFailed(q.Note)
		return &msgs.MarkFailedResponse{Success: err == nil, Message: message(err),
			Transition: uint32(index)}
	}
	return errors.Join(ros.Serve(r.node, "~/start", start), ros.Serve(r.node, "~/stop", stop),
		ros.Serve(r.node, "~/mark_failed", mark))
}

func message(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

// settings are the node's parameters. All are read once.
type settings struct {
	recording recording.Options
	camera    camera.Settings
	autostart bool
	queue     int
	bundle    string
}

// span declares a time in seconds; 0 means none.
func span(d *ros.Settings, name string, value time.Duration, text string) time.Duration {
	seconds := ros.Setting(d, name, value.Seconds(), text+", seconds", 0, 1e6)
	return time.Duration(seconds * float64(time.Second))
}

// orNone maps 0, which sets a parameter to nothing, to what pairing.Options has for that.
func orNone[T time.Duration | float64](v T) T {
	if v == 0 {
		return -1
	}
	return v
}

func declareAll(n *ros.Node) (settings, error) {
	d := &ros.Settings{Node: n}
	s := settings{
		autostart: ros.Setting(d, "autostart", true, "record from the start"),
		camera:    camera.Declare(d, "is all"),
		queue: int(ros.Setting(d, "queue", int64(60), "images that may wait while the disk is busy",
			1, 10000)),
		bundle: ros.Setting(d, "bundle", "",
			"a learned bundle, for the coverage of its states while recording"),
	}
	usual := pairing.Defaults()
	s.recording = recording.Options{
		Directory: ros.Setting(d, "directory", "",
			"bag to make, numbered if it exists; empty names it by date and time"),
		Continue: ros.Setting(d, "continue", false,
			"go on with a recording that is in directory, in its next file"),
		AllFrames: ros.ChoiceSetting(d, "frames", "transitions",
			"record all frames, or those that transitions refer to", "transitions", "all") == "all",
		SplitSize: ros.Setting(d, "split_size", int64(0),
			"bytes after which the bag's next file begins; 0 never", 0, 1e15),
		SplitDuration: span(d, "split_duration", 0,
			"time after which the bag's next file begins; 0 never"),
		MinFree: ros.Setting(d, "min_free", int64(1<<30),
			"bytes to stay free on the disk: recording ends before", 0, 1e15),
		Actions: int(ros.Setting(d, "actions", int64(0),
			"number of actions, to say which were never tried; 0 takes the bundle's", 0, 1e6)),
		Camera: bags.Camera{Region: s.camera.Region, Bits: s.camera.Bits},
		Pairing: pairing.Options{
			Settle: orNone(span(d, "settle", usual.Settle,
				"from a skill's end to the first image that may be after it")),
			MotionThreshold: orNone(ros.Setting(d, "motion_threshold", usual.MotionThreshold,
				"grey levels that a patch may change in a scene at rest; 0 does not check", 0, 255)),
			MotionWindow: orNone(span(d, "motion_window", usual.MotionWindow,
				"over which motion is looked for")),
			Contrast: orNone(ros.Setting(d, "contrast", usual.Contrast,
				"grey levels below which an image shows nothing", 0, 255)),
			MaxAge: orNone(span(d, "max_age", usual.MaxAge,
				"of the image before when the skill starts")),
			Timeout: orNone(span(d, "timeout", usual.Timeout,
				"for the scene to come to rest after a skill")),
			History: orNone(span(d, "history", usual.History,
				"of images kept, which bounds how late a status may come")),
			Memory: int(ros.Setting(d, "memory", int64(usual.Memory),
				"bytes that these may take, or less of them are kept", 1, 1e15)),
		},
	}
	return s, d.Err
}

// imageTopic has raw images; the topic of compressed ones follows from it.
const imageTopic = "camera/image_raw"
