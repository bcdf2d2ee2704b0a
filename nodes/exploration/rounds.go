package exploration

import (
	"context"
	"fmt"
)

// The first training round has so many successes, and each next one so many times as many: an
// encoder costs the time of a few dozen attempts.
const (
	first = 16
	grows = 1.4
)

// round is the result of a training round.
type round struct {
	recognizer *Recognizer
	from       int
	refitted   bool // with the encoder of the current recognizer
	err        error
}

// begin starts a training round beside the robot's work, with a new encoder or with the current
// one.
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

// train starts a training round when there are enough attempts or at the end, and accepts the
// result if it is better. Otherwise it refits the current recognizer. At the end it waits until a
// round has learned from all attempts.
func (r *run) train(ctx context.Context, end bool) (learned bool, err error) {
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

// failures is the number of training rounds in a row that may fail. With few attempts some do,
// because the encoder finds a single state.
const failures = 3

// failed continues after a training round that failed, if not too many did.
func (r *run) failed(ctx context.Context, err error) (learned bool, _ error) {
	if r.failures++; r.failures >= failures || ctx.Err() != nil {
		return false, fmt.Errorf("explore: learning failed %d times in a row: %w", r.failures, err)
	}
	r.status.Trouble = err.Error()
	return true, r.tell(ctx)
}
