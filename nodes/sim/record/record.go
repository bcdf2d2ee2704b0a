package record

import (
	"context"
	"fmt"
	"strings"
	"time"

	"stripswm/bags"
	"stripswm/msgs"
	"stripswm/nodes/sim"
	"stripswm/nodes/sim/camera"
)

// Topics of a recording, as on a rig with an image_transport camera driver.
const (
	ImageTopic  = "/camera/image_raw/compressed"
	StatusTopic = "/skill_status"
	frameID     = "camera_optical_frame"
)

// Options of a recording.
type Options struct {
	Transitions int // successful ones; refused attempts come on top
	Policy      sim.Policy
	Seed        uint64  // of walk and nuisance
	Size        int     // of the images, pixels a side
	Quality     int     // of JPEG, 1..100
	Nuisance    float64 // strength, 1 is the world's normal
	Workers     int     // rendering goroutines
	// Mislabel is the share of transitions, 0..1, whose recorded action id is
	// another than the executed one, drawn evenly from the rest; each transition
	// is drawn for itself.
	Mislabel float64
	// Faults go wrong as in sim.RunPolicy. The recording says where somebody put the scene
	// into another state; Unmarked leaves that out.
	sim.Faults
	Unmarked bool
	// Progress is told how many transitions are written.
	Progress func(done int)
}

// Summary says what was recorded.
type Summary struct {
	Transitions int     `json:"transitions"` // successful
	Mislabelled int     `json:"mislabelled"` // of the successful ones
	Refused     int     `json:"refused"`
	Failed      int     `json:"failed"`
	Resets      int     `json:"resets"` // times that somebody changed the scene, marked or not
	States      int     `json:"states"` // distinct true states seen, |S*|
	Bytes       int64   `json:"bytes"`  // of the data files, closed
	Seconds     float64 `json:"seconds"`
}

// begin is the simulated clock's start, so that a seed gives the same bytes.
var begin = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

// skillTime is how long a simulated skill takes, and settle the wait for the
// image after it.
const (
	skillTime = 2 * time.Second
	settle    = 500 * time.Millisecond
	idle      = 500 * time.Millisecond
)

// Run policies the world and records it in dir, which must not exist. When ctx
// ends, or the disk fills, the recording is closed with what is in it. A shorter
// recording is the beginning of a longer one with the same seed.
func Run(ctx context.Context, w *sim.World, dir string, o Options) (Summary, error) {
	start := time.Now()
	r, err := newRecorder(dir, o, 100)
	if err != nil {
		return Summary{}, err
	}
	err = r.run(ctx, w)
	if closeErr := r.bag.Close(); err == nil {
		err = closeErr
	}
	r.summary.States, r.summary.Bytes, r.summary.Seconds = len(r.seen), r.bag.Size(), time.Since(
		start).Seconds()
	if err != nil {
		return r.summary, fmt.Errorf("recording stopped after %d transitions: %w", r.summary.Transitions,
			err)
	}
	return r.summary, nil
}

type recorder struct {
	bag     *bags.Writer
	options Options
	clock   *time.Time
	seen    map[sim.State]bool
	summary Summary
	count   uint32 // attempts
}

// newRecorder makes a bag that is synced after so many transitions.
func newRecorder(dir string, o Options, syncEvery int) (*recorder, error) {
	clock := begin
	bag, err := bags.Create(dir, bags.Options{SyncEvery: syncEvery, Clock: func() time.Time {
		return clock
	}})
	return &recorder{bag: bag, options: o, clock: &clock, seen: map[sim.State]bool{}}, err
}

