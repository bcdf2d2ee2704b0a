package scene

import "math/rand/v2"

// Jitter draws the nuisance of one image: all that differs between two images of one state.
// Equal seeds and strengths draw alike.
type Jitter struct {
	rng      *rand.Rand
	strength float64
}

// streamJitter is the stream of the nuisance of a seed.
const streamJitter = 0x6a09e667f3bcc909

// NewJitter returns the nuisance of a seed. Strength 0 draws zeros only, 1 is what the worlds are
// made for, and more is for asking how a learner bears it.
func NewJitter(seed uint64, strength float64) *Jitter {
	if !(strength > 0) {
		strength = 0
	}
	return &Jitter{rand.New(rand.NewPCG(seed, streamJitter)), min(strength, maxStrength)}
}

const (
	maxStrength = 4
	// maxShift bounds how far things are displaced, so that they stay where the state says they
	// are, however strong the nuisance.
	maxShift = 1.6
)

// Uniform draws from [-r, r], scaled by the strength.
func (j *Jitter) Uniform(r float64) float64 {
	return j.strength * r * (2*j.rng.Float64() - 1)
}

// Shift draws as Uniform does, for positions and angles of things: beyond a strength of 1.6 it
// grows no further.
func (j *Jitter) Shift(r float64) float64 {
	return min(j.strength, maxShift) * r * (2*j.rng.Float64() - 1)
}

// Positive draws from [0, r], scaled by the strength.
func (j *Jitter) Positive(r float64) float64 { return j.strength * r * j.rng.Float64() }

// Factor draws from [1/(1+r), 1+r] at strength 1, as likely up as down.
func (j *Jitter) Factor(r float64) float64 {
	if u := j.Uniform(r); u < 0 {
		return 1 / (1 - u)
	} else {
		return 1 + u
	}
}

// Scale returns v times the strength, for nuisance that is always there, such as noise.
func (j *Jitter) Scale(v float64) float64 { return j.strength * v }

// Strength returns the strength it draws with.
func (j *Jitter) Strength() float64 { return j.strength }
