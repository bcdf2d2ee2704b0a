package trials

import (
	"context"
	"fmt"
	"math/rand/v2"

	"stripswm/models/exploration"
	"stripswm/models/facts"
	"stripswm/models/pixels"
	"stripswm/models/planner"
	"stripswm/models/strips"
	"stripswm/models/traces"
	"stripswm/nodes/sim"
	"stripswm/nodes/sim/camera"
)

// Noise is what goes wrong in a simulated world.
type Noise struct {
	Hand     int     // somebody moves something before every so many attempts; 0: nobody does
	During   int     // likewise, at such an attempt, after the skill and before the second image
	Statuses float64 // share of attempts whose success is reported as a refusal, and vice versa
	Failures float64 // share of attempts that fail: half of these changed the scene as they should
}

// handSteps is how many skills a hand executes: it picks something up and places it, or the other
// way round.
const handSteps = 2

// simulated is a robot in a simulated world.
type simulated struct {
	Exploration
	world  *sim.World
	graph  *sim.Graph
	at     sim.State
	before []sim.State // in which the attempts began
	rng    *rand.Rand
	taken  uint64 // images
	scene  uint64 // how things stand within their places, and the light
}

func newSimulated(e Exploration) *simulated {
	return &simulated{Exploration: e, world: e.Simulated, graph: sim.GroundTruth(e.Simulated),
		at: e.Simulated.Initial(), rng: rand.New(rand.NewPCG(e.Seed, 0x40153)), scene: e.Seed}
}

func (r *simulated) actions() int { return r.world.NumActions() }

func (r *simulated) reset() { r.at, r.scene = r.world.Initial(), r.rng.Uint64() }

// side is that of images, pixels.
const side = 64

func (r *simulated) thumbnail() (pixels.Thumbnail, error) {
	r.taken++
	img, err := camera.New(side, side).RenderAgain(r.world, r.at, r.scene, r.Seed<<40|r.taken)
	if err != nil {
		return nil, fmt.Errorf("state %d: %w", r.at, err)
	}
	return pixels.NewThumbnail(pixels.FromImage(img).Pix, side), nil
}

// hand changes the scene.
func (r *simulated) hand() {
	for from := r.at; r.at == from; {
		for step := 0; step < handSteps; {
			a := strips.ActionID(1 + r.rng.IntN(r.world.NumActions()))
			if next, ok := r.world.Apply(r.at, a); ok {
				r.at = next
				step++
			}
		}
	}
	r.scene = r.rng.Uint64()
}

func (r *simulated) try(a strips.ActionID) (t traces.Attempt, shown *[2]pixels.Thumbnail,
	seconds float64, err error,
) {
	now := func(every int) bool { return every > 0 && (len(r.before)+1)%every == 0 }
	if now(r.Noise.Hand) {
		r.hand()
	}
	during := now(r.Noise.During)
	r.before = append(r.before, r.at)
	if r.Images {
		shown = &[2]pixels.Thumbnail{}
		if shown[0], err = r.thumbnail(); err != nil {
			return t, nil, 0, err
		}
	}
	t, seconds = traces.Attempt{Action: a, Outcome: traces.Refused}, r.Refusal
	if next, ok := r.world.Apply(r.at, a); ok {
		t.Outcome, seconds = traces.Succeeded, exploration.SuccessSeconds
		if r.rng.Float64() < r.Noise.Failures {
			t.Outcome = traces.Failed
		}
		if t.Outcome == traces.Succeeded || r.rng.IntN(2) == 0 {
			r.at, r.scene = next, r.rng.Uint64()
		}
	}
	if during {
		r.hand()
	}
	if t.Outcome != traces.Failed && r.rng.Float64() < r.Noise.Statuses {
		t.Outcome = traces.Succeeded + traces.Refused - t.Outcome
	}
	if r.Images {
		shown[1], err = r.thumbnail()
	}
	return t, shown, seconds, err
}

// planStates are those of a search.
const planStates = 40_000

func (r *simulated) plans(ctx context.Context, learned *traces.Result, happened facts.Recording,
	failures int,
) (float64, error) {
	values := r.values(learned, happened)
	if values == nil {
		return 0, nil
	}
	model, err := learned.Model.Strips(nil)
	if err != nil {
		return 0, err
	}
	p, err := planner.New(model)
	if err != nil {
		return 0, err
	}
	all, rng, solved := r.graph.States(), rand.New(rand.NewPCG(r.Seed, 0x91a2)), 0
	for i := 0; i < queries && i-solved < failures; i++ {
		at, to := all[rng.IntN(len(all))], all[rng.IntN(len(all))]
		found, err := p.Find(ctx, values[at], values[to], planner.BreadthFirst,
			planner.Limits{States: planStates})
		if err != nil {
			return 0, err
		}
		if found.Outcome != planner.Found {
			continue
		}
		for _, a := range found.Plan {
			next, ok := r.graph.Next(at, a)
			if !ok {
				break
			}
			at = next
		}
		if at == to {
			solved++
		}
	}
	return float64(solved) / queries, nil
}

// values are those of the predicates in each state: the model's, along shortest paths from the
// first state of which most is known; nil if there is none.
func (r *simulated) values(learned *traces.Result, happened facts.Recording,
) map[sim.State]strips.State {
	var from sim.State
	best, most, n := -1, -1, 0
	for s, shown := range happened.Images {
		for i := range shown {
			attempt := shown[i][0] / 2
			if !r.Images {
				attempt = n
			}
			if n++; r.Images && shown[i][0] < 0 {
				continue
			}
			known := 0
			for p := range learned.Model.Predicates {
				if learned.Value(strips.Predicate(p), learned.Before[s][i]) != traces.Unknown {
					known++
				}
			}
			if known > most {
				from, best, most = r.before[attempt], learned.Before[s][i], known
			}
		}
	}
	if best < 0 {
		return nil
	}
	operators := make([]*strips.Operator, r.world.NumActions()+1)
	for i := range learned.Model.Operators {
		operators[learned.Model.Operators[i].Action] = &learned.Model.Operators[i]
	}
	values := map[sim.State]strips.State{from: learned.State(best)}
	for queue := []sim.State{from}; len(queue) > 0; queue = queue[1:] {
		for _, e := range r.graph.Out(queue[0]) {
			if _, ok := values[e.To]; ok {
				continue
			}
			values[e.To] = values[queue[0]]
			if o := operators[e.Action]; o != nil {
				values[e.To] = o.Apply(values[queue[0]])
			}
			queue = append(queue, e.To)
		}
	}
	return values
}
