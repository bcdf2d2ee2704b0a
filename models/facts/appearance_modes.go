package facts

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"stripswm/internal/spread"
	"stripswm/models/dataset"
)

const (
	commonModes = 16  // at most
	partModes   = 8   // of a predicate, at most
	modeImages  = 512 // that common modes are learned from, at most; half of that for a predicate
	shrink      = 0.1 // of a mode: variance of a value by that of the mode
)

// learnModes learns modes and scale from what parts leave of images.
func (a *Appearance) learnModes(d *dataset.Dataset, images []int, targets [][]float32) {
	var lefts [][]float64
	var shown [][]float32
	for _, i := range spread.Evenly(images, 6*modeImages) {
		lefts = append(lefts, a.left(d.Image(i), d.Size, targets[i]))
		shown = append(shown, targets[i])
	}
	var all []int
	for k := range lefts {
		all = append(all, k)
	}
	a.common = principal(rows(lefts, spread.Evenly(all, modeImages)),
		min(commonModes, len(all)/pairsPerMode))
	for p := range a.mean {
		var some []int
		for k, target := range shown {
			if target[p] == 1 {
				some = append(some, k)
			}
		}
		some = spread.Evenly(some, modeImages/2)
		if len(some) < pairsPerMode {
			a.modes = append(a.modes, nil)
			continue
		}
		where, left := a.around(p), rows(lefts, some)
		takeAway(left, a.common)
		for k := range some {
			row := left.RawRowView(k)
			copy(row, within(row, where))
		}
		a.modes = append(a.modes, principal(left, min(partModes, len(some)/pairsPerMode)))
	}
	a.multiply()
	a.scale = make([]float64, 3*a.side*a.side)
	for k, left := range lefts {
		a.clean(left, shown[k], nil)
		for i, v := range left {
			a.scale[i] += v * v / float64(len(lefts))
		}
	}
	for i, v := range a.scale {
		a.scale[i] = 1 / math.Sqrt(v+minVariance)
	}
}

// multiply sets the products of modes.
func (a *Appearance) multiply() {
	var all []float64
	n := 0
	for _, modes := range append([]*mat.Dense{a.common}, a.modes...) {
		a.first = append(a.first, n)
		if modes != nil {
			all = append(all, modes.RawMatrix().Data...)
			n = len(all) / (3 * a.side * a.side)
		}
	}
	a.first, a.gram = a.first[1:], &mat.SymDense{}
	if n > 0 {
		a.gram.SymOuterK(1, mat.NewDense(n, 3*a.side*a.side, all))
	}
}

func rows(all [][]float64, which []int) *mat.Dense {
	m := mat.NewDense(len(which), len(all[0]), nil)
	for k, i := range which {
		m.SetRow(k, all[i])
	}
	return m
}

// around are the pixels of a part, and those beside them.
func (a *Appearance) around(p int) []bool {
	where := make([]bool, a.side*a.side)
	for i, e := range a.edges(p) {
		if e == 0 {
			continue
		}
		for y := max(i/a.side-1, 0); y <= min(i/a.side+1, a.side-1); y++ {
			for x := max(i%a.side-1, 0); x <= min(i%a.side+1, a.side-1); x++ {
				where[y*a.side+x] = true
			}
		}
	}
	return where
}

// clean takes away what the modes of an image of a target explain inside, or everywhere, by ridge
// regression.
func (a *Appearance) clean(left []float64, target []float32, inside []bool) {
	var active [][]float64
	var at []int
	add := func(modes *mat.Dense, first int) {
		if modes != nil {
			n, _ := modes.Dims()
			for k := range n {
				active, at = append(active, within(modes.RawRowView(k), inside)), append(at, first+k)
			}
		}
	}
	add(a.common, 0)
	for p, v := range target {
		if v == 1 {
			add(a.modes[p], a.first[p])
		}
	}
	if len(active) == 0 {
		return
	}
	gram, along := mat.NewSymDense(len(active), nil), mat.NewVecDense(len(active), nil)
	for i, x := range active {
		along.SetVec(i, dot(x, left))
		for j := i; j < len(active); j++ {
			if inside == nil {
				gram.SetSym(i, j, a.gram.At(at[i], at[j]))
			} else {
				gram.SetSym(i, j, dot(active[i], active[j]))
			}
		}
		gram.SetSym(i, i, gram.At(i, i)+shrink)
	}
	var c mat.Cholesky
	var weights mat.VecDense
	if !c.Factorize(gram) || c.SolveVecTo(&weights, along) != nil {
		return // not reached: the ridge makes the matrix regular
	}
	for i, x := range active {
		w := weights.AtVec(i)
		for k, v := range x {
			left[k] -= w * v
		}
	}
}
