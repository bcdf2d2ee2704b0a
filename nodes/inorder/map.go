package inorder

import (
	"context"
	"iter"
)

// waiting is how many results a worker may be ahead of the reader.
const waiting = 4

// Map does the jobs on so many goroutines, at least one, and yields the results
// in the jobs' order. It ends with the jobs, when the reader stops, or when ctx
// ends: then without the results in flight, so look at ctx.Err after the loop.
func Map[J, R any](ctx context.Context, jobs iter.Seq[J], workers int, work func(J) R) iter.Seq[R] {
	return func(yield func(R) bool) {
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		workers := max(workers, 1)
		queue := make(chan chan R, waiting*workers)
		go func() {
			defer close(queue)
			slots := make(chan struct{}, workers)
			for job := range jobs {
				select {
				case slots <- struct{}{}:
				case <-ctx.Done():
					return
				}
				result := make(chan R, 1)
				go func() {
					result <- work(job)
					<-slots
				}()
				select {
				case queue <- result:
				case <-ctx.Done():
					return
				}
			}
		}()
		for result := range queue {
			if r := <-result; ctx.Err() != nil || !yield(r) {
				return
			}
		}
	}
}
