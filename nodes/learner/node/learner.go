package node

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"stripswm/msgs"
	"stripswm/nodes/learn"
	"stripswm/nodes/ros"
)

var (
	// ErrBusy is returned by Start while learning.
	ErrBusy = errors.New("the learner is learning: cancel it first")
	// errCanceled is why learning ended after ~/cancel.
	errCanceled = errors.New("canceled")
)

// Learner is the learner node.
type Learner struct {
	node     *ros.Node
	params   *params
	progress *ros.Publisher[*msgs.DiagnosticStatus]
	bundle   *ros.Publisher[*msgs.String]
	learn    func(context.Context, learn.Learner) (*learn.Result, error)

	mu     sync.Mutex
	cancel context.CancelCauseFunc // while learning
	done   chan struct{}           // closed when learning has ended
	err    error                   // how it ended
	last   msgs.DiagnosticStatus   // progress
	told   time.Time
}

// New makes the learner's parameters, topics and services on a node.
func New(n *ros.Node) (*Learner, error) {
	l := &Learner{node: n, learn: func(ctx context.Context, p learn.Learner) (*learn.Result, error) {
		return p.Run(ctx)
	}}
	l.last = msgs.DiagnosticStatus{Name: "idle"}
	var errs [3]error
	l.params, errs[0] = declareParams(n)
	l.progress, errs[1] = ros.Advertise[*msgs.DiagnosticStatus](n, "~/progress", ros.Latched)
	l.bundle, errs[2] = ros.Advertise[*msgs.String](n, "~/bundle", ros.Latched)
	start := func(context.Context) (string, error) { return "learning", l.Start() }
	cancel := func(context.Context) (string, error) { return "canceling", l.Cancel() }
	if err := errors.Join(append(errs[:], ros.Trigger(n, "~/start", start),
		ros.Trigger(n, "~/cancel", cancel), n.Diagnose("learner", l.diagnose))...); err != nil {
		return nil, err
	}
	// who waits for the next bundle knows then that nothing of another is under way
	l.tell(l.last, true)
	return l, nil
}

// Start begins to learn what the parameters name. It returns at once.
func (l *Learner) Start() error {
	p, err := l.params.learner()
	if err != nil {
		return err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.cancel != nil {
		return ErrBusy
	}
	ctx, cancel := context.WithCancelCause(l.node.Context())
	l.cancel, l.done, l.err = cancel, make(chan struct{}), nil
	if r := l.params.refresher(); r.Bundle != "" {
		r.Progress = l.report
		go l.refresh(ctx, r)
		return nil
	}
	p.Progress = l.report
	go l.run(ctx, p)
	return nil
}

// refresh learns anew what images look like.
func (l *Learner) refresh(ctx context.Context, r learn.Refresher) {
	l.node.Log().Info("refreshing", "bundle", r.Bundle, "recordings", r.Bags, "out", r.Out)
	s, err := r.Run(ctx)
	l.end(ctx, s.Bundle, values("new images", s.Images, "recognized before", s.New.Before,
		"recognized", s.New.After, "held out", s.New.Images, "strange images", len(s.Strange)), err)
}

// Cancel ends learning; what is learned so far is kept.
func (l *Learner) Cancel() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.cancel == nil {
		return errors.New("the learner is not learning")
	}
	l.cancel(errCanceled)
	return nil
}

