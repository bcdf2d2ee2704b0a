package node

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync/atomic"
	"time"

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
	diagnostics *ros.Publisher[*msgs.DiagnosticArray]
	coverage    *coverage // nil without a bundle
	settings    settings
	out         io.Writer

	camera *camera.Camera
	heard  []*ros.Subscription
	level  tally
	used   atomic.Int32 // of 16 bits, most in an image that was looked at
	ended  bool         // for want of a disk, and /diagnostics says so
	failed chan error   // then tells of it
}

// New declares the parameters, makes the endpoints and begins to record. Reports
// are written to out.
func New(n *ros.Node, out io.Writer) (*Node, error) {
	s, err := declareAll(n)
	if err == nil {
		err = s.names(n)
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
	if r.diagnostics, err = ros.Advertise[*msgs.DiagnosticArray](r.node, "/diagnostics",
		ros.Default); err != nil {
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
	r.node.Every(r.node.Context(), time.Second, func(now time.Time) {
		r.recorder.Tick(now)
		r.end(r.diagnose(now))
	})
	return r.serve()
}

// waiting is how many statuses, and resets, may wait: they are small, and each of them counts.
const waiting = 1000

// listen subscribes to the camera, to the executor and to who changes the scene.
func (r *Node) listen() error {
	var err error
	if r.camera, err = camera.Open(r.node, imageTopic, r.settings.transport, r.settings.queue,
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
		return i.View(r.settings.camera)
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

// ErrEnded is what Failed gives.
var ErrEnded = errors.New("the recording ended")

// Failed gives an error that wraps ErrEnded when a recording ended without being asked to, as only
// the disk makes it, and /diagnostics has said so for a second.
func (r *Node) Failed() <-chan error { return r.failed }

// end is told with each diagnostics why the recording has ended; "" if it has not, or was stopped.
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
	_, err := ros.Serve(r.node, "~/start",
		func(_ context.Context, q *msgs.StartRecordingRequest) *msgs.StartRecordingResponse {
			dir, err := r.recorder.Start(q.Directory, r.node.Clock().Now())
			return &msgs.StartRecordingResponse{Success: err == nil, Message: message(err), Directory: dir}
		})
	if err != nil {
		return err
	}
	_, err = ros.Serve(r.node, "~/stop",
		func(context.Context, *msgs.StopRecordingRequest) *msgs.StopRecordingResponse {
			report, err := r.recorder.Stop(r.node.Clock().Now())
			return stopped(report, err)
		})
	if err != nil {
		return err
	}
	_, err = ros.Serve(r.node, "~/mark_failed",
		func(_ context.Context, q *msgs.MarkFailedRequest) *msgs.MarkFailedResponse {
			index, err := r.recorder.MarkFailed(q.Note)
			return &msgs.MarkFailedResponse{Success: err == nil, Message: message(err),
				Transition: uint32(index)}
		})
	return err
}

func stopped(report recording.Report, err error) *msgs.StopRecordingResponse {
	m := &msgs.StopRecordingResponse{Success: err == nil, Message: message(err),
		Transitions: uint32(report.Transitions()),
		Refused:     uint32(report.Outcomes.Refused), Failed: uint32(report.Outcomes.Failed),
		Dropped: uint32(report.Dropped), Duration: report.Duration().Seconds()}
	m.Directory = report.Directory
	return m
}

func message(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}
