package exploration

import (
	"context"
	"errors"
	"fmt"

	"stripswm/bags"
	"stripswm/models/pixels"
	"stripswm/models/strips"
)

// Remember tells of all that is recorded, with its images as decode has them. Of a transition that cannot be read aside is
// told, and the scene counts as changed there.
func (s *Session) Remember(ctx context.Context, r *bags.Reader, decode func(bags.Image) (pixels.RGB, error), aside func(error)) error {
	for t, err := range r.Transitions(ctx) {
		if errors.Is(err, bags.ErrTransition) || errors.Is(err, bags.ErrReference) {
			aside(err)
			s.Reset()
			continue
		}
		if err != nil {
			return fmt.Errorf("%w; `stripswm check` tells more", err)
		}
		a := ImageAttempt{Action: strips.ActionID(t.Action), Outcome: t.Outcome, Reset: t.Reset}
		if a.Before, err = decode(t.Before); err == nil {
			a.After, err = decode(t.After)
		}
		if err == nil {
			err = s.Observe(ctx, a)
		}
		if err != nil {
			return fmt.Errorf("transition %d: %w", t.Index, err)
		}
	}
	return nil
}
