package exploration

import (
	"context"
	"fmt"
)

// first is how many skills that succeeded to learn from first, and grows by how many times as many there are when to
// learn again: each encoder costs the time of a few dozen attempts.
const (
	first = 16
	grows = 1.4
)

// round is what came of learning.
type round struct {
	recognizer *Recognizer
	from       int
	refitted   bool // the encoder is that of the current recognizer
	err        error
}

// begin learns beside the robot's work: an encoder and all else, or all but that of the current recognizer.
func (r *run) begin(ctx context.Context, refit bool) {
	learn := r.Learn
	if refit {
		learn = r.Refit
	}
	r.status.Learning = true
	go func(n int) {
		recognizer, err := learn(ctx, n)
		r.learned <- round{recognizer, n, refit, err}
	}(r.status.Attempts)
}

// learnNext begins a training round when there is enough to learn from, or at the end. It accepts
// the result if that is better; otherwise the current recognizer is refit to what was recorded since.
// At the end it waits until all attempts are learned from.
func (r *run) learnNext(ctx context.Context, end bool) (learned bool, err error) {
	due := r.Session.Successes() >= r.next || end && r.status.Learned < r.status.Attempts
	if due && !r.status.Learning {
		r.next = max(first, int(float64(r.Session.Successes())*grows))
		r.begin(ctx, false)
	}
	if !r.status.Learning {
		return false, nil
	}
	var l round
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
	better := l.refitted
	if l.refitted {
		err = r.Session.Refit(ctx, l.recognizer)
	} else {
		better, err = r.Session.Accept(ctx, l.recognizer)
	}
	if better && err == nil {
		if r.status.Accepted = l.from; r.Accepted != nil {
			err = r.Accepted(l.from)
		}
	}
	if err != nil {
		return false, err
	}
	if !better && r.Session.Sees() && r.Refit != nil {
		r.begin(ctx, true)
	}
	return true, r.tell(ctx)
}

// failures is how many training rounds in a row may fail: of few attempts some do, where an encoder sees a single state.
const failures = 3

// failed goes on without what could not be learned, but not for ever.
func (r *run) failed(ctx context.Context, err error) (learned bool, _ error) {
	if r.failures++; r.failures >= failures || ctx.Err() != nil {
		return false, fmt.Errorf("explore: learning failed %d times in a row: %w", r.failures, err)
	}
	r.status.Trouble = err.Error()
	return true, r.tell(ctx)
}
