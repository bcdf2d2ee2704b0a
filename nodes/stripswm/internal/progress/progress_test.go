package progress_test

import (
	"bytes"
	"context"
	"os"
	"sync"
	"testing"
	"time"

	"stripswm/nodes/stripswm/internal/progress"
)

// clock is a time that moves only when told to.
type clock struct{ now time.Time }

func (c *clock) pass(d time.Duration) { c.now = c.now.Add(d) }
func (c *clock) read() time.Time      { return c.now }

func newClock() *clock { return &clock{now: time.Unix(0, 0)} }

func ExampleStart() {
	c := newClock()
	bar := progress.Start(context.Background(), "record", 5000, progress.Options{Out: os.Stdout,
		Now: c.read})
	for range 5 {
		c.pass(2 * time.Second)
		bar.Add(800)
	}
	c.pass(2500 * time.Millisecond)
	bar.Set(5000)
	bar.Done()
	// Output:
	// record: 2400/5000 (48 %), 400/s, 7s left
	// record: 5000/5000 (100 %), 400/s
	// record: 5000/5000 (100 %) in 12.5s
}

func TestPlainLines(t *testing.T) {
	tests := []struct {
		name  string
		total int64
		work  func(*progress.Bar, *clock, context.CancelFunc)
		want  string
	}{
		{"quick work writes its end only", 3, func(b *progress.Bar, c *clock, _ context.CancelFunc) {
			b.Add(3)
		}, "x: 3/3 (100 %) in 0s\n"},
		{"an unknown total gives count and rate", 0, func(b *progress.Bar, c *clock,
			_ context.CancelFunc) {
			c.pass(10 * time.Second)
			b.Add(50)
		}, "x: 50, 5/s\nx: 50 in 10s\n"},
		{"a description changes", 10, func(b *progress.Bar, c *clock, _ context.CancelFunc) {
			b.Describe("y")
			c.pass(6 * time.Second)
			b.Set(5)
		}, "y: 5/10 (50 %), 0.833/s, 6s left\ny: 5/10 (50 %) in 6s\n"},
		{"an ended context stops the lines", 10, func(b *progress.Bar, c *clock,
			cancel context.CancelFunc) {
			b.Set(4)
			cancel()
			c.pass(time.Minute)
			b.Describe("x")
		}, "x: 4/10 (40 %) in 1m0s, interrupted\n"},
		{"no work at all", 10, func(b *progress.Bar, c *clock, _ context.CancelFunc) {
			c.pass(6 * time.Second)
			b.Describe("x")
		}, "x: 0/10 (0 %)\nx: 0/10 (0 %) in 6s\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			ctx, cancel := context.WithCancel(context.Background())
			defer cancel()
			var out bytes.Buffer
			c := newClock()
			bar := progress.Start(ctx, "x", tt.total, progress.Options{Out: &out, Now: c.read})
			tt.work(bar, c, cancel)
			bar.Done()
			bar.Done()
			if got := out.String(); got != tt.want {
				t.Errorf("got\n%swant\n%s", got, tt.want)
			}
		})
	}
}

func TestQuietAndNilWriteNothing(t *testing.T) {
	var out bytes.Buffer
	quiet := progress.Start(context.Background(), "x", 2, progress.Options{Quiet: true, Out: &out})
	var none *progress.Bar
	for _, bar := range []*progress.Bar{quiet, none} {
		bar.Add(1)
		bar.Set(2)
		bar.Describe("y")
		bar.Done()
	}
	if out.Len() > 0 {
		t.Errorf("wrote %q", out.String())
	}
}

func TestManyGoroutines(t *testing.T) {
	var out bytes.Buffer
	bar := progress.Start(context.Background(), "x", 400, progress.Options{Out: &out,
		Every: time.Hour})
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for range 100 {
				bar.Add(1)
			}
		})
	}
	wg.Wait()
	bar.Done()
	if want := "x: 400/400 (100 %)"; !bytes.HasPrefix(out.Bytes(), []byte(want)) {
		t.Errorf("got %q, want a line that begins %q", out.String(), want)
	}
}
