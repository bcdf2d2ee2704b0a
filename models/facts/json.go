package facts

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"

	"gonum.org/v1/gonum/mat"
)

// Bounds of what ReadCheck reads. A world of 10 objects and 12 places has 143 predicates.
const (
	MaxBytes      = 256 << 20
	maxPredicates = 1 << 12
)

// ErrCheck is returned, wrapped, for a file that is no check of this package.
var ErrCheck = errors.New("unusable check of facts")

// checkJSON is facts.json of a bundle. Literals are numbers: twice the predicate, plus one if it is
// negated.
type checkJSON struct {
	Predicates       int            `json:"predicates"`
	Excludes         [][2]literal   `json:"excludes"` // pairs of literals, the smaller first
	AtLeast          [][]literal    `json:"at_least_one"`
	NegLogLikelihood float64        `json:"max_neg_log_likelihood"`
	Distance         float64        `json:"max_distance"`
	Appearance       appearanceJSON `json:"appearance"`
}

type appearanceJSON struct {
	Side    int         `json:"side"`
	Parts   [][]float32 `json:"parts"`   // [predicates + 1, values]
	Inverse [][]float32 `json:"inverse"` // upper triangles, by block
	Mean    []float64   `json:"mean"`
	Norms   []float64   `json:"norms"`
	Filters [2]unit     `json:"filters"`
	Blocks  unit        `json:"blocks"`
}

// WriteJSON writes the check; ReadCheck reads it.
func (c *Check) WriteJSON(w io.Writer) error {
	a := c.Appearance
	out := checkJSON{Predicates: c.Constraints.predicates, AtLeast: c.Constraints.atLeast,
		NegLogLikelihood: c.Thresholds.NegLogLikelihood, Distance: c.Thresholds.Distance,
		Appearance: appearanceJSON{Side: a.side, Mean: a.mean, Norms: a.norms, Filters: a.filters,
			Blocks: a.blocks}}
	for l, excluded := range c.Constraints.excludes {
		excluded.each(func(k literal) {
			if literal(l) < k {
				out.Excludes = append(out.Excludes, [2]literal{literal(l), k})
			}
		})
	}
	rows, _ := a.parts.Dims()
	for p := range rows {
		out.Appearance.Parts = append(out.Appearance.Parts, float32s(a.parts.RawRowView(p)))
	}
	for _, inverse := range a.inverse {
		n := inverse.SymmetricDim()
		var upper []float64
		for i := range n {
			for j := i; j < n; j++ {
				upper = append(upper, inverse.At(i, j))
			}
		}
		out.Appearance.Inverse = append(out.Appearance.Inverse, float32s(upper))
	}
	return json.NewEncoder(w).Encode(out)
}

func float32s(v []float64) []float32 {
	out := make([]float32, len(v))
	for i, x := range v {
		out[i] = float32(x)
	}
	return out
}

// ReadCheck reads what WriteJSON wrote. The error wraps ErrCheck and says what is wrong.
func ReadCheck(r io.Reader) (*Check, error) {
	var in checkJSON
	if err := json.NewDecoder(io.LimitReader(r, MaxBytes)).Decode(&in); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrCheck, err)
	}
	if in.Predicates < 1 || in.Predicates > maxPredicates {
		return nil, fmt.Errorf("%w: %d predicates, want 1 to %d", ErrCheck, in.Predicates,
			maxPredicates)
	}
	c := &Check{Thresholds: Thresholds{in.NegLogLikelihood, in.Distance}}
	if !(in.NegLogLikelihood > 0) || !(in.Distance > 0) {
		return nil, fmt.Errorf("%w: thresholds %g and %g, want more than 0", ErrCheck,
			in.NegLogLikelihood, in.Distance)
	}
	var err error
	if c.Constraints, err = in.constraints(); err != nil {
		return nil, err
	}
	c.Appearance, err = in.Appearance.read(in.Predicates)
	return c, err
}

func (in *checkJSON) constraints() (*Constraints, error) {
	n := 2 * in.Predicates
	c := &Constraints{predicates: in.Predicates, atLeast: in.AtLeast, excludes: make([]set, n)}
	for l := range c.excludes {
		c.excludes[l] = newSet(n)
	}
	known := func(l literal) bool { return l >= 0 && int(l) < n }
	for _, pair := range in.Excludes {
		if !known(pair[0]) || !known(pair[1]) || pair[0] >= pair[1] {
			return nil, fmt.Errorf("%w: literals %v exclude each other: want two of 0 to %d, ascending",
				ErrCheck, pair, n-1)
		}
		c.excludes[pair[0]].add(pair[1])
		c.excludes[pair[1]].add(pair[0])
	}
	for _, one := range in.AtLeast {
		for _, l := range one {
			if !known(l) {
				return nil, fmt.Errorf("%w: literal %d of a set, want 0 to %d", ErrCheck, l, n-1)
			}
		}
	}
	return c, nil
}

func (in *appearanceJSON) read(predicates int) (*Appearance, error) {
	const maxSide = 64
	if in.Side < blockSide || in.Side > maxSide || in.Side%blockSide != 0 {
		return nil, fmt.Errorf("%w: thumbnails of %d pixels", ErrCheck, in.Side)
	}
	a := &Appearance{side: in.Side, mean: in.Mean, norms: in.Norms, filters: in.Filters,
		blocks: in.Blocks}
	values, inBlock := 3*in.Side*in.Side, 3*blockSide*blockSide
	if len(in.Parts) != predicates+1 || len(in.Mean) != predicates || len(in.Norms) != predicates ||
		len(in.Filters[0]) != predicates || len(in.Filters[1]) != predicates ||
		len(in.Inverse) != a.blockCount() || len(in.Blocks) != a.blockCount() {
		return nil, fmt.Errorf("%w: the appearance is not that of %d predicates", ErrCheck, predicates)
	}
	a.parts = mat.NewDense(predicates+1, values, nil)
	for p, row := range in.Parts {
		if len(row) != values {
			return nil, fmt.Errorf("%w: part %d has %d values, want %d", ErrCheck, p, len(row), values)
		}
		for i, v := range row {
			a.parts.Set(p, i, float64(v))
		}
	}
	for b, upper := range in.Inverse {
		if len(upper) != inBlock*(inBlock+1)/2 {
			return nil, fmt.Errorf("%w: block %d has %d values", ErrCheck, b, len(upper))
		}
		inverse, k := mat.NewSymDense(inBlock, nil), 0
		for i := range inBlock {
			for j := i; j < inBlock; j++ {
				inverse.SetSym(i, j, float64(upper[k]))
				k++
			}
		}
		a.inverse = append(a.inverse, inverse)
	}
	for _, units := range []unit{in.Norms, in.Filters[0], in.Filters[1], in.Blocks} {
		for _, v := range units {
			if !(v > 0) || math.IsInf(v, 0) {
				return nil, fmt.Errorf("%w: a unit of %g, want more than 0", ErrCheck, v)
			}
		}
	}
	return a, nil
}
