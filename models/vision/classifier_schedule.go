package vision

import (
	"math"

	"stripswm/models/networks"
)

// ClassifierSettings are those of stage 3 (paper, table 4).
type ClassifierSettings struct {
	networks.Optimizer
	Epochs int
	Steps  int     // at least so many, however small the recording
	Decay  float64 // share of the steps, at the end, over which the learning rate falls to zero
	// Patience is how many times as long the learning rate may stay in full if the images are not
	// learned by then: it is not known before how hard predicates are to see. 0 and 1: no longer.
	Patience     int
	Batch        int
	Margin       float64 // gamma
	MarginWeight float64 // lambda_margin
}

// learnedShare of the images have to have all predicates right in training before the learning
// rate falls.
const learnedShare = 0.95

// length is that of training, steps: with the full learning rate for hold, at least, and then
// while it falls to zero, a share of all.
type length struct {
	hold, limit int
	decay       float64
}

// length of training on a number of images.
func (c ClassifierSettings) length(images int) length {
	steps := max(c.Epochs*max(images/(2*c.Batch), 1), c.Steps)
	hold := steps - int(c.Decay*float64(steps))
	return length{hold, max(c.Patience, 1) * hold, c.Decay}
}

// after is the length when the hold ends, if that share of the images was right lately.
func (l length) after(right float64) length {
	if right < learnedShare {
		l.hold = min(l.hold+classifierEvery, l.limit)
	}
	return l
}

// most is how many steps it may become.
func (l length) most() int { return length{hold: l.limit, decay: l.decay}.steps() }

func (l length) steps() int { return int(math.Round(float64(l.hold) / (1 - l.decay))) }

// ratesAt are Optimizer.Rates with the decay applied.
func (c ClassifierSettings) ratesAt(step int, l length) [3]float32 {
	rates := c.Rates(step)
	if step > l.hold {
		rates[0] *= float32(float64(l.steps()-step) / float64(l.steps()-l.hold))
	}
	return rates
}
