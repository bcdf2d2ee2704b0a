package ros

import (
	"context"
	"sync"
)

// A queue hands values from the transport's goroutine, which must not wait, to the one that handles
// them. A full queue lets go of its oldest value.
type queue[T any] struct {
	max int // 0 is no bound

	mu      sync.Mutex
	items   []T
	dropped uint64
	wake    chan struct{} // holds one token while there may be items
}

func newQueue[T any](max int) *queue[T] {
	return &queue[T]{max: max, wake: make(chan struct{}, 1)}
}

func (q *queue[T]) push(v T) {
	q.mu.Lock()
	if q.max > 0 && len(q.items) == q.max {
		copy(q.items, q.items[1:])
		q.items[len(q.items)-1] = v
		q.dropped++
	} else {
		q.items = append(q.items, v)
	}
	q.mu.Unlock()
	select {
	case q.wake <- struct{}{}:
	default:
	}
}

// pop waits for a value; it returns false when the context has ended.
func (q *queue[T]) pop(ctx context.Context) (T, bool) {
	for {
		if ctx.Err() != nil {
			var zero T
			return zero, false
		}
		if v, ok := q.take(); ok {
			return v, true
		}
		select {
		case <-q.wake:
		case <-ctx.Done():
		}
	}
}

func (q *queue[T]) take() (v T, ok bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.items) == 0 {
		return v, false
	}
	v = q.items[0]
	n := copy(q.items, q.items[1:])
	var zero T
	q.items[n] = zero // lets the payload go
	q.items = q.items[:n]
	return v, true
}

func (q *queue[T]) lost() uint64 {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.dropped
}
