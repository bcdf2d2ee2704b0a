package recording

import (
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"sync"
	"syscall"
	"time"

	"stripswm/bags"
	"stripswm/bags/pairing"
	"stripswm/internal/clocks"
	"stripswm/msgs"
)

// Options of a Recorder.
type Options struct {
	Pairing     pairing.Options
	StatusTopic string
	AllFrames   bool // record every frame, not only those that transitions refer to

	Directory string // of a recording that is given no name; "" names it by date and time
	Continue  bool   // a recording that is in the directory (bags.Continue), in its next file

	SplitSize     int64         // bytes after which the bag's next file begins; 0 is never
	SplitDuration time.Duration // time after which the bag's next file begins; 0 is never
	MinFree       int64         // bytes to stay free on the disk: recording ends before
	Actions       int           // number of actions, to say which were never tried; 0 if not known
	Names         []string      // of actions 1, 2, ..., written into each bag; nil if not known
	Camera        bags.Camera   // written into each bag, unless it is the zero value

	Bag  bags.Options                    // TransitionTopic, and OpenFile for tests of failing disks
	Free func(dir string) (int64, error) // bytes free; the file system's answer if nil
	Lost func() uint64                   // images that came too fast to be handled; may be nil
	Log  *slog.Logger                    // slog.Default if nil

	// Acknowledged is told of each transition that is on disk, and again when it is marked failed
	// later. It must not call the Recorder.
	Acknowledged func(*msgs.Transition, pairing.RecordedAttempt)
	// Ended is told of each recording that has ended, for whatever reason.
	Ended func(Report)
}

// Errors of a Recorder's methods.
var (
	// ErrRecording is returned by Start while a recording is under way.
	ErrRecording = errors.New("a recording is under way; stop it first")
	// ErrNotRecording is returned where there is no recording to act on.
	ErrNotRecording = errors.New("nothing is being recorded; start a recording first")
	// ErrNothingToMark is returned by MarkFailed before the first transition of a bag.
	ErrNothingToMark = errors.New("this bag has no transition yet, and no skill is under way")
	// ErrDiskLow is returned by Start, and ends a recording, when less than Options.MinFree is free.
	ErrDiskLow = errors.New("the disk is nearly full")
)

// A Recorder makes recordings, one after the other. Its methods may be called from several
// goroutines.
type Recorder struct {
	options Options
	log     *slog.Logger

	mu     sync.Mutex
	pairer *pairing.Pairer
	writer *bagWriter // nil while nothing is recorded
	report *Report    // of the recording under way; afterwards of the last one
	base   pairing.Counts
	lost   uint64    // Options.Lost when it began
	warned time.Time // of a loss
}

// New makes a Recorder that waits for Start.
func New(o Options) *Recorder {
	if o.Free == nil {
		o.Free = freeBytes
	}
	if o.Lost == nil {
		o.Lost = func() uint64 { return 0 }
	}
	if o.Log == nil {
		o.Log = slog.Default()
	}
	return &Recorder{options: o, log: o.Log, pairer: pairing.New(o.Pairing), report: &Report{}}
}

// Start begins a recording in a directory that must not exist, and returns its absolute path.
// Without a name it is Options.Directory, with a number if that exists. With Options.Continue, a
// recording that is there is continued.
func (r *Recorder) Start(dir string, now time.Time) (string, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.writer != nil {
		return "", ErrRecording
	}
	if dir == "" && r.options.Continue {
		dir = r.options.Directory
	}
	if dir == "" {
		dir = unused(r.options.Directory, now)
	}
	if err := r.checkDisk(dir); err != nil {
		return "", err
	}
	t, err := newBagWriter(dir, now, r.options)
	if err != nil {
		return "", err
	}
	r.pairer.Flush("") // what began before is not part of it
	r.writer, r.base, r.lost = t, r.pairer.Counts(), r.options.Lost()
	r.report = newReport(now, r.options.Actions)
	r.report.Directory, r.report.Files = t.bag.Dir(), t.bag.Files()
	r.log.Info("recording", "directory", t.bag.Dir())
	return t.bag.Dir(), nil
}

// Stop ends the recording, and gives up attempts that lack their image after.
func (r *Recorder) Stop(now time.Time) (Report, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.writer == nil {
		return Report{}, ErrNotRecording
	}
	r.report.Now = now
	err := r.end("")
	return r.report.clone(), err
}

