package progress

import (
	"context"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"
)

// Options say where progress goes. The zero value writes to standard error.
type Options struct {
	// Quiet writes nothing at all.
	Quiet bool
	// Out is where to write; nil means os.Stderr.
	Out io.Writer
	// Every is the least time between two plain lines; 0 means 5 s. It has no effect on a terminal.
	Every time.Duration
	// Now is the clock; nil means time.Now.
	Now func() time.Time
}

// A Bar shows the progress of one piece of work. Its methods may be called from several goroutines.
// A nil Bar is valid and silent, so that a library can report progress without asking whether
// anyone looks.
type Bar struct {
	ctx   context.Context
	total int64

	mu          sync.Mutex
	description string
	count       int64
	closed      bool
	show        display
}

// A display draws the state of a bar. It is called with the bar's lock held.
type display interface {
	update(description string, count int64)
	finish(description string, count int64, note string)
}

// Start opens a bar for total units of work, all of one kind; total <= 0 means that it is not
// known.
func Start(ctx context.Context, description string, total int64, o Options) *Bar {
	b := &Bar{ctx: ctx, total: max(total, 0), description: description}
	if o.Out == nil {
		o.Out = os.Stderr
	}
	switch {
	case o.Quiet:
		b.show = silent{}
	case isTerminal(o.Out):
		b.show = newLive(o, description, b.total)
	default:
		b.show = newPlain(o, b.total)
	}
	return b
}

// Later is Start for who learns the total with the first count: set starts the bar, and done ends
// it if it was started.
func Later(ctx context.Context, description string,
	o Options,
) (set func(count, total int64), done func()) {
	var b *Bar
	return func(count, total int64) {
		if b == nil {
			b = Start(ctx, description, total, o)
		}
		b.Set(count)
	}, func() { b.Done() }
}

// Add counts n more units as done.
func (b *Bar) Add(n int64) { b.change(func() { b.count += n }) }

// Set counts n units as done in all.
func (b *Bar) Set(n int64) { b.change(func() { b.count = n }) }

// Describe replaces the description, such as "stage 1: loss 0.031, 16 codes".
func (b *Bar) Describe(description string) { b.change(func() { b.description = description }) }

// Done closes the bar with a last line. If the context has ended, the line says that the work was
// interrupted. Later calls do nothing.
func (b *Bar) Done() {
	if b == nil {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.closed {
		return
	}
	b.closed = true
	note := ""
	if b.ctx.Err() != nil {
		note = "interrupted"
	}
	b.show.finish(b.description, b.count, note)
}

func (b *Bar) change(f func()) {
	if b == nil {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	f()
	if !b.closed && b.ctx.Err() == nil {
		b.show.update(b.description, b.count)
	}
}

type silent struct{}

func (silent) update(string, int64)         {}
func (silent) finish(string, int64, string) {}

func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// live is the bar of a terminal.
type live struct {
	bar         *progressbar.ProgressBar
	description string
	end         *plain // writes the last line, which stays on the screen
}

func newLive(o Options, description string, total int64) *live {
	l := &live{description: description, end: newPlain(o, total)}
	if total == 0 {
		total = -1 // a spinner
	}
	l.bar = progressbar.NewOptions64(total,
		progressbar.OptionSetWriter(o.Out),
		progressbar.OptionSetDescription(description),
		progressbar.OptionSetWidth(24),
		progressbar.OptionShowCount(),
		progressbar.OptionShowIts(),
		progressbar.OptionSetPredictTime(true),
		progressbar.OptionSetElapsedTime(true),
		progressbar.OptionThrottle(100*time.Millisecond),
		progressbar.OptionSetRenderBlankState(true),
	)
	return l
}

// Errors of drawing are left alone here: work must not fail because its terminal went away.
func (l *live) update(description string, count int64) {
	if description != l.description {
		l.description = description
		l.bar.Describe(description)
	}
	if total := l.end.total; total > 0 {
		count = min(count, total)
	}
	_ = l.bar.Set64(count)
}

func (l *live) finish(description string, count int64, note string) {
	_ = l.bar.Clear()
	l.end.finish(description, count, note)
}

const defaultEvery = 5 * time.Second

// plain writes lines for logs: "record: 1200/5000 (24 %), 310/s, 12s left".
type plain struct {
	out   io.Writer
	every time.Duration
	now   func() time.Time
	total int64
	start time.Time
	last  time.Time
}

func newPlain(o Options, total int64) *plain {
	p := &plain{out: o.Out, every: o.Every, now: o.Now, total: total}
	if p.every <= 0 {
		p.every = defaultEvery
	}
	if p.now == nil {
		p.now = time.Now
	}
	p.start = p.now()
	p.last = p.start
	return p
}

func (p *plain) update(description string, count int64) {
	now := p.now()
	if now.Sub(p.last) < p.every {
		return
	}
	p.last = now
	fmt.Fprintln(p.out, line(description, count, p.total, now.Sub(p.start)))
}

func (p *plain) finish(description string, count int64, note string) {
	took := p.now().Sub(p.start)
	s := fmt.Sprintf("%s: %s in %s", description, amount(count, p.total),
		took.Round(100*time.Millisecond))
	if note != "" {
		s += ", " + note
	}
	fmt.Fprintln(p.out, s)
}

func line(description string, count, total int64, took time.Duration) string {
	parts := []string{description + ": " + amount(count, total)}
	seconds := took.Seconds()
	if count > 0 && seconds > 0 {
		rate := float64(count) / seconds
		parts = append(parts, fmt.Sprintf("%.3g/s", rate))
		if total > count {
			left := time.Duration(float64(total-count) / rate * float64(time.Second))
			parts = append(parts, fmt.Sprintf("%s left", left.Round(time.Second)))
		}
	}
	return strings.Join(parts, ", ")
}

func amount(count, total int64) string {
	if total == 0 {
		return fmt.Sprint(count)
	}
	return fmt.Sprintf("%d/%d (%d %%)", count, total, 100*count/total)
}
