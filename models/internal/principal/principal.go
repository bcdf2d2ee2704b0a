package principal

import (
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

const (
	// rounds of subspace iteration: enough where some directions stand out, and where none does any
	// directions are as good.
	rounds = 4
	// more directions than are wanted are followed, so that the last ones are found as well.
	more = 8
	// seed of the first directions.
	seed = 1
	// dependent is the share of a direction that is rounding where others span it.
	dependent = 1e-9
)

// Directions are the n directions [n, values] in which rows [rows, values] vary most around 0, by
// falling variance: orthonormal, but 0 where rows vary in fewer, and nil where there are none.
// Equal rows give equal directions (subspace iteration: Halko, Martinsson and Tropp 2011).
func Directions(rows *mat.Dense, n int) *mat.Dense {
	count, values := rows.Dims()
	n = min(n, count, values)
	if n <= 0 {
		return nil
	}
	rng := rand.New(rand.NewPCG(seed, uint64(n)))
	basis := mat.NewDense(min(n+more, count, values), values, nil)
	basis.Apply(func(_, _ int, _ float64) float64 { return rng.NormFloat64() }, basis)
	orthonormal(basis, 0)
	var along mat.Dense
	for range rounds {
		along.Mul(rows, basis.T())
		basis.Mul(along.T(), rows)
		orthonormal(basis, 0)
	}
	along.Mul(rows, basis.T())
	var scatter mat.SymDense
	scatter.SymOuterK(1, along.T())
	var eigen mat.EigenSym
	if !eigen.Factorize(&scatter, true) {
		return nil
	}
	var vectors mat.Dense
	eigen.VectorsTo(&vectors) // by rising value
	size := scatter.SymmetricDim()
	turn := mat.NewDense(n, size, nil)
	for k := range n {
		turn.SetRow(k, mat.Col(nil, size-1-k, &vectors))
	}
	var directions mat.Dense
	directions.Mul(turn, basis)
	return &directions
}

// Extended are orthonormal directions [n, values], and after them those of rows [m, values], as far
// as none before has them: 0 where nothing is left.
func Extended(directions, rows *mat.Dense) *mat.Dense {
	var all mat.Dense
	all.Stack(directions, rows)
	orthonormal(&all, directions.RawMatrix().Rows)
	return &all
}

// orthonormal makes rows orthonormal that span the same space (Gram and Schmidt, twice). Those
// before the given one are so already.
func orthonormal(m *mat.Dense, from int) {
	for k := from; k < m.RawMatrix().Rows; k++ {
		row := m.RawRowView(k)
		whole := floats.Norm(row, 2)
		for range 2 {
			for j := range k {
				floats.AddScaled(row, -floats.Dot(row, m.RawRowView(j)), m.RawRowView(j))
			}
		}
		left := floats.Norm(row, 2)
		if left <= dependent*whole {
			clear(row)
			continue
		}
		floats.Scale(1/left, row)
	}
}
