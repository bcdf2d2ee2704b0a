package effects

import (
	"math"

	"gonum.org/v1/gonum/floats"
)

// sample is a measure of several attempts, and how surely each counts.
type sample struct {
	value  []float64
	weight []float64
}

func (s *sample) add(value, weight float64) {
	const least = 0.01 // counts nothing
	if weight > least {
		s.value, s.weight = append(s.value, value), append(s.weight, weight)
	}
}

// tries is how many attempts count.
func (s *sample) tries() int {
	sum := 0.0
	for _, w := range s.weight {
		sum += w
	}
	return int(math.Round(sum))
}

// around is the log likelihood of the sample by its mean: one of some that are as likely as their
// weights (log). Single values are normal around it, but for those of attempts recorded wrong.
func (s *sample) around(means []float64, weight func(mean float64) float64, deviation float64,
) float64 {
	logs, total := make([]float64, len(means)), make([]float64, len(means))
	for m, mean := range means {
		total[m] = weight(mean)
		logs[m] = total[m]
		for i, v := range s.value {
			logs[m] += s.weight[i] * logMix(v-mean, deviation)
		}
	}
	return floats.LogSumExp(logs) - floats.LogSumExp(total)
}

// mixture is the log likelihood of a sample of which some share is one, and the rest the other, by
// the likelihoods of single values.
func (s *sample) mixture(one, other func(float64) float64) float64 {
	shares := grid(0.3, 0.7, 0.1)
	logs := make([]float64, len(shares))
	for i, v := range s.value {
		a, b := math.Exp(one(v)), math.Exp(other(v))
		for k, share := range shares {
			logs[k] += s.weight[i] * math.Log(share*a+(1-share)*b)
		}
	}
	return floats.LogSumExp(logs) - math.Log(float64(len(shares)))
}

// logMix is the log likelihood of a value that is off by so much, where some are spread evenly.
func logMix(off, deviation float64) float64 {
	z := off / deviation
	return math.Log((1-wrongShare)*math.Exp(-z*z/2)/(deviation*math.Sqrt(2*math.Pi)) +
		wrongShare/spanned)
}

// normal is the log weight of means around one.
func normal(around, deviation float64) func(float64) float64 {
	return func(mean float64) float64 {
		z := (mean - around) / deviation
		return -z * z / 2
	}
}

func grid(from, to, step float64) []float64 {
	all := make([]float64, int(math.Round((to-from)/step))+1)
	for i := range all {
		all[i] = from + float64(i)*step
	}
	return all
}

// logistic is the probability with these log odds.
func logistic(odds float64) float64 { return 1 / (1 + math.Exp(-odds)) }
