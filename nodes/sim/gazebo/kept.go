package gazebo

import (
	"cmp"
	"context"
	"fmt"
	"sync"
	"time"
)

// again is how long Keep waits before it tries to link again.
const again = time.Second

// Kept is a link that is made again whenever it has ended.
type Kept struct {
	mu   sync.Mutex
	link Link  // nil while there is none
	err  error // why
}

// Keep links with dial until ctx ends. changed is told, from one goroutine, of every link
// (nil) and of why there is none; the same reason is told once.
func Keep(ctx context.Context, dial func(context.Context) (Link, error),
	changed func(error),
) *Kept {
	k := &Kept{err: fmt.Errorf("%w: not linked yet", ErrGone)}
	go k.run(ctx, dial, changed)
	return k
}

func (k *Kept) run(ctx context.Context, dial func(context.Context) (Link, error),
	changed func(error),
) {
	told := ""
	tell := func(err error) {
		if err == nil || err.Error() != told {
			changed(err)
		}
		if told = ""; err != nil {
			told = err.Error()
		}
	}
	for ctx.Err() == nil {
		attempt, cancel := context.WithTimeout(ctx, 10*again)
		link, err := dial(attempt)
		cancel()
		k.set(link, err)
		tell(err)
		if err == nil {
			select {
			case <-link.Done():
				err = cmp.Or(link.Err(), ErrGone)
			case <-ctx.Done():
			}
			link.Close()
			if ctx.Err() != nil {
				return
			}
			k.set(nil, err)
			tell(err)
		}
		select {
		case <-time.After(again):
		case <-ctx.Done():
		}
	}
}

func (k *Kept) set(link Link, err error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.link, k.err = link, err
}

// Show is Link.Show, which fails while there is no link.
func (k *Kept) Show(ctx context.Context, bodies []Body) error {
	k.mu.Lock()
	link, err := k.link, k.err
	k.mu.Unlock()
	if err != nil {
		return err
	}
	return link.Show(ctx, bodies)
}

// Err says why there is no link; nil while there is one.
func (k *Kept) Err() error {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.err
}