// end closes the bag and tells of the end.
func (r *Recorder) end(reason string) error {
	const early = "the recording ended first"
	if n := len(r.pairer.Flush(early)); n > 0 {
		r.report.Lost, r.report.Loss = r.report.Lost+n, early
	}
	r.balance()
	err := r.writer.bag.Close()
	r.report.Bytes, r.report.Files = r.writer.bag.Size(), r.writer.bag.Files()
	r.writer = nil
	if reason == "" && err != nil {
		reason = err.Error()
	}
	r.report.Reason = reason
	if r.options.Ended != nil {
		r.options.Ended(r.report.clone())
	}
	return err
}

// fail ends a recording that cannot go on.
func (r *Recorder) fail(err error) {
	r.log.Error("the recording ends", "directory", r.writer.bag.Dir(), "error", err)
	r.end(err.Error())
}

// Frame takes the next image of the camera. One without a stamp (Frame.Unstamped) is stamped with
// the time of its receipt, as a transition names its images by their stamps.
func (r *Recorder) Frame(f *pairing.Frame) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if f.Unstamped {
		var err error
		if f.Payload, err = msgs.Restamp(f.Payload, msgs.TimeFrom(f.Stamp)); err != nil {
			r.log.Warn("an image is left out", "topic", f.Topic, "error", err)
			return
		}
		if r.report.Unstamped++; r.report.Unstamped == 1 {
			r.log.Warn(clocks.NoStamps, "topic", f.Topic)
		}
	}
	if r.writer != nil {
		r.report.Cadence.add(f.Stamp, f.Received, len(f.Payload))
		r.report.Cadence.count(f.Writer, f.Number)
		if r.options.AllFrames {
			r.try(r.writer.frame(f))
		}
	}
	r.take(r.pairer.Frame(f))
}

// Status takes what the skill executor says.
func (r *Recorder) Status(s *msgs.SkillStatus, received time.Time) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.writer != nil {
		r.try(r.writer.status(s, received))
	}
	unmatchedEnds := r.pairer.Counts().UnmatchedEnds
	r.take(r.pairer.Status(s, received))
	if r.pairer.Counts().UnmatchedEnds > unmatchedEnds {
		r.cut(fmt.Sprintf("action %d ended whose start was not heard of", s.Action))
	}
}

// Reset is told that somebody changed the scene, and why, for people. An attempt under way is
// written before it, as failed.
func (r *Recorder) Reset(why string, received time.Time) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.take(r.pairer.Reset(received))
	if r.writer != nil {
		r.report.Resets++
		r.cut(why)
	}
}

// cut says in the bag that the next attempt does not find what the last one there left.
func (r *Recorder) cut(why string) {
	if r.writer != nil {
		r.try(r.writer.bag.WriteReset(why))
	}
}

// Tick gives up attempts that wait for too long, looks at the disk, and splits the bag. It is to be
// called about once a second.
func (r *Recorder) Tick(now time.Time) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.take(r.pairer.Tick(now))
	if r.writer == nil {
		return
	}
	r.report.Now = now
	if err := r.checkDisk(r.writer.bag.Dir()); err != nil {
		r.fail(err)
		return
	}
	r.split(now)
}

// try ends the recording if a write has failed.
func (r *Recorder) try(err error) {
	if err != nil && r.writer != nil {
		r.fail(err)
	}
}

// take writes attempts and acknowledges them.
func (r *Recorder) take(attempts []pairing.RecordedAttempt) {
	for _, a := range attempts {
		switch {
		case r.writer == nil:
			continue
		case !a.Complete():
			r.lose(&a, a.Note)
			continue
		}
		m := a.Message()
		r.try(r.tellClocks(a.After.Received))
		if r.writer == nil {
			continue
		}
		switch err := r.writer.transition(m, &a); {
		case isContent(err):
			r.lose(&a, err.Error())
			continue
		case err != nil:
			r.report.Unwritten++
			r.fail(fmt.Errorf("transition %d: %w", r.report.Transitions(), err))
			continue
		}
		r.report.count(a.Action, a.Outcome)
		r.acknowledge(m, a)
	}
}

// tellClocks writes how far the clocks are off, and logs a warning if there is one.
func (r *Recorder) tellClocks(now time.Time) error {
	camera, executor := r.pairer.Delays()
	told, err := r.writer.tellClocks(bags.Clocks{Camera: camera.Seconds(),
		Executor: executor.Seconds()}, now)
	if warning := r.pairer.ClockWarning(); told && warning != "" {
		r.log.Warn(warning)
	}
	return err
}

func (r *Recorder) acknowledge(m *msgs.Transition, a pairing.RecordedAttempt) {
	if r.options.Acknowledged != nil {
		r.options.Acknowledged(m, a)
	}
}

