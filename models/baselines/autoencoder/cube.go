package autoencoder

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/gomlx/compute/dtypes"
	g "github.com/gomlx/gomlx/core/graph"

	"stripswm/models/dataset"
	"stripswm/models/networks"
	"stripswm/models/strips"
)

// CubeSpace is the latent space of LatPlan's Cube-Space autoencoder (Asai, Kajino, Fukunaga
// and Muise 2022, sections 7.4 and 7.5; AMA3+): bits, each a binary-concrete sample (Maddison
// et al. 2017) whose temperature falls, and an effect for each action that adds, deletes or
// leaves each bit, whatever the others are. The successor's bits follow from the bits before
// by back-to-logit:
//
//	l2 = bn(z0) + bn(E a),  z2 ~ concrete(l2)
//
// with batch normalisation bn. The image after is decoded from z1, its own code, and from z2, the
// imagined one. The divergence of their distributions draws z1 to z2. The bits before have a prior
// by which few hold, so that a bit without information stays 0.
type CubeSpace struct {
	Bits    int // N
	Actions int // L
	// Sigma is the standard deviation of a pixel about its reconstruction, in values from 0 to 1.
	// Divergences are weighted with its square, against half the squared distance of images.
	Sigma      float64
	Prior      float64 // how likely a bit holds
	PriorShare float64 // beta of the divergence from the prior
	// Transition is beta of the divergence of z1 from z2. It begins with Slow of that and rises
	// exponentially over the first three quarters of the steps.
	Transition, Slow float64
	Hot, Cold        float64 // temperatures: at the first step, and over the last half of the steps
	// Intervals adds the two images of static intervals as pairs.
	Intervals bool
}

func (c CubeSpace) outputs() int { return c.Bits } // logits
func (c CubeSpace) size() int    { return c.Bits }
func (c CubeSpace) noises() int  { return 3 }
func (c CubeSpace) metrics() []string {
	return []string{"divergence from prior", "divergence of successor", "bits that hold",
		"bits that change", "bits mispredicted"}
}

const (
	cubeEffects = "cube/effects" // E [L, N]
	cubeScales  = "cube/scales"  // logarithms of the scales of bn(z0) and of bn(E a) [2, N]
	cubeShift   = "cube/shift"   // [N]
)

func (c CubeSpace) declare(l *networks.Layout) {
	l.Add(cubeEffects, math.Sqrt(2/float64(c.Actions+c.Bits)), c.Actions, c.Bits)
	l.Add(cubeScales, 0, 2, c.Bits)
	l.Add(cubeShift, 0, c.Bits)
}

// noise is of the logistic distribution, cut where the published code cuts it.
func (c CubeSpace) noise(rng *rand.Rand) float32 {
	const edge = 1e-5
	u := edge + (1-2*edge)*rng.Float64()
	return float32(math.Log(u / (1 - u)))
}

func (c CubeSpace) pairs(d *dataset.Dataset) []dataset.Transition {
	if c.Intervals {
		return withIntervals(d)
	}
	return d.Transitions
}

// final is how likely each bit holds.
func (c CubeSpace) final(h *g.Node) *g.Node { return g.Sigmoid(h) }

func (c CubeSpace) loss(w *networks.Weights, p latentPairs) lossParts {
	n := p.actions.Shape().Dimensions[0]
	heat, transition := g.Reshape(g.Slice(p.shares, g.AxisElem(0))),
		g.Reshape(g.Slice(p.shares, g.AxisElem(1)))
	sample := func(logits *g.Node, view int) *g.Node {
		noise := g.Reshape(g.Slice(p.noise, g.AxisElem(view)), n, c.Bits)
		return g.Sigmoid(g.Div(g.Add(logits, noise), heat))
	}
	z0, z1 := sample(p.before, 0), sample(p.after, 1)
	l2 := c.successor(w, z0, p.actions)
	z2 := sample(l2, 2)

	prior := g.MulScalar(g.OnesLike(l2), math.Log(c.Prior/(1-c.Prior)))
	fromPrior, fromSuccessor := divergence(p.before, prior), divergence(p.after, l2)
	// The published loss has weight 1 for the reconstruction before, and twice a half for that
	// after; here each has a third. The divergences keep their share.
	loss := g.Add(g.MulScalar(fromPrior, c.PriorShare/2),
		g.MulScalar(g.Mul(transition, fromSuccessor), 1./4))
	differs := func(a, b *g.Node) *g.Node {
		holds := func(l *g.Node) *g.Node { return g.GreaterThan(l, g.ZerosLike(l)) }
		return g.ReduceAllMean(g.ConvertDType(g.NotEqual(holds(a), holds(b)), dtypes.Float32))
	}
	return lossParts{
		before: []*g.Node{z0}, after: []*g.Node{z1, z2}, loss: g.MulScalar(loss, c.Sigma*c.Sigma),
		metrics: []*g.Node{fromPrior, fromSuccessor, g.ReduceAllMean(g.Sigmoid(p.before)),
			differs(p.before, p.after), differs(p.after, l2)},
	}
}

