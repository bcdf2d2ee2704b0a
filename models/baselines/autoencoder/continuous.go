package autoencoder

import (
	"math"
	"math/rand/v2"

	"github.com/gomlx/compute/dtypes"
	g "github.com/gomlx/gomlx/core/graph"

	"stripswm/models/dataset"
	"stripswm/models/networks"
)

// Continuous is the latent space of LSR (Lippi et al. 2023, section V): that of a variational
// autoencoder, with a loss that draws two images of one state together and holds the two images of
// a transition at least a distance d_m from each other:
//
//	|z1 - z2|_1                  where nothing was done
//	max(0, d_m - |z1 - z2|_1)    after an action
//
// d_m grows until all recent transitions have a greater distance than any two images of one state.
type Continuous struct {
	Dims int // k
	// weight of the divergence from the unit normal distribution, reached over BetaSteps
	Beta  float64
	Gamma float64 // weight of the action term
	// BetaSteps are a share of all steps. d_m grows by Margin, at most MarginSteps times.
	BetaSteps   float64
	Margin      float64
	MarginSteps int
}

// mean and logarithm of the variance
func (c Continuous) outputs() int             { return 2 * c.Dims }
func (c Continuous) size() int                { return c.Dims }
func (c Continuous) declare(*networks.Layout) {}
func (c Continuous) noises() int              { return 2 }
func (c Continuous) metrics() []string {
	return []string{"divergence", "action distance", "state distance", leastAction, mostState,
		"margin"}
}

// The least distance of the images of a transition in a batch, and the greatest of one state's.
const leastAction, mostState = "least action distance", "most state distance"

func (c Continuous) noise(rng *rand.Rand) float32 { return float32(rng.NormFloat64()) }

func (c Continuous) pairs(d *dataset.Dataset) []dataset.Transition { return withIntervals(d) }

func (c Continuous) final(h *g.Node) *g.Node {
	return g.Slice(h, g.AxisRange(), g.AxisRange(0, c.Dims))
}

func (c Continuous) loss(_ *networks.Weights, p latentPairs) lossParts {
	beta, margin := g.Reshape(g.Slice(p.shares, g.AxisElem(0))),
		g.Reshape(g.Slice(p.shares, g.AxisElem(1)))
	n := p.actions.Shape().Dimensions[0]
	sample := func(h *g.Node, view int) (z, divergence *g.Node) {
		mean, logVariance := c.final(h), g.Slice(h, g.AxisRange(), g.AxisRange(c.Dims))
		noise := g.Reshape(g.Slice(p.noise, g.AxisElem(view)), n, c.Dims)
		z = g.Add(mean, g.Mul(g.Exp(g.MulScalar(logVariance, 0.5)), noise))
		terms := g.Sub(g.Sub(g.Add(g.Square(mean), g.Exp(logVariance)), logVariance),
			g.OnesLike(mean))
		return z, g.MulScalar(g.ReduceAllMean(g.ReduceSum(terms, -1)), 0.5)
	}
	z1, divergence1 := sample(p.before, 0)
	z2, divergence2 := sample(p.after, 1)
	divergence := g.MulScalar(g.Add(divergence1, divergence2), 0.5)
	distance := g.ReduceSum(g.Abs(g.Sub(z1, z2)), -1) // [n]
	acted := g.ConvertDType(g.GreaterThan(p.actions, g.ZerosLike(p.actions)), dtypes.Float32)
	still := g.OneMinus(acted)
	action := g.Add(g.Mul(still, distance), g.Mul(acted, g.MaxScalar(g.Sub(margin, distance), 0)))
	loss := g.Add(g.Mul(beta, divergence), g.MulScalar(g.ReduceAllMean(action), c.Gamma))
	mean := func(which *g.Node) *g.Node {
		return g.Div(g.ReduceAllSum(g.Mul(which, distance)),
			g.AddScalar(g.ReduceAllSum(which), 1e-6))
	}
	const far = 1e6
	least := g.ReduceAllMin(g.Add(distance, g.MulScalar(still, far)))
	most := g.ReduceAllMax(g.Mul(still, distance))
	return lossParts{
		before: []*g.Node{z1}, after: []*g.Node{z2}, loss: loss,
		metrics: []*g.Node{divergence, mean(acted), mean(still), least, most, margin},
	}
}

// continuousSchedule is of one training.
type continuousSchedule struct {
	Continuous
	steps       int
	margin      float64
	least, most float64 // distances since d_m was checked last
}

func (c Continuous) schedule(steps int) latentSchedule {
	return &continuousSchedule{c, steps, 0, math.Inf(1), 0}
}

func (s *continuousSchedule) at(step int) []float32 {
	beta := s.Beta * min(1, float64(step)/(s.BetaSteps*float64(s.steps)))
	return []float32{float32(beta), float32(s.margin)}
}

func (s *continuousSchedule) saw(step int, metrics []float32) {
	s.least, s.most = min(s.least, float64(metrics[3])), max(s.most, float64(metrics[4]))
	if every := max(1, s.steps/s.MarginSteps); (step+1)%every != 0 {
		return
	}
	if s.least <= s.most {
		s.margin += s.Margin
	}
	s.least, s.most = math.Inf(1), 0
}
