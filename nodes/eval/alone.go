package eval

import (
	"context"
	"fmt"

	"stripswm/nodes/sim"
)

// RunBaselines asks the baselines of the options alone, without a bundle of ours, on a simulated
// world: to see that a method works where it is known to.
func RunBaselines(ctx context.Context, w sim.World, o Options) ([]Method, error) {
	if o.Queries < 1 || len(o.Baselines) == 0 {
		return nil,
			fmt.Errorf("evaluation of %d baselines with %d queries a horizon: want at least 1 of each",
				len(o.Baselines), o.Queries)
	}
	from, err := simulate(w, o.Baselines[0].Manifest.Simulation, o)
	if err != nil {
		return nil, err
	}
	e := evaluation{source: from, options: o}
	defer e.close()
	if err := e.addBaselines(o.Baselines); err != nil {
		return nil, err
	}
	seen := func(taken shot) (recognizedQuery, error) { return recognizedQuery{images: taken}, nil }
	if err := ask(ctx, e.source, o, e.methods, seen, func(question, recognizedQuery) error {
		return nil
	}); err != nil {
		return nil, err
	}
	var methods []Method
	for _, m := range e.methods {
		methods = append(methods, Method{m.name, m.horizons})
	}
	return methods, nil
}