func (r *recorder) run(ctx context.Context, w *sim.World) error {
	cam := camera.New(r.options.Size, r.options.Size)
	cam.Strength = r.options.Nuisance
	trajectory, err := sim.RunPolicy(w, r.options.Policy, r.options.Seed,
		r.options.Transitions, r.options.Faults)
	if err != nil {
		return err
	}
	labels, err := newLabeller(r.options.Mislabel, r.options.Seed, w.NumActions())
	if err != nil {
		return err
	}
	how := bags.Simulation{Policy: string(r.options.Policy), Transitions: r.options.Transitions,
		Resets: r.options.Resets, Failures: r.options.Failures}
	if err := r.about(w, how); err != nil {
		return err
	}
	last := w.Initial()
	err = shoot(ctx, cam, w, trajectory, r.options, func(s shot) error {
		last = s.Next
		executed := s.Action
		s.Action = labels.label(s.Step)
		if err := r.write(s); err != nil {
			return err
		}
		r.seen[s.State], r.seen[s.Next] = true, true
		if s.Reset {
			r.summary.Resets++
		}
		if s.Failed {
			r.summary.Failed++
			return nil
		}
		if !s.OK {
			r.summary.Refused++
			return nil
		}
		r.summary.Transitions++
		if s.Action != executed {
			r.summary.Mislabelled++
		}
		if r.options.Progress != nil {
			r.options.Progress(r.summary.Transitions)
		}
		return nil
	})
	if err == nil && r.summary.Transitions < r.options.Transitions {
		err = fmt.Errorf("no skill applies any more (%s): record with resets", w.Describe(last))
	}
	return err
}

// about records what the actions are called, and which world it is.
func (r *recorder) about(w *sim.World, s bags.Simulation) error {
	if err := r.bag.Write(bags.NamesTopic, *r.clock,
		&msgs.String{Data: strings.Join(sim.ActionNames(w), "\n")}); err != nil {
		return err
	}
	s.World, s.Seed, s.Whole = w.Name(), r.options.Seed, sim.IsWhole(w)
	return r.bag.Tell(bags.SimulationTopic, *r.clock, s)
}

// write records one attempt: reset, image, status, image, status, transition.
func (r *recorder) write(s shot) error {
	if s.Reset && !r.options.Unmarked {
		if err := r.bag.WriteReset("somebody put the scene into another state"); err != nil {
			return err
		}
	}
	r.count++
	id := msgs.UUID{}
	for i := range 4 {
		id.UUID[i] = byte(r.count >> (8 * i))
	}
	before := msgs.TimeFrom(*r.clock)
	if err := r.image(s.before, before); err != nil {
		return err
	}
	if err := r.status(id, s, msgs.SkillStatusStarted, 0); err != nil {
		return err
	}
	*r.clock = r.clock.Add(skillTime)
	outcome, phase := msgs.TransitionSucceeded, msgs.SkillStatusSucceeded
	if s.Failed {
		outcome, phase = msgs.TransitionFailed, msgs.SkillStatusFailed
	} else if !s.OK {
		outcome, phase = msgs.TransitionRefused, msgs.SkillStatusRefused
	}
	if err := r.status(id, s, uint8(phase), 1); err != nil {
		return err
	}
	*r.clock = r.clock.Add(settle)
	after := msgs.TimeFrom(*r.clock)
	if err := r.image(s.after, after); err != nil {
		return err
	}
	err := r.bag.WriteTransition(&msgs.Transition{
		Header: msgs.Header{Stamp: after, FrameID: frameID}, ImageTopic: ImageTopic,
		Before: before, Action: uint32(s.Action), After: after, Outcome: uint8(outcome),
	})
	*r.clock = r.clock.Add(idle)
	return err
}

func (r *recorder) image(m *msgs.CompressedImage, stamp msgs.Time) error {
	m.Header.Stamp = stamp
	return r.bag.WriteImage(ImageTopic, m)
}

func (r *recorder) status(id msgs.UUID, s shot, phase uint8, progress float32) error {
	return r.bag.Write(StatusTopic, *r.clock, &msgs.SkillStatus{
		Header: msgs.Header{Stamp: msgs.TimeFrom(*r.clock)}, ExecutionID: id,
		Action: uint32(s.Action), Phase: phase, Progress: progress,
	})
}
