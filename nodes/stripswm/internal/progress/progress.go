package progress

import (
	"context"
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"
)

// every is the least time between two lines of a log.
const every = 5 * time.Second

// A Progress shows one stage of some work at a time. Its methods may be called from several
// goroutines.
type Progress struct {
	ctx context.Context
	out io.Writer // nil: nothing is shown

	mu          sync.Mutex
	stage       string // empty before the first
	text        string // the stage and its note
	count       int
	total       int // 0: not known
	start, last time.Time
	live        *progressbar.ProgressBar // of a terminal, else nil
}

// New shows progress on out, or nowhere if out is nil. After ctx only the last line of a stage is
// written, which says that it was interrupted.
func New(ctx context.Context, out io.Writer) *Progress { return &Progress{ctx: ctx, out: out} }

// Set says that count of total units of a stage are done (total 0: it is not known how many there
// are). A note, such as the loss of training, is shown behind the stage until the next one.
func (p *Progress) Set(stage string, count, total int, note string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.out == nil {
		return
	}
	if stage != p.stage {
		p.end()
		p.begin(stage, total)
	}
	if p.total != total { // it is known by now, or was of the first part alone
		if p.total = total; p.live != nil {
			p.live.ChangeMax(limit(total))
		}
	}
	if p.count = count; p.ctx.Err() != nil {
		return
	}
	if text := stage + ": " + note; note != "" && text != p.text {
		p.text = text
		if p.live != nil {
			p.live.Describe(text) // which draws
		}
	}
	if p.live != nil {
		if total > 0 {
			count = min(count, total) // the library fails beyond
		}
		_ = p.live.Set(count) // work goes on when its terminal is gone
		return
	}
	if now := time.Now(); now.Sub(p.last) >= every {
		p.last = now
		fmt.Fprintln(p.out, p.line(now.Sub(p.start)))
	}
}

// Done ends the stage that is shown, if there is one.
func (p *Progress) Done() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.end()
}

func (p *Progress) begin(stage string, total int) {
	p.stage, p.text, p.total, p.live = stage, stage, total, nil
	p.start = time.Now()
	p.last = p.start
	if f, ok := p.out.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		p.live = newLive(p.out, stage, total)
	}
}

func newLive(out io.Writer, stage string, total int) *progressbar.ProgressBar {
	return progressbar.NewOptions(limit(total),
		progressbar.OptionSetWriter(out),
		progressbar.OptionSetDescription(stage),
		progressbar.OptionSetWidth(24),
		progressbar.OptionShowCount(),
		progressbar.OptionShowIts(),
		progressbar.OptionSetPredictTime(true),
		progressbar.OptionSetElapsedTime(true),
		progressbar.OptionThrottle(100*time.Millisecond),
		progressbar.OptionSetRenderBlankState(true),
	)
}

// limit is a total for the library: a spinner where it is not known.
func limit(total int) int {
	if total == 0 {
		return -1
	}
	return total
}

// end writes the line that stays.
func (p *Progress) end() {
	if p.stage == "" {
		return
	}
	p.stage = ""
	if p.live != nil {
		_ = p.live.Clear()
	}
	note := ""
	if p.ctx.Err() != nil {
		note = ", interrupted"
	}
	fmt.Fprintf(p.out, "%s: %s in %s%s\n", p.text, p.amount(),
		time.Since(p.start).Round(100*time.Millisecond), note)
}

// line is such as "record: 1200/5000 (24 %), 310/s, 12s left".
func (p *Progress) line(took time.Duration) string {
	text := p.text + ": " + p.amount()
	if p.count == 0 {
		return text
	}
	rate := float64(p.count) / took.Seconds()
	text += fmt.Sprintf(", %.3g/s", rate)
	if p.total > p.count {
		left := time.Duration(float64(p.total-p.count) / rate * float64(time.Second))
		text += fmt.Sprintf(", %s left", left.Round(time.Second))
	}
	return text
}

func (p *Progress) amount() string {
	if p.total == 0 {
		return fmt.Sprint(p.count)
	}
	return fmt.Sprintf("%d/%d (%d %%)", p.count, p.total, 100*p.count/p.total)
}
