package node

import (
	"fmt"
	"log/slog"
	"sync"

	"stripswm/bags/pairing"
	"stripswm/models/imageplan"
	"stripswm/models/strips"
	"stripswm/msgs"
	"stripswm/nodes/cvbridge"
)

// coverage classifies the images of transitions, in its own goroutine, to tell which states of a
// model were seen. Images that come faster than it classifies them are left out.
type coverage struct {
	planner *imageplan.Planner
	log     *slog.Logger
	queue   chan *pairing.Frame
	quit    chan struct{} // asks the goroutine to end
	done    chan struct{} // and it has

	mu      sync.Mutex
	seen    map[strips.State]bool
	unknown int // images of no known state
	skipped int
}

func watch(bundle string, log *slog.Logger) (*coverage, error) {
	p, err := imageplan.Open(bundle, imageplan.Options{})
	if err != nil {
		return nil, fmt.Errorf("coverage: %w", err)
	}
	c := &coverage{planner: p, log: log, queue: make(chan *pairing.Frame, images),
		quit: make(chan struct{}), done: make(chan struct{}), seen: map[strips.State]bool{}}
	go c.run()
	return c, nil
}

func (c *coverage) actions() int { return c.planner.Model().Actions() }

// add takes the images of an attempt, if it has them.
func (c *coverage) add(a pairing.RecordedAttempt) {
	if !a.Complete() {
		return
	}
	for _, f := range []*pairing.Frame{a.Before, a.After} {
		select {
		case c.queue <- f:
		default:
			c.mu.Lock()
			c.skipped++
			c.mu.Unlock()
		}
	}
}

func (c *coverage) run() {
	defer close(c.done)
	for {
		select {
		case <-c.quit:
			return
		case f := <-c.queue:
			c.note(c.recognize(f))
		}
	}
}

func (c *coverage) note(state strips.State, known bool, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case err != nil:
		c.log.Warn("coverage: an image was not classified", "error", err)
	case known:
		c.seen[state] = true
	default:
		c.unknown++
	}
}

func (c *coverage) recognize(f *pairing.Frame) (strips.State, bool, error) {
	m, ok := msgs.New(f.Type)
	if !ok {
		return strips.State{}, false, fmt.Errorf("%s is not a type of image", f.Type)
	}
	if err := msgs.Unmarshal(f.Payload, m); err != nil {
		return strips.State{}, false, err
	}
	img, err := cvbridge.RGB(m, c.planner.Frame().Bits)
	if err != nil {
		return strips.State{}, false, err
	}
	r, err := c.planner.Recognize(img)
	return r.Code, err == nil && r.Known(), err
}

func (c *coverage) tell(status *msgs.DiagnosticStatus) {
	c.mu.Lock()
	defer c.mu.Unlock()
	codes, _ := c.planner.Model().Nodes()
	status.Add("states seen", "%d of %d", len(c.seen), len(codes))
	status.Add("images of no known state", "%d", c.unknown)
	status.Add("images not classified in time", "%d", c.skipped)
}

func (c *coverage) String() string {
	var status msgs.DiagnosticStatus
	c.tell(&status)
	text := ""
	for _, v := range status.Values {
		text += fmt.Sprintf("  %s: %s\n", v.Key, v.Value)
	}
	return text
}

// close ends the classification, and leaves out the images that wait.
func (c *coverage) close() error {
	close(c.quit)
	<-c.done
	return c.planner.Close()
}
