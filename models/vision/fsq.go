package vision

import (
	"fmt"
	"math"
	"strings"

	g "github.com/gomlx/gomlx/core/graph"

	"stripswm/models/dataset"
	"stripswm/models/identity"
)

// MaxDims is the greatest number of latent dimensions to try: the paper needs 5 to 7.
const MaxDims = 16

// FSQ is finite scalar quantisation (Mentzer et al. 2024): Dims latent
// dimensions with Levels values each, the paper's [Levels]^Dims. Values are in
// level units: -2, -1, 0, 1, 2 for five levels.
type FSQ struct {
	Levels int // odd, so that the grid is centred
	Dims   int
}

// roomFor is the smallest space with room for all states that so many transitions can visit
// dataset.MinVisits times, each two levels from the others in some dimension.
func roomFor(levels, transitions int) FSQ {
	q := FSQ{Levels: levels, Dims: 1}
	values := (levels + 1) / 2 // of a dimension, two levels from each other
	for room := values; room < transitions/dataset.MinVisits && q.Dims < MaxDims; room *= values {
		q.Dims++
	}
	return q
}

// String writes the space as the paper does.
func (q FSQ) String() string { return fmt.Sprintf("[%d]^%d", q.Levels, q.Dims) }

func (q FSQ) validate() error {
	if q.Levels < 3 || q.Levels%2 == 0 || q.Levels > 9 {
		return fmt.Errorf("fsq: %d levels: choose 3, 5, 7 or 9", q.Levels)
	}
	if q.Dims < 1 || q.Dims > MaxDims {
		return fmt.Errorf("fsq: %d dimensions: choose 1 to %d", q.Dims, MaxDims)
	}
	return nil
}

func (q FSQ) half() float64 { return float64(q.Levels-1) / 2 }

// bound maps the encoder's output to the latent before rounding.
func (q FSQ) bound(h *g.Node) *g.Node { return g.MulScalar(g.Tanh(h), q.half()) }

// boundAll is bound of an encoder's outputs, in place.
func (q FSQ) boundAll(h []float32) {
	for i, v := range h {
		h[i] = float32(q.half() * math.Tanh(float64(v)))
	}
}

// quantize rounds with a straight-through gradient.
func (q FSQ) quantize(latent *g.Node) *g.Node {
	return g.Add(latent, g.StopGradient(g.Sub(g.Round(latent), latent)))
}

// Code quantises an encoder's latent (its exported output: bounded, in level
// units, not yet rounded) of Dims numbers.
func (q FSQ) Code(latent []float32) identity.Code {
	var b strings.Builder
	for _, v := range latent {
		level := math.RoundToEven(float64(v)) + q.half()
		b.WriteByte('0' + byte(min(max(level, 0), float64(q.Levels-1))))
	}
	return identity.Code(b.String())
}

// Latent is the centre of a code's cell: Dims numbers in level units.
func (q FSQ) Latent(c identity.Code) []float32 {
	latent := make([]float32, len(c))
	for i := range c {
		latent[i] = float32(float64(c[i]-'0') - q.half())
	}
	return latent
}

// Margin is how far the latent is from changing its code, in levels: 0.5 at a
// cell's centre, 0 on its border.
func (q FSQ) Margin(latent []float32) float64 {
	margin := 0.5
	for _, v := range latent {
		margin = min(margin, 0.5-math.Abs(float64(v)-math.RoundToEven(float64(v))))
	}
	return margin
}

// codes quantises the latents of n images.
func (q FSQ) codes(latents []float32) []identity.Code {
	codes := make([]identity.Code, len(latents)/q.Dims)
	for i := range codes {
		codes[i] = q.Code(latents[i*q.Dims : (i+1)*q.Dims])
	}
	return codes
}