// successor is the logits of the bits after, of bits before [n, N] and actions [n]. Both are
// normalised over the batch; where nothing was done, there is no effect.
func (c CubeSpace) successor(w *networks.Weights, bits, actions *g.Node) *g.Node {
	acted := g.InsertAxes(g.ConvertDType(g.GreaterThan(actions, g.ZerosLike(actions)),
		dtypes.Float32), -1)
	effects := g.Dot(g.OneHot(g.AddScalar(actions, -1), c.Actions, dtypes.Float32),
		w.At(cubeEffects)).Product()
	scales := g.Exp(w.At(cubeScales))
	scale := func(i int) *g.Node { return g.Reshape(g.Slice(scales, g.AxisElem(i)), 1, c.Bits) }
	before := g.Mul(standardised(bits, g.OnesLike(acted)), scale(0))
	effect := g.Mul(standardised(effects, acted), scale(1))
	return g.Add(g.Add(before, g.Mul(acted, effect)), g.Reshape(w.At(cubeShift), 1, c.Bits))
}

// cubeEpsilon is Keras's of batch normalisation.
const cubeEpsilon = 1e-3

// standardised has mean 0 and variance 1 in each column, over the rows whose share is 1.
func standardised(x, shares *g.Node) *g.Node {
	count := g.AddScalar(g.ReduceAndKeep(shares, g.ReduceSum, 0), 1e-6)
	mean := func(y *g.Node) *g.Node {
		return g.Div(g.ReduceAndKeep(g.Mul(y, shares), g.ReduceSum, 0), count)
	}
	centred := g.Sub(x, mean(x))
	return g.Div(centred, g.Sqrt(g.AddScalar(mean(g.Square(centred)), cubeEpsilon)))
}

// divergence is that of the bits of logits l from those of logits m (Kullback and Leibler),
// summed over bits, averaged over rows.
func divergence(l, m *g.Node) *g.Node {
	// q log(q/p) + (1-q) log((1-q)/(1-p)) with log q = l - softplus(l), log(1-q) = -softplus(l).
	terms := g.Add(g.Mul(g.Sigmoid(l), g.Sub(l, m)), g.Sub(softplus(m), softplus(l)))
	return g.ReduceAllMean(g.ReduceSum(terms, -1))
}

// softplus is log(1 + exp(x)).
func softplus(x *g.Node) *g.Node {
	return g.Add(g.MaxScalar(x, 0), g.Log1p(g.Exp(g.Neg(g.Abs(x)))))
}

// cubeSchedule is temperature and weight of the transition by step.
type cubeSchedule struct {
	CubeSpace
	steps int
}

func (c CubeSpace) schedule(steps int) latentSchedule { return cubeSchedule{c, steps} }

func (s cubeSchedule) at(step int) []float32 {
	done := float64(step) / float64(s.steps)
	heat := s.Hot * math.Pow(s.Cold/s.Hot, min(1, done/0.5))
	transition := s.Transition * math.Pow(s.Slow, 1-min(1, done/0.75))
	return []float32{float32(heat), float32(transition)}
}

func (cubeSchedule) saw(int, []float32) {}

// Effect is what an action does to a bit, whatever the others are.
type Effect uint8

// Effects. Back-to-logit grows with the bit before, so that there is no other (Asai et al.
// 2022, theorem 3).
const (
	Leaves Effect = iota
	Adds
	Deletes
)

// Effects is what each action does to each bit [L][N], read off the learned back-to-logit as
// the published code does: its successor of a 0 and of a 1. Batch normalisation takes its
// means and variances from all transitions; codes are those of the images of the data.
func (l *Learned) Effects(d *dataset.Dataset, codes []strips.State) ([][]Effect, error) {
	c, ok := l.Settings.Latent.(CubeSpace)
	if !ok {
		return nil, errors.New("effects: the latent space is no cube space")
	}
	if len(codes) != d.Images() || len(d.Transitions) == 0 {
		return nil, fmt.Errorf("effects: %d codes for %d images, %d transitions", len(codes),
			d.Images(), len(d.Transitions))
	}
	layout := l.Settings.layout()
	weights := func(name string) []float32 { return layout.Of(l.Weights, name) }
	table, scales, shift := weights(cubeEffects), weights(cubeScales), weights(cubeShift)
	all := make([][]Effect, c.Actions)
	for a := range all {
		all[a] = make([]Effect, c.Bits)
	}
	before, effects := make([]float64, len(d.Transitions)), make([]float64, len(d.Transitions))
	for bit := range c.Bits {
		for i, t := range d.Transitions {
			before[i], effects[i] = 0, float64(table[(int(t.Action)-1)*c.Bits+bit])
			if codes[t.Before].Get(strips.Predicate(bit)) {
				before[i] = 1
			}
		}
		fromBit, fromEffect := normaliser(before, scales[bit]),
			normaliser(effects, scales[c.Bits+bit])
		for a := range all {
			push := fromEffect(float64(table[a*c.Bits+bit])) + float64(shift[bit])
			switch {
			case fromBit(0)+push > 0:
				all[a][bit] = Adds
			case fromBit(1)+push <= 0:
				all[a][bit] = Deletes
			}
		}
	}
	return all, nil
}

// normaliser is batch normalisation with the means and variances of given values.
func normaliser(values []float64, logScale float32) func(float64) float64 {
	mean, variance := 0.0, 0.0
	for _, v := range values {
		mean += v / float64(len(values))
	}
	for _, v := range values {
		variance += (v - mean) * (v - mean) / float64(len(values))
	}
	scale := math.Exp(float64(logScale)) / math.Sqrt(variance+cubeEpsilon)
	return func(v float64) float64 { return (v - mean) * scale }
}
