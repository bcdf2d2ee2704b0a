package facts

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"stripswm/internal/spread"
	"stripswm/models/dataset"
	"stripswm/models/internal/principal"
	"stripswm/models/networks"
	"stripswm/models/pixels"
	"stripswm/models/vision"
)

const (
	// linearModes are the principal components of thumbnails that predicates are read from, at most.
	// With 120 of them one image in 25 of a camera under moving light and shadows is read wrong before
	// the constraints correct it, with 256 one in 700; more cost time.
	linearModes = 256
	// imagesPerMode is how many images there are for each component, at least.
	imagesPerMode = 4
	// componentImages are the images that the components are learned from, at most: the time grows
	// with the cube of their number.
	componentImages = 1024
	// linearRidge is the prior's weight of each coefficient, for components in standard deviations.
	linearRidge = 1
	// linearMisread is the share of held-out images that it reads wrong, at most, to be taken
	// without training a network: a plan needs two images, and one plan in a hundred would be
	// refused or wrong. Those held out have to show that it is more.
	linearMisread = 0.005
	// linearSteps are those of the fit: twice as many change the likelihood of images that nothing was
	// learned from by one in a hundred.
	linearSteps = 80
)

// trainLinear learns a classifier that is linear in the thumbnail of an image: logistic regression
// of each predicate on the principal components. Nil where images have no thumbnail, or
// are too few. The error is
// that of ctx.
func trainLinear(ctx context.Context, d *dataset.Dataset, images []int, targets [][]float32,
) (*vision.LearnedClassifier, error) {
	backbone := networks.Thumbnail{Size: d.Size}
	if backbone.Validate() != nil || len(images) == 0 {
		return nil, nil
	}
	x, mean := centred(d, images)
	n, values := x.Dims()
	modes := principal.Directions(selected(x, spread.Indices(n, componentImages)),
		min(linearModes, min(n, componentImages)/imagesPerMode))
	if modes == nil {
		return nil, nil
	}
	modes = principal.Extended(modes, tellingDirections(x, images, targets))
	k, m := modes.RawMatrix().Rows, len(targets[images[0]])
	var along mat.Dense
	along.Mul(x, modes.T())
	scale := make([]float64, k) // to standard deviations
	inputs := mat.NewDense(n, k+1, nil)
	for c := range scale {
		column := along.ColView(c)
		scale[c] = 1 / math.Sqrt(mat.Dot(column, column)/float64(n)+math.SmallestNonzeroFloat64)
	}
	for i := range n {
		row := inputs.RawRowView(i)
		for c, v := range along.RawRowView(i) {
			row[c] = v * scale[c]
		}
		row[k] = 1
	}
	wanted := make([][]float32, n)
	for i, image := range images {
		wanted[i] = targets[image]
	}
	w, err := logistic(ctx, inputs, wanted, m)
	if err != nil {
		return nil, err
	}
	// In terms of the thumbnail: first the weights [values, m], then the bias.
	for c := range k {
		row := w.RawRowView(c)
		for p := range row {
			row[p] *= scale[c]
		}
	}
	var kernel mat.Dense
	kernel.Mul(modes.T(), w.Slice(0, k, 0, m))
	var shift mat.VecDense
	shift.MulVec(kernel.T(), mat.NewVecDense(values, mean))
	flat := make([]float32, 0, (values+1)*m)
	for v := range values {
		for _, c := range kernel.RawRowView(v) {
			flat = append(flat, float32(c))
		}
	}
	for p := range m {
		flat = append(flat, float32(w.At(k, p)-shift.AtVec(p)))
	}
	return &vision.LearnedClassifier{
		Classifier: vision.Classifier{Backbone: backbone, Predicates: m}, Weights: flat,
	}, nil
}

// tellingDirections are, for each predicate, how images where it is true differ from those where it
// is not [m, values]: a small thing varies little beside large ones, and no component has it.
func tellingDirections(x *mat.Dense, images []int, targets [][]float32) *mat.Dense {
	_, values := x.Dims()
	all := mat.NewDense(len(targets[images[0]]), values, nil)
	for p := range all.RawMatrix().Rows {
		var n [2]float64
		sums := mat.NewDense(2, values, nil)
		for i, image := range images {
			if t := targets[image][p]; t != vision.UnknownTarget {
				n[int(t)]++
				floats.Add(sums.RawRowView(int(t)), x.RawRowView(i))
			}
		}
		if min(n[0], n[1]) > 0 {
			row := all.RawRowView(p)
			floats.AddScaled(row, 1/n[1], sums.RawRowView(1))
			floats.AddScaled(row, -1/n[0], sums.RawRowView(0))
		}
	}
	return all
}

// centred are the thumbnails of images less their mean [images, values].
func centred(d *dataset.Dataset, images []int) (x *mat.Dense, mean []float64) {
	for k, i := range images {
		t := pixels.NewThumbnail(d.Image(i), d.Size)
		if x == nil {
			x, mean = mat.NewDense(len(images), len(t), nil), make([]float64, len(t))
		}
		row := x.RawRowView(k)
		for v, value := range t {
			row[v] = float64(value)
			mean[v] += float64(value) / float64(len(images))
		}
	}
	for k := range images {
		row := x.RawRowView(k)
		for v := range row {
			row[v] -= mean[v]
		}
	}
	return x, mean
}

// selected are some rows.
func selected(x *mat.Dense, rows []int) *mat.Dense {
	_, n := x.Dims()
	s := mat.NewDense(len(rows), n, nil)
	for k, i := range rows {
		s.SetRow(k, x.RawRowView(i))
	}
	return s
}

// logistic fits m logistic regressions at once, whose targets are 0, 1 or unknown [rows][m], and
// returns the coefficients [columns, m]. The last column is constant, and has no prior. Each step
// minimizes a bound of the loss whose curvature is the same in all steps (Böhning and Lindsay
// 1988), from a point beyond the last one (Nesterov 1983).
func logistic(ctx context.Context, x *mat.Dense, targets [][]float32, m int) (*mat.Dense, error) {
	n, k := x.Dims()
	var curvature mat.SymDense
	curvature.SymOuterK(0.25, x.T())
	for c := range k - 1 {
		curvature.SetSym(c, c, curvature.At(c, c)+linearRidge)
	}
	curvature.SetSym(k-1, k-1, curvature.At(k-1, k-1)+math.SmallestNonzeroFloat64)
	var factor mat.Cholesky
	factor.Factorize(&curvature) // which the ridge makes positive
	w, last := mat.NewDense(k, m, nil), mat.NewDense(k, m, nil)
	var from, off, gradient, step mat.Dense
	for s := range linearSteps {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		from.Sub(w, last)
		from.Scale(float64(s)/float64(s+3), &from)
		from.Add(&from, w)
		off.Mul(x, &from)
		for i := range n {
			row := off.RawRowView(i)
			for p, v := range row {
				if row[p] = 0; targets[i][p] != vision.UnknownTarget {
					row[p] = float64(targets[i][p]) - 1/(1+math.Exp(-v))
				}
			}
		}
		gradient.Mul(x.T(), &off)
		for c := range k - 1 {
			row, at := gradient.RawRowView(c), from.RawRowView(c)
			for p := range row {
				row[p] -= linearRidge * at[p]
			}
		}
		if err := factor.SolveTo(&step, &gradient); err != nil {
			return nil, fmt.Errorf("fit predicates to images: %w", err)
		}
		last.Copy(w)
		w.Add(&from, &step)
	}
	return w, nil
}