// MarkFailed marks the skill under way, or else the last transition of the bag, as failed. It
// returns the transition's index in the bag.
func (r *Recorder) MarkFailed(note string) (int, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.writer == nil {
		return 0, ErrNotRecording
	}
	if r.pairer.MarkFailed(note) {
		return r.writer.transitions, nil
	}
	last := r.writer.last
	if last == nil {
		return 0, ErrNothingToMark
	}
	marked := *last
	marked.Outcome, marked.Note = msgs.TransitionFailed, note
	if err := r.writer.bag.WriteTransition(&marked); err != nil {
		if !isContent(err) {
			r.fail(err)
		}
		return 0, err
	}
	r.report.recount(last.Action, last.Outcome, msgs.TransitionFailed)
	*last = marked
	r.acknowledge(&marked, pairing.RecordedAttempt{Action: marked.Action, Outcome: marked.Outcome,
		Note: marked.Note})
	return r.writer.transitions - 1, nil
}

// split goes on in the bag's next file if it is time to.
func (r *Recorder) split(now time.Time) {
	o := r.options
	full := o.SplitSize > 0 && r.writer.bag.FileSize() >= o.SplitSize
	old := o.SplitDuration > 0 && now.Sub(r.writer.began) >= o.SplitDuration
	if !full && !old {
		return
	}
	r.try(r.writer.split(now))
}

// Report returns the report of the recording under way, or else of the last one, and whether one is
// under way.
func (r *Recorder) Report() (Report, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.writer == nil {
		return r.report.clone(), false
	}
	r.balance()
	c := r.report.clone()
	c.Bytes, c.Files = r.writer.bag.Size(), r.writer.bag.Files()
	return c, true
}

// balance brings the report's counts of unusable input up to date.
func (r *Recorder) balance() {
	r.report.Unusable = minus(r.pairer.Counts(), r.base)
	r.report.Dropped = r.options.Lost() - r.lost
	r.report.CameraDelay, r.report.ExecutorDelay = r.pairer.Delays()
	r.report.Clocks = r.pairer.ClockWarning()
	if r.report.Unstamped > 0 {
		r.report.Clocks = clocks.NoStamps
	}
	r.report.Kept = r.pairer.Kept()
}

func (r *Recorder) checkDisk(dir string) error {
	if r.options.MinFree <= 0 {
		return nil
	}
	free, err := r.options.Free(dir)
	if err != nil {
		return fmt.Errorf("room for %s: %w", dir, err)
	}
	if free < r.options.MinFree {
		return fmt.Errorf("%w: %s has %d MB left, %d MB are to stay free", ErrDiskLow, dir, free>>20,
			r.options.MinFree>>20)
	}
	return nil
}

// Free is the room on the disk that the recording is on, or the next would be on.
func (r *Recorder) Free() (int64, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.writer != nil {
		return r.options.Free(r.writer.bag.Dir())
	}
	dir, err := filepath.Abs(r.options.Directory)
	if err != nil {
		return 0, err
	}
	return r.options.Free(dir)
}

// isContent says that the bag refused a message for what it says, and can be written to.
func isContent(err error) bool {
	return errors.Is(err, bags.ErrTransition) || errors.Is(err, bags.ErrReference)
}

// lose counts an attempt that is not in the bag, and says there that the next one does not follow
// the last.
func (r *Recorder) lose(a *pairing.RecordedAttempt, reason string) {
	r.report.Lost++
	r.report.Loss = fmt.Sprintf("action %d: %s", a.Action, reason)
	if now := time.Now(); now.Sub(r.warned) > quiet {
		r.warned = now
		r.log.Warn("an attempt is lost", "action", a.Action, "reason", reason, "lost so far",
			r.report.Lost)
	}
	r.cut(fmt.Sprintf("action %d is not recorded: %s", a.Action, reason))
}

// freeBytes is the room for an ordinary user on the file system that dir is on, or will be on.
func freeBytes(dir string) (int64, error) {
	for {
		var s syscall.Statfs_t
		err := syscall.Statfs(dir, &s)
		if err == nil {
			return int64(s.Bavail) * s.Bsize, nil
		}
		parent := filepath.Dir(dir)
		if !os.IsNotExist(err) || parent == dir {
			return 0, err
		}
		dir = parent
	}
}

// unused is a name for a recording: base, or date and time, with a number if it is taken.
func unused(base string, now time.Time) string {
	if base == "" {
		base = now.Format("recording_2006_01_02-15_04_05")
	}
	name := base
	for i := 1; ; i++ {
		if _, err := os.Lstat(name); err != nil {
			return name
		}
		name = fmt.Sprintf("%s_%d", base, i)
	}
}
