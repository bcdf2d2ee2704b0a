package vision

import (
	"context"
	"fmt"

	"stripswm/models/dataset"
)

// SweepWorldModel trains one world model for each latent space and returns the
// best by the rule that selects checkpoints (paper, appendix A.1). Each space
// has its own checkpoint file; an interruption returns the best so far.
func SweepWorldModel(ctx context.Context, d *dataset.Dataset, p Preset, spaces []FSQ,
	o Options) (*Learned, error) {
	var best *Learned
	for _, q := range spaces {
		p.FSQ = q
		run := o
		if run.Checkpoint != "" {
			run.Checkpoint = fmt.Sprintf("%s.%dx%d", o.Checkpoint, q.Levels, q.Dims)
		}
		learned, err := TrainWorldModel(ctx, d, p, run)
		if learned != nil && (best == nil || learned.Chosen.Better(best.Chosen)) {
			best = learned
		}
		if err != nil {
			return best, fmt.Errorf("latent space %s: %w", q, err)
		}
	}
	if best == nil {
		return nil, fmt.Errorf("sweep: no latent spaces to try")
	}
	return best, nil
}
