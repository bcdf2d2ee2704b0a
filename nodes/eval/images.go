package eval

import (
	"context"

	"github.com/sourcegraph/conc/stream"
)

// photograph takes the images on several goroutines and shows them in order. It
// ends with the first error, which may be that of see or of ctx.
func photograph(ctx context.Context, orders []order, workers int, see func(shot) error) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	images := stream.New().WithMaxGoroutines(max(workers, 1))
	for _, job := range orders {
		if ctx.Err() != nil {
			break
		}
		images.Go(func() stream.Callback {
			taken, err := job.take()
			return func() {
				if err == nil && ctx.Err() == nil {
					err = see(taken)
				}
				if err != nil {
					cancel(err)
				}
			}
		})
	}
	images.Wait()
	return context.Cause(ctx)
}
