package node

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"stripswm/models/bundle"
	"stripswm/models/inference"
	"stripswm/models/pixels"
	"stripswm/models/vision"
	"stripswm/msgs"
	"stripswm/nodes/exploration"
	"stripswm/nodes/ros"
)

// learner is the learner node, as seen from here.
type learner struct {
	node     *ros.Node
	frame    pixels.Frame // of images here
	patience *patience
	start    *ros.Client[*msgs.TriggerRequest, *msgs.TriggerResponse]
	set      *ros.Client[*msgs.SetParametersRequest, *msgs.SetParametersResponse]
	progress *ros.Subscription
	open     func(dir string, frame pixels.Frame) (*exploration.Recognizer, error)

	mu     sync.Mutex
	said   *msgs.DiagnosticStatus // its latest progress; nil before the first
	count  int                    // of what it said
	bundle string                 // its latest
	dir    string                 // of the recognizer that were opened last
	news   chan struct{}          // closed and replaced with each of these
}

func newLearner(n *ros.Node, p *patience) (*learner, error) {
	l := &learner{node: n, patience: p, open: openRecognizer, news: make(chan struct{})}
	var errs [4]error
	l.start, errs[0] = ros.NewClient[*msgs.TriggerRequest, *msgs.TriggerResponse](n, "learner/start")
	l.progress, errs[1] = ros.Subscribe(n, "learner/progress", ros.QoS{TransientLocal: true,
		Depth: 100}, func(m *msgs.DiagnosticStatus, _ ros.Info) {
		l.hear(func() { l.said, l.count = m, l.count+1 })
	})
	_, errs[2] = ros.Subscribe(n, "learner/bundle", ros.Latched, func(m *msgs.String, _ ros.Info) {
		l.hear(func() { l.bundle = m.Data })
	})
	l.set, errs[3] = ros.NewClient[*msgs.SetParametersRequest, *msgs.SetParametersResponse](n,
		"learner/set_parameters")
	return l, errors.Join(errs[:]...)
}

func (l *learner) hear(f func()) {
	l.mu.Lock()
	defer l.mu.Unlock()
	f()
	close(l.news)
	l.news = make(chan struct{})
}

// heard is what it said last, how often it said something, and a channel that is closed when it
// says more.
func (l *learner) heard() (msgs.DiagnosticStatus, int, <-chan struct{}) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.said == nil {
		return msgs.DiagnosticStatus{}, 0, l.news
	}
	return *l.said, l.count, l.news
}

// found says whether there is one that can be asked, of whose past nothing is still to come.
func (l *learner) found() bool {
	_, n, _ := l.heard()
	return n > 0 && l.start.Ready() && l.set.Ready()
}

// ended says whether a progress is of one that is not learning.
func ended(s msgs.DiagnosticStatus) bool {
	switch s.Name {
	case "idle", "done", "failed", "canceled":
		return true
	}
	return false
}

// Learn has the learner learn from what is recorded, with the encoder of a bundle or one that it
// trains, and opens the recognizer of its bundle.
func (l *learner) Learn(ctx context.Context, encoder string) (*exploration.Recognizer, error) {
	s, err := l.learn(ctx, encoder)
	if err == nil && s.Name != "done" {
		err = fmt.Errorf("%s: %s", s.Name, s.Message)
	}
	if err != nil {
		return nil, fmt.Errorf("learner: %w", err)
	}
	l.hear(func() { l.dir = s.Message })
	return l.open(s.Message, l.frame)
}

// opened is the bundle that was learned last.
func (l *learner) opened() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.dir
}

// learn starts the learner, and returns how that ended. One that learns already, for somebody else
// or since before a restart, comes to its end first.
func (l *learner) learn(ctx context.Context, encoder string) (msgs.DiagnosticStatus, error) {
	for {
		_, before, err := l.await(ctx, 0)
		if err != nil {
			return msgs.DiagnosticStatus{}, err
		}
		if err := l.use(ctx, encoder); err != nil {
			return msgs.DiagnosticStatus{}, err
		}
		answer, err := l.start.Call(ctx, &msgs.TriggerRequest{})
		if err != nil {
			return msgs.DiagnosticStatus{}, err
		}
		if answer.Success {
			s, _, err := l.await(ctx, before)
			return s, err
		}
		if s, _, _ := l.heard(); ended(s) {
			return s, fmt.Errorf("it does not start: %s", answer.Message)
		}
	}
}

// use has the learner take the encoder of a bundle, or train one.
func (l *learner) use(ctx context.Context, encoder string) error {
	p := msgs.Parameter{Name: "encoder_from", Value: msgs.ParameterValue{
		Type: msgs.ParameterTypeParameterString, StringValue: encoder}}
	answer, err := l.set.Call(ctx, &msgs.SetParametersRequest{Parameters: []msgs.Parameter{p}})
	if err != nil {
		return err
	}
	for _, r := range answer.Results {
		if !r.Successful {
			return fmt.Errorf("its parameter encoder_from cannot be set: %s", r.Reason)
		}
	}
	return nil
}

// await waits until the learner has said, after so many things, that it is not learning.
func (l *learner) await(ctx context.Context, after int) (msgs.DiagnosticStatus, int, error) {
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	for seen := time.Now(); ; {
		s, n, news := l.heard()
		if n > after && ended(s) {
			return s, n, nil
		}
		if l.progress.Publishers() > 0 {
			seen = time.Now()
		}
		if time.Since(seen) > l.patience.learner {
			return s, n,
				errors.New(
					"it has gone: start it again, and the explorer with the recorder's directory as the " +
						"parameter bag")
		}
		select {
		case <-news:
		case <-tick.C:
		case <-ctx.Done():
			return s, n, ctx.Err()
		}
	}
}

// latest is the directory of its latest bundle, "" if it says of none for so long.
func (l *learner) latest(ctx context.Context, wait time.Duration) string {
	ctx, cancel := context.WithTimeout(ctx, wait)
	defer cancel()
	for {
		l.mu.Lock()
		dir, news := l.bundle, l.news
		l.mu.Unlock()
		if dir != "" {
			return dir
		}
		select {
		case <-news:
		case <-ctx.Done():
			return ""
		}
	}
}

// openRecognizer opens those of a bundle, which must see as the explorer does.
func openRecognizer(dir string, frame pixels.Frame) (*exploration.Recognizer, error) {
	b, err := bundle.Open(dir)
	if err != nil {
		return nil, err
	}
	f, err := vision.FrameOf(b)
	if err == nil && f != frame {
		err = fmt.Errorf(
			"bundle %s was learned from images of %d pixels of region %q and %d bits, the explorer sees "+
				"%d of %q and %d: set region and bits alike, and the learner's preset to auto",
			dir, f.Side, f.Region, f.Bits, frame.Side, frame.Region, frame.Bits)
	}
	if err != nil {
		return nil, err
	}
	return exploration.OpenRecognizer(dir, inference.Options{Threads: 1})
}
