package trials

import (
	"context"
	"math/rand/v2"

	"stripswm/models/exploration"
	"stripswm/models/facts"
	"stripswm/models/pixels"
	"stripswm/models/strips"
	"stripswm/models/traces"
	"stripswm/models/worlds"
)

// symbolic is a robot in a symbolic world, where nothing goes wrong.
type symbolic struct {
	world   *worlds.World
	at      worlds.State
	seed    uint64  // of the pairs that plans are made for
	refusal float64 // seconds
}

func (s *symbolic) actions() int { return len(s.world.Operators) }

func (s *symbolic) reset() { s.at = s.world.Start }

func (s *symbolic) try(a strips.ActionID) (traces.Attempt, *[2]pixels.Thumbnail, float64, error) {
	if o := &s.world.Operators[a-1]; o.Applies(s.at) {
		s.at = o.Apply(s.at)
		return traces.Attempt{Action: a, Outcome: traces.Succeeded}, nil, exploration.SuccessSeconds, nil
	}
	return traces.Attempt{Action: a, Outcome: traces.Refused}, nil, s.refusal, nil
}

func (s *symbolic) plans(_ context.Context, r *traces.Result, _ facts.Recording, failures int,
) (float64, error) {
	return s.world.Plans(r.Model.Operators, r.State(0), queries, failures, s.seed)
}

// drawn draws skills; with an oracle nine times in ten one that applies.
type drawn struct {
	robot  *symbolic
	oracle bool
	rng    *rand.Rand
	trace  []traces.Attempt
}

func newDrawn(r *symbolic, oracle bool) *drawn {
	return &drawn{robot: r, oracle: oracle, rng: rand.New(rand.NewPCG(r.seed, 0xd2a3))}
}

func (d *drawn) Next() (exploration.Choice, error) {
	apply := d.oracle && d.rng.Float64() < 0.9
	for {
		a := d.rng.IntN(d.robot.actions())
		if !d.oracle || d.robot.world.Operators[a].Applies(d.robot.at) == apply {
			return exploration.Choice{Action: strips.ActionID(a + 1)}, nil
		}
	}
}

func (d *drawn) Observe(t traces.Attempt, _ float64, _ *[2]pixels.Thumbnail) error {
	d.trace = append(d.trace, t)
	return nil
}

func (*drawn) Reset() error { return nil }

func (d *drawn) Happened() facts.Recording {
	return facts.Recording{Segments: [][]traces.Attempt{d.trace}}
}
