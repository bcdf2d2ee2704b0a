package explore

import (
	"context"
	"fmt"
)

// first is how many skills that succeeded to learn from first, and grows by how many times as many there are when to
// learn anew: each encoder costs the time of a few dozen attempts.
const (
	first = 16
	grows = 1.4
)

// lesson is what came of learning.
type lesson struct {
	eyes    *Eyes
	from    int
	renewed bool // the encoder is that of the eyes there are
	err     error
}

// begin learns beside the robot's work: an encoder and all else, or all but that of the eyes there are.
func (r *run) begin(ctx context.Context, renew bool) {
	learn := r.Learn
	if renew {
		learn = r.Renew
	}
	r.status.Learning = true
	go func(n int) {
		eyes, err := learn(ctx, n)
		r.learned <- lesson{eyes, n, renew, err}
	}(r.status.Attempts)
}

// study begins to learn when there is enough to learn from, or in the end, and adopts what was learned if it is better; else
// the eyes there are learn what was recorded since. In the end it waits until all attempts have been learned from.
func (r *run) study(ctx context.Context, end bool) (learned bool, err error) {
	due := r.Session.Successes() >= r.next || end && r.status.Learned < r.status.Attempts
	if due && !r.status.Learning {
		r.next = max(first, int(float64(r.Session.Successes())*grows))
		r.begin(ctx, false)
	}
	if !r.status.Learning {
		return false, nil
	}
	var l lesson
	if r.Wait || end {
		l = <-r.learned
	} else {
		select {
		case l = <-r.learned:
		default:
			return false, nil
		}
	}
	r.status.Learning, r.status.Learned = false, l.from
	if l.err != nil {
		return r.failed(ctx, l.err)
	}
	r.failures, r.status.Trouble = 0, ""
	better := l.renewed
	if l.renewed {
		err = r.Session.Renew(ctx, l.eyes)
	} else {
		better, err = r.Session.Adopt(ctx, l.eyes)
	}
	if better && err == nil {
		if r.status.Adopted = l.from; r.Adopted != nil {
			err = r.Adopted(l.from)
		}
	}
	if err != nil {
		return false, err
	}
	if !better && r.Session.Sees() && r.Renew != nil {
		r.begin(ctx, true)
	}
	return true, r.tell(ctx)
}

// failures is how many lessons in a row may fail: of few attempts some do, where an encoder sees a single state.
const failures = 3

// failed goes on without what could not be learned, but not for ever.
func (r *run) failed(ctx context.Context, err error) (learned bool, _ error) {
	if r.failures++; r.failures >= failures || ctx.Err() != nil {
		return false, fmt.Errorf("explore: learning failed %d times in a row: %w", r.failures, err)
	}
	r.status.Trouble = err.Error()
	return true, r.tell(ctx)
}
