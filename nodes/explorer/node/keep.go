package node

import (
	"context"
	"errors"
	"fmt"
	"os"

	"stripswm/internal/files"
	"stripswm/nodes/exploration"
)

// learn has an encoder learned, and all else.
func (e *Explorer) learn(ctx context.Context, _ int) (*exploration.Recognizer, error) {
	return e.learner.Learn(ctx, "")
}

// refit has all but the best bundle's encoder learned.
func (e *Explorer) refit(ctx context.Context, _ int) (*exploration.Recognizer, error) {
	return e.learner.Learn(ctx, e.settings.best)
}

// keep copies the bundle that was learned last to the parameter best. The learner's own is not
// always the best: of few attempts it sometimes confuses states, or sees one state as several.
func (e *Explorer) keep(attempts int) error { return e.keepFrom(e.learner.opened(), attempts) }

// keepFrom copies a bundle there.
func (e *Explorer) keepFrom(dir string, attempts int) error {
	best := e.settings.best
	if best == "" {
		return nil
	}
	next, err := files.Draft(best)
	if err == nil {
		err = os.CopyFS(next, os.DirFS(dir))
	}
	if err == nil {
		err = files.Place(next, best)
	}
	if err != nil {
		err = errors.Join(err, os.RemoveAll(next))
		return fmt.Errorf("keep what was learned from %d attempts in %s (parameter best): %w", attempts,
			best, err)
	}
	e.node.Log().Info("the best so far", "bundle", best, "attempts", attempts)
	return nil
}
