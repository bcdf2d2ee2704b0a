package workcell

import (
	"sync"
	"time"
)

// Ticks counts how often a camera that should take an image every Period did so. A machine that is
// too busy skips ticks: images that were never taken, unlike those that are lost on the way.
type Ticks struct {
	Period time.Duration

	mu      sync.Mutex
	start   time.Time
	last    time.Time
	counted TickCount
}

// A TickCount is what Ticks counted.
type TickCount struct {
	Taken   int // ticks that came
	Skipped int // ticks that were due and did not come
	Sent    int // images that were published
}

// Start sets the time a Period before the first tick is due.
func (t *Ticks) Start(now time.Time) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.start, t.last = now, now
}

// Tick counts a tick that came, perhaps late. A clock that was set back makes a new start.
func (t *Ticks) Tick(now time.Time) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if now.Before(t.last) {
		t.start = now.Add(-t.Period * time.Duration(t.counted.Taken+t.counted.Skipped+1))
	}
	t.last = now
	t.counted.Taken++
	due := int(now.Sub(t.start) / t.Period)
	t.counted.Skipped = max(t.counted.Skipped, due-t.counted.Taken)
}

// Sent counts an image that was published.
func (t *Ticks) Sent() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.counted.Sent++
}

// Count is what was counted so far.
func (t *Ticks) Count() TickCount {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.counted
}
