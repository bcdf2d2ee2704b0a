package operators

import (
	"math"

	"stripswm/models/strips"
)

// persistences are how far the second image of a static interval has the code of the first,
// rather than one drawn for itself.
var persistences = []float64{0, 0.5, 0.9, 0.99}

// intervalsOf counts those of which both images show the first node, one shows each, and
// both show the second.
func (v *evidence) intervalsOf(nodes [2]strips.StateID) (first, mixed, second int) {
	return v.intervals.Same[nodes[0]], v.intervals.Between(nodes[0], nodes[1]),
		v.intervals.Same[nodes[1]]
}

// oneInterval is the logarithm of how much likelier so many static intervals are if two codes are
// one state's, each image's drawn, than if each is a state of its own and only
// errors show both.
func oneInterval(first, mixed, second int) float64 {
	a, b, c := float64(first), float64(mixed), float64(second)
	var one, two []float64
	for _, share := range shares {
		for _, p := range persistences {
			across := share * (1 - share)
			one = append(one, a*math.Log(share*share+p*across)+b*math.Log(2*across*(1-p))+c*math.Log(
				(1-share)*(1-share)+p*across))
		}
		for _, e := range errorRates {
			two = append(two, a*math.Log(share*(1-e))+b*math.Log(e)+c*math.Log((1-share)*(1-e)))
		}
	}
	return logMean(one) - logMean(two)
}
