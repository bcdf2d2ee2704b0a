package baselines

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"stripswm/models/bundle"
	"stripswm/models/identity"
	"stripswm/models/inference"
	"stripswm/models/internal/paths"
	"stripswm/models/pixels"
	"stripswm/models/strips"
	"stripswm/models/vision"
)

func init() {
	add := func(name string, plan func(m *WorldModel, start, goal pixels.RGB) ([]strips.ActionID,
		bool, error)) {
		register(Baseline{ID: strings.ToLower(name), Name: name,
			Needs: []bundle.Role{bundle.Encoder, bundle.Dynamics},
			Open: func(b *bundle.Bundle, o inference.Options) (Planner, error) {
				m, err := OpenWorldModel(b, o)
				return worldModelPlanner{m, plan}, err
			}})
	}
	add("WM-BFS", (*WorldModel).Search)
	add("WM-Rollout", func(m *WorldModel, start, goal pixels.RGB) ([]strips.ActionID, bool, error) {
		plan, err := m.Rollout(start, goal)
		return plan, true, err
	})
}

// worldModelPlanner plans by Search or by Rollout.
type worldModelPlanner struct {
	*WorldModel
	plan func(m *WorldModel, start, goal pixels.RGB) ([]strips.ActionID, bool, error)
}

func (p worldModelPlanner) Plan(_ context.Context, start, goal pixels.RGB) ([]strips.ActionID, bool,
	error) {
	return p.plan(p.WorldModel, start, goal)
}

// WorldModel plans with the learned dynamics alone: no task graph, no predicates,
// nothing that says which action applies. It is not safe for concurrent use.
type WorldModel struct {
	vision.Coder
	dynamics *dynamics
}

// OpenWorldModel loads encoder and dynamics of a bundle.
func OpenWorldModel(b *bundle.Bundle, o inference.Options) (*WorldModel, error) {
	coder, err := vision.OpenCoder(b, o)
	if err != nil {
		return nil, err
	}
	network, err := bundle.Use(b, bundle.Dynamics, inference.OpenDynamics, o)
	if err != nil {
		return nil, errors.Join(err, coder.Close())
	}
	m, err := NewWorldModel(coder, network)
	if err != nil {
		return nil, errors.Join(b.Unusable(bundle.Dynamics, err), coder.Close(), network.Close())
	}
	return m, nil
}

// NewWorldModel plans in the space of the coder's codes, and takes coder and network over.
func NewWorldModel(c vision.Coder, network *inference.Dynamics) (*WorldModel, error) {
	if network.Dims != c.Space().Dims {
		return nil, fmt.Errorf("world model: the dynamics have %d dimensions, the latent space %s",
			network.Dims, c.Space())
	}
	return &WorldModel{Coder: c, dynamics: newDynamics(network, c.Space())}, nil
}

// Close frees both networks.
func (m *WorldModel) Close() error {
	return errors.Join(m.Coder.Close(), m.dynamics.network.Close())
}

// MaxCodes is how many codes Search visits before it gives up: some hundred times
// the states of the worlds that the method is made for.
const MaxCodes = 20_000

// Search is the paper's WM-BFS: breadth-first search from the start's code, every
// action applied to every code, until the goal's code is met. Memory: an entry a
// code; found is false where MaxCodes did not meet it.
func (m *WorldModel) Search(start, goal pixels.RGB) (plan []strips.ActionID, found bool,
	err error) {
	from, to, err := m.ends(start, goal)
	if err != nil {
		return nil, false, err
	}
	asked := 0
	plan, found = paths.Shortest(from, to, func(at int, reach func(strips.ActionID, int)) {
		if asked++; asked > MaxCodes || err != nil {
			return
		}
		var next []int
		next, err = m.dynamics.successors(at)
		for a, code := range next {
			reach(strips.ActionID(a+1), code)
		}
	})
	return plan, found, err
}

// Candidates of Rollout: the paper gives no numbers.
const (
	Rollouts      = 1000
	RolloutLength = 30
)

// Rollout is the paper's WM-Rollout: random action sequences are rolled out, and
// the one whose predicted code comes closest to the goal's, at any step, is cut
// there and returned. Of equals the shortest wins. The same images give the same
// sequences.
func (m *WorldModel) Rollout(start, goal pixels.RGB) ([]strips.ActionID, error) {
	from, to, err := m.ends(start, goal)
	if err != nil {
		return nil, err
	}
	var seed [32]byte
	copy(seed[:16], m.dynamics.codes[from])
	copy(seed[16:], m.dynamics.codes[to])
	rng := rand.New(rand.NewChaCha8(seed))
	var best []strips.ActionID
	closest := m.dynamics.distance(from, to)
	for range Rollouts {
		at := from
		var sequence []strips.ActionID
		for range RolloutLength {
			next, err := m.dynamics.successors(at)
			if err != nil {
				return nil, err
			}
			a := rng.IntN(len(next))
			at, sequence = next[a], append(sequence, strips.ActionID(a+1))
			if d := m.dynamics.distance(at, to); d < closest || d == closest &&
				len(sequence) < len(best) {
				closest, best = d, slices.Clone(sequence)
			}
		}
	}
	return best, nil
}

// ends are the numbers of the images' codes.
func (m *WorldModel) ends(start, goal pixels.RGB) (from, to int, err error) {
	first, last, err := ends(m.Code, start, goal)
	if err != nil {
		return 0, 0, err
	}
	return m.dynamics.number(first), m.dynamics.number(last), nil
}

// dynamics is the learned dynamics as a graph of codes that grows where it is asked: codes are
// numbered as they are met, and the network is asked about each once.
type dynamics struct {
	network *inference.Dynamics
	fsq     vision.FSQ
	numbers map[identity.Code]int
	codes   []identity.Code
	next    [][]int // by code and action, nil until asked
}

func newDynamics(network *inference.Dynamics, q vision.FSQ) *dynamics {
	return &dynamics{network: network, fsq: q, numbers: map[identity.Code]int{}}
}

// number returns the number of a code.
func (d *dynamics) number(c identity.Code) int {
	n, known := d.numbers[c]
	if !known {
		n = len(d.codes)
		d.numbers[c], d.codes, d.next = n, append(d.codes, c), append(d.next, nil)
	}
	return n
}

// successors are the codes that the actions are predicted to lead to.
func (d *dynamics) successors(n int) ([]int, error) {
	if d.next[n] != nil {
		return d.next[n], nil
	}
	latents, err := d.network.Successors(d.fsq.Latent(d.codes[n]))
	if err != nil {
		return nil, err
	}
	next := make([]int, d.network.Actions)
	for a := range next {
		next[a] = d.number(d.fsq.Code(latents[a*d.fsq.Dims : (a+1)*d.fsq.Dims]))
	}
	d.next[n] = next
	return next, nil
}

// distance is the squared distance of two codes, in levels.
func (d *dynamics) distance(a, b int) int {
	sum := 0
	for i := range d.codes[a] {
		difference := int(d.codes[a][i]) - int(d.codes[b][i])
		sum += difference * difference
	}
	return sum
}
