package effects

import (
	"math"
	"slices"
)

// Result is what was found.
type Result struct {
	Facts     []Fact
	Undecided []Undecided
}

// Fact is what a skill sets, whatever it was before.
type Fact struct {
	Sets   []int // actions after which it is true, ascending
	Clears []int // after which it is false
	Keeps  []int // which leave it where it is true; of all other actions that is not known
	Nats   float64
	Where  []Weight // the features it is seen in, of the first of Sets
}

// Weight is what a feature's change counts.
type Weight struct {
	Feature int
	Weight  float32
}

// Undecided is what too little is known of.
type Undecided struct {
	Action int     // whose effect it is
	Other  int     // the skill that may undo it; 0: the images of Action show no change that is alike
	Nats   float64 // evidence that it does
	Tries  int     // successes of Other while the effect was on, about
	Mixed  bool    // it does so at some successes and not at others
}

// Value is what a fact is at a time.
type Value int8

// The values.
const (
	Unknown Value = iota
	True
	False
)

// result makes facts of pairs.
func (f *follower) result() *Result {
	r := &Result{}
	price := 2 * math.Log(float64(max(len(f.skills), 2)))
	facts := make([]*Fact, len(f.skills))
	for a, d := range f.skillful {
		if d == nil {
			r.Undecided = append(r.Undecided, Undecided{Action: f.skills[a]})
			continue
		}
		fact := &Fact{Sets: []int{a}, Nats: d.nats}
		facts[a] = fact
		for k := range f.skills {
			p := &f.pairs[a][k]
			if k == a {
				continue
			}
			if f.pairs[k] != nil && p.came.does+f.pairs[k][a].came.does > price {
				fact.Sets, fact.Nats = append(fact.Sets, k), fact.Nats+p.came.does
			}
			switch tries := p.gone.tries(); {
			case p.gone.mixed > price:
				r.Undecided = append(r.Undecided, Undecided{f.skills[a], f.skills[k], p.gone.does, tries, true})
			case p.gone.does > price:
				fact.Clears, fact.Nats = append(fact.Clears, k), fact.Nats+p.gone.does
			case p.gone.does < -price:
				fact.Keeps = append(fact.Keeps, k)
			default:
				r.Undecided = append(r.Undecided, Undecided{f.skills[a], f.skills[k], p.gone.does, tries,
					false})
			}
		}
		slices.Sort(fact.Sets)
		for i, v := range d.cells {
			fact.Where = append(fact.Where, Weight{int(v), d.weight[i]})
		}
	}
	for _, fact := range facts {
		if fact != nil {
			for _, ids := range [][]int{fact.Sets, fact.Clears, fact.Keeps} {
				for i := range ids {
					ids[i] = f.skills[ids[i]]
				}
			}
			r.Facts = append(r.Facts, *fact)
		}
	}
	return r
}

// tries is how many successes count.
func (s *sample) tries() int {
	sum := 0.0
	for _, w := range s.weight {
		sum += float64(w)
	}
	return int(math.Round(sum))
}
