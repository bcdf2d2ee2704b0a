package progress

import (
	"time"

	"github.com/schollz/progressbar/v3"
)

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
