package ros

import (
	"context"
	"sync"
	"time"

	"stripswm/msgs"
)

// A Clock tells the time that a node lives in: the machine's, or what /clock says if use_sim_time
// is set. Simulated time is zero (time.Unix(0, 0)) until /clock has spoken, and may jump, also
// back.
type Clock struct {
	mu        sync.Mutex
	simulated bool
	now       time.Time     // simulated
	moved     chan struct{} // closed and replaced when the time or its source changes
}

func newClock() *Clock { return &Clock{moved: make(chan struct{})} }

// Now is the time.
func (c *Clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.simulated {
		return c.now
	}
	return time.Now()
}

// Simulated reports whether the time is taken from /clock.
func (c *Clock) Simulated() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.simulated
}

func (c *Clock) set(simulated bool, now time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.simulated, c.now = simulated, now
	close(c.moved)
	c.moved = make(chan struct{})
}

// advance sets simulated time, unless the clock has gone back to the machine's.
func (c *Clock) advance(now time.Time) {
	if c.Simulated() {
		c.set(true, now)
	}
}

// SleepUntil waits until the clock shows the time or a later one, or the context ends.
func (c *Clock) SleepUntil(ctx context.Context, t time.Time) error {
	for {
		c.mu.Lock()
		simulated, now, moved := c.simulated, c.now, c.moved
		c.mu.Unlock()
		if !simulated {
			now = time.Now()
		}
		rest := t.Sub(now)
		if rest <= 0 {
			return ctx.Err()
		}
		if err := wait(ctx, moved, simulated, rest); err != nil {
			return err
		}
	}
}

// Sleep waits as long by the clock.
func (c *Clock) Sleep(ctx context.Context, d time.Duration) error {
	return c.SleepUntil(ctx, c.Now().Add(d))
}

func wait(ctx context.Context, moved <-chan struct{}, simulated bool, rest time.Duration) error {
	var done <-chan time.Time
	if !simulated {
		timer := time.NewTimer(rest)
		defer timer.Stop()
		done = timer.C
	}
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-moved:
	case <-done:
	}
	return nil
}

// useSimTime follows the parameter use_sim_time.
func (n *Node) useSimTime(on bool) error {
	if on == n.clock.Simulated() {
		return nil
	}
	if !on {
		n.clock.set(false, time.Time{})
		return nil
	}
	n.clock.set(true, time.Unix(0, 0))
	if n.params.clock != nil {
		return nil // from an earlier time that it was on
	}
	sub, err := Subscribe(n, "/clock", ClockQoS, func(m *msgs.Clock, _ Info) {
		n.clock.advance(m.Clock.GoTime())
	})
	n.params.clock = sub
	return err
}

// Every calls f each period by the node's clock until the context or the node ends. A call that is
// late does not make the next ones come sooner one after the other: what was missed is left out.
func (n *Node) Every(ctx context.Context, period time.Duration, f func(now time.Time)) {
	n.start(func(nodeCtx context.Context) {
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		stop := context.AfterFunc(nodeCtx, cancel)
		defer stop()
		for next := n.clock.Now().Add(period); n.clock.SleepUntil(ctx, next) == nil; {
			now := n.clock.Now()
			f(now)
			next = following(next, n.clock.Now(), period)
		}
	})
}

// following is the first time after now that is a whole number of periods after last. When time has
// jumped back it begins again.
func following(last, now time.Time, period time.Duration) time.Time {
	next := last.Add(period)
	if late := now.Sub(next); late > 0 {
		next = next.Add((late/period + 1) * period)
	}
	if next.Sub(now) > 2*period {
		return now.Add(period)
	}
	return next
}
