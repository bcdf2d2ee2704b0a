package recording

import (
	"errors"
	"fmt"
	"time"

	"stripswm/bags"
	"stripswm/bags/pairing"
)

// isContent tells that the bag is well, and refused a message for what it says.
func isContent(err error) bool {
	return errors.Is(err, bags.ErrTransition) || errors.Is(err, bags.ErrReference)
}

// quiet is how long the log says nothing of further losses: a publisher that sends nothing else is
// not to fill it.
const quiet = 100 * time.Millisecond

// lose counts an attempt that is not in the bag, and says there that the next one does not follow
// the last.
func (r *Recorder) lose(a *pairing.RecordedAttempt, reason string) {
	r.report.Lost++
	r.report.Loss = fmt.Sprintf("action %d: %s", a.Action, reason)
	if now := time.Now(); now.Sub(r.warned) > quiet {
		r.warned = now
		r.log.Warn("an attempt is lost", "action", a.Action, "reason", reason, "lost so far",
			r.report.Lost)
	}
	r.cut(fmt.Sprintf("action %d is not recorded: %s", a.Action, reason))
}
