package progress

import (
	"fmt"
	"io"
	"strings"
	"time"
)

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
