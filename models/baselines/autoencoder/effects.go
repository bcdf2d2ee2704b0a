package autoencoder

import (
	"errors"
	"fmt"
	"math"

	"stripswm/models/dataset"
	"stripswm/models/strips"
)

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