// Wait waits until learning has ended and returns how, nil before the first Start.
func (l *Learner) Wait(ctx context.Context) error {
	l.mu.Lock()
	done := l.done
	l.mu.Unlock()
	if done == nil {
		return nil
	}
	select {
	case <-done:
		l.mu.Lock()
		defer l.mu.Unlock()
		return l.err
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (l *Learner) run(ctx context.Context, p learn.Learner) {
	l.node.Log().Info("learning", "recording", p.Bags[0], "out", p.Out, "preset", p.Preset.Name,
		"stage", string(p.Stage))
	result, err := l.learn(ctx, p)
	if result != nil && result.Recording != nil {
		err = errors.Join(err, result.Recording.Close())
	}
	var found []msgs.KeyValue
	if result != nil && result.Operators != nil && err == nil {
		model := result.Operators.Model
		found = values("predicates", model.Predicates, "actions", model.Actions(), "operators",
			len(model.Operators), "states", len(model.States), "eta", len(model.Exceptions), "xi",
			len(model.Slack), "nondeterministic outcomes", len(model.Nondeterministic))
	}
	dir := ""
	if result != nil && result.Bundle != nil {
		dir = result.Bundle.Dir
	}
	l.end(ctx, dir, found, err)
}

// end tells how learning ended: with a bundle in dir, if there is one, and what was found.
func (l *Learner) end(ctx context.Context, dir string, found []msgs.KeyValue, err error) {
	status := msgs.DiagnosticStatus{Name: "done", Message: dir, Values: found}
	switch {
	case err != nil && errors.Is(context.Cause(ctx), errCanceled):
		err = fmt.Errorf("learning: %w", errCanceled)
		status = msgs.DiagnosticStatus{Level: msgs.DiagnosticStatusWarn, Name: "canceled",
			Message: "the best so far is kept; start with resume to go on"}
	case err != nil:
		status = msgs.DiagnosticStatus{Level: msgs.DiagnosticStatusError, Name: "failed",
			Message: err.Error()}
		l.node.Log().Error("learning failed", "error", err)
	}
	if dir != "" {
		l.node.WarnOf("not published: bundle", l.bundle.Publish(&msgs.String{Data: dir}))
		l.node.Log().Info("bundle written", "directory", dir)
	}
	l.tell(status, true)
	l.mu.Lock()
	defer l.mu.Unlock()
	l.cancel(nil)
	l.cancel, l.err = nil, err
	close(l.done)
}

// Configured says whether the parameters name a recording and a folder.
func (l *Learner) Configured() bool { return l.params.bag.Get() != "" && l.params.out.Get() != "" }

// stopPatience is how long a step of training and the writing of a checkpoint may take.
const stopPatience = 1500 * time.Millisecond

// Stop cancels and waits a while for the checkpoint to be written. On a busy machine that may take
// longer: the last checkpoint then stays, which is no error.
func (l *Learner) Stop() error {
	if l.Cancel() != nil {
		return nil // not learning
	}
	ctx, cancel := context.WithTimeout(context.Background(), stopPatience)
	defer cancel()
	switch err := l.Wait(ctx); {
	case ctx.Err() != nil:
		l.node.Log().Warn("training did not stop in time: the checkpoint is the last one written",
			"waited", stopPatience)
	case err != nil && !errors.Is(err, errCanceled):
		return fmt.Errorf("stop learning: %w", err)
	}
	return nil
}

// progressPeriod is how often progress within one part of the work is told.
const progressPeriod = 200 * time.Millisecond

// report is the progress of package learn.
func (l *Learner) report(what string, done, total int, note string) {
	l.tell(msgs.DiagnosticStatus{Name: what, Message: note, Values: values("done", done, "total",
		total)}, done == total)
}

// tell publishes progress, not too often unless it must be known.
func (l *Learner) tell(s msgs.DiagnosticStatus, always bool) {
	now := time.Now()
	l.mu.Lock()
	always = always || s.Name != l.last.Name || now.Sub(l.told) >= progressPeriod
	l.last = s
	if always {
		l.told = now
	}
	l.mu.Unlock()
	if always {
		l.node.WarnOf("not published: progress", l.progress.Publish(&s))
	}
}

// diagnose repeats the latest progress on /diagnostics.
func (l *Learner) diagnose(_ time.Time, s *msgs.DiagnosticStatus) {
	l.mu.Lock()
	defer l.mu.Unlock()
	s.Level, s.Message, s.Values = l.last.Level, l.last.Name+": "+l.last.Message, l.last.Values
}

// values makes key values of names and numbers in turn.
func values(pairs ...any) []msgs.KeyValue {
	var list []msgs.KeyValue
	for i := 0; i+1 < len(pairs); i += 2 {
		list = append(list, msgs.KeyValue{Key: fmt.Sprint(pairs[i]), Value: fmt.Sprint(pairs[i+1])})
	}
	return list
}
