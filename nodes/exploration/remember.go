package exploration

import (
	"context"
	"errors"
	"fmt"

	"stripswm/bags"
	"stripswm/models/pixels"
	"stripswm/models/strips"
)

// Remember adds all attempts of a recording, with images that decode decodes. It calls aside for a
// transition that cannot be read, and counts the scene as changed there.
func (s *Session) Remember(ctx context.Context, r *bags.Reader, decode func(bags.Image) (pixels.RGB,
	error), aside func(error),
) error {
	for t, err := range r.Transitions(ctx) {
		if errors.Is(err, bags.ErrTransition) || errors.Is(err, bags.ErrReference) {
			aside(err)
			s.Reset()
			continue
		}
		if err != nil {
			return fmt.Errorf("%w; run `stripswm check` on it", err)
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
