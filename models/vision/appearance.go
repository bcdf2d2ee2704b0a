package vision

import (
	"bytes"
	"cmp"
	"fmt"
	"image/jpeg"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"stripswm/models/pixels"
	"stripswm/models/strips"
)

// Appearance is what images of each node of a task graph look like, and how far an image
// is from that. An image may show a state that the networks name with certainty and still
// look like nothing that was recorded: an object is missing, or there is one too many.
//
// Everything is computed on the difference r of an image's thumbnail from the mean of a
// node's thumbnails. Images of one node differ by light, by where the camera hangs and by
// how objects lie in their places. These differences have few dimensions; what they explain
// is taken out of r (modes, probabilistic principal components). The distance is the
// greatest of three numbers, in units such that one in 200 held-out images exceeds 1:
//
//   - the mean square of what is left, over the thumbnail;
//   - the same over its worst block of 4x4;
//   - how much of a known change r contains, as a share of it: an object that a skill
//     moved away from here or to here, whole or half of it (changes, matched filters).
//
// The node's own images are held out from the modes and, one by one, from its mean.
type Appearance struct {
	size     int         // of images, pixels a side
	means    [][]float64 // of thumbnails, by node; nil where there is no image
	images   []int       // by node
	modes    modes
	variance []float64 // of what the modes leave, by value of a thumbnail
	changes  []change
	// whole, block and share are what one in 200 exceeds of the three numbers.
	whole, block, share float64
	// unit of a node is what one in 200 of its own held-out images exceeds, at least 1.
	unit []float64
}

// unlike is the distance to a node without images.
const unlike = 1e3

// Limits of an Appearance.
const (
	fitImages       = 2000 // from which modes are computed
	calibrateImages = 2000 // held out from these, from which the units are computed
	ownImages       = 40   // held out, of a node, from which it has a unit of its own
	// sensorNoise is the deviation, in grey levels, that counts as nothing also in a
	// recording without noise: JPEG compression alone makes it.
	sensorNoise = 3
)

// LearnAppearance takes nodes[i], the node of image i or -1, of a recording; states is |S|.
func LearnAppearance(d *Dataset, nodes []strips.StateID, states int) (*Appearance, error) {
	side, _ := lookShape(d.Size)
	n := side * side * 3
	a := &Appearance{size: d.Size, means: make([][]float64, states), images: make([]int, states)}
	light, count := 0.0, 0
	for image, s := range nodes {
		if s < 0 {
			continue
		}
		if a.means[s] == nil {
			a.means[s] = make([]float64, n)
		}
		a.images[s]++
		for i, v := range lookOf(d, image) {
			a.means[s][i] += float64(v)
			light += float64(v) / float64(n)
		}
		count++
	}
	for s, mean := range a.means {
		for i := range mean {
			mean[i] /= float64(a.images[s])
		}
	}
	several := a.inTurn(nodes)
	if len(several) == 0 {
		return nil, fmt.Errorf("appearance: %w: no state has two images", ErrData)
	}
	// A thumbnail of brightness b averages b/(b+1): this is the deviation in its units.
	noise := sensorNoise * (1 - light/float64(count))
	fit, held := alternate(several)
	residuals := a.residuals(d, fit[:min(len(fit), fitImages)], nodes)
	a.modes = newModes(residuals)
	a.variance = a.modes.rest(residuals, noise*noise)
	calibration := a.residuals(d, held[:min(len(held), calibrateImages)], nodes)
	a.changes = a.findChanges(d, nodes, calibration)
	a.calibrate(calibration, held, nodes)
	return a, nil
}

// alternate deals a list in two; one of a single image goes to both.
func alternate(list []int) (one, other []int) {
	for i, x := range list {
		if i%2 == 0 {
			one = append(one, x)
		} else {
			other = append(other, x)
		}
	}
	if len(other) == 0 {
		other = one
	}
	return one, other
}

// inTurn lists the images of nodes that have several, the first of each node first: a node
// that was visited often does not count for more.
func (a *Appearance) inTurn(nodes []strips.StateID) []int {
	type place struct{ turn, image int }
	var places []place
	turns := make([]int, len(a.images))
	for image, s := range nodes {
		if s >= 0 && a.images[s] > 1 {
			places = append(places, place{turns[s], image})
			turns[s]++
		}
	}
	slices.SortStableFunc(places, func(p, q place) int { return cmp.Compare(p.turn, q.turn) })
	images := make([]int, len(places))
	for i, p := range places {
		images[i] = p.image
	}
	return images
}

// residuals [images, values] are thumbnails about the mean of their node, as far from it as
// they would be if it had been computed without them. Every second image is compressed as
// JPEG before: a camera's driver, or whoever sends the image on, may do so.
func (a *Appearance) residuals(d *Dataset, images []int, nodes []strips.StateID) *mat.Dense {
	side, _ := lookShape(d.Size)
	r := mat.NewDense(len(images), side*side*3, nil)
	for k, image := range images {
		s, row := nodes[image], r.RawRowView(k)
		n := float64(a.images[s])
		without := math.Sqrt(n / (n - 1))
		pix := d.Image(image)
		if k%2 == 1 {
			pix = compressed(pix, d.Size)
		}
		for i, v := range lookOfPixels(pix, d.Size) {
			row[i] = without * (float64(v) - a.means[s][i])
		}
	}
	return r
}

// compressed is an image after JPEG of the usual quality.
func compressed(pix []uint8, size int) []uint8 {
	p := pixels.RGB{Width: size, Height: size, Pix: pix}
	var b bytes.Buffer
	if err := jpeg.Encode(&b, p.Image(), nil); err != nil {
		return pix
	}
	img, err := jpeg.Decode(&b)
	if err != nil {
		return pix
	}
	return pixels.FromImage(img).Pix
}

// calibrate computes the units of the distance. Numbers of recordings without noise are 0:
// the units are at least what sensorNoise makes.
func (a *Appearance) calibrate(residuals *mat.Dense, images []int, nodes []strips.StateID) {
	const leastWhole, leastBlock, leastShare = 1, 2, 1
	rows, _ := residuals.Dims()
	whole, block, share := make([]float64, rows), make([]float64, rows), make([]float64, rows)
	for k := range rows {
		r := residuals.RawRowView(k)
		whole[k], block[k] = a.left(a.modes.reduce(r))
		share[k] = a.most(r)
	}
	a.whole = max(leastWhole, rarely(slices.Clone(whole)))
	a.block = max(leastBlock, rarely(slices.Clone(block)))
	a.share = max(leastShare, rarely(slices.Clone(share)))
	greatest := make([]float64, rows)
	for k := range rows {
		greatest[k] = max(whole[k]/a.whole, block[k]/a.block, share[k]/a.share)
	}
	own := make([][]float64, len(a.means))
	for k, far := range greatest {
		own[nodes[images[k]]] = append(own[nodes[images[k]]], far)
	}
	all := max(1, rarely(greatest))
	for _, far := range own {
		unit := all
		if len(far) >= ownImages {
			unit = max(unit, rarely(far))
		}
		a.unit = append(a.unit, unit)
	}
}

// rarely is what one in 200 exceeds, by the median and what one in 20 exceeds of
// numbers whose logarithms are normal, so that a few misread images do not count.
func rarely(numbers []float64) float64 {
	slices.Sort(numbers)
	median, tail := numbers[len(numbers)/2], numbers[len(numbers)*19/20]
	if median == 0 {
		return tail
	}
	const deviations = 2.576 / 1.645
	return median * math.Pow(tail/median, deviations)
}

// blockSide is the side of a block, values of a thumbnail.
const blockSide = 4

// left is the root mean square of a reduced difference, in units of its deviation, over all
// of it and over its worst block.
func (a *Appearance) left(reduced []float64) (whole, worst float64) {
	side, _ := lookShape(a.size)
	across := (side + blockSide - 1) / blockSide
	sums, counts := make([]float64, across*across), make([]float64, across*across)
	for i, v := range reduced {
		pixel := i / 3
		block := pixel/side/blockSide*across + pixel%side/blockSide
		sums[block] += v * v / a.variance[i]
		counts[block]++
	}
	for k, sum := range sums {
		whole += sum / float64(len(reduced))
		worst = max(worst, sum/counts[k])
	}
	return math.Sqrt(whole), math.Sqrt(worst)
}

// most is the greatest share of a change in a difference, in units of the change's own.
func (a *Appearance) most(r []float64) (share float64) {
	for _, c := range a.changes {
		share = max(share, math.Abs(dot(c.filter, r)))
	}
	return share
}

// Distance is how far an image of a recording is from a node. One in 200 of the node's own
// images exceeds 1.
func (a *Appearance) Distance(d *Dataset, image int, s strips.StateID) float64 {
	if a.means[s] == nil {
		return unlike
	}
	r := make([]float64, len(a.means[s]))
	for i, v := range lookOf(d, image) {
		r[i] = float64(v) - a.means[s][i]
	}
	whole, block := a.left(a.modes.reduce(r))
	return max(whole/a.whole, block/a.block, a.most(r)/a.share) * a.scale(int(s))
}

// scale is 1 over the unit of a node, and over how much farther than held-out images a new
// one is from the mean of n: by 1 + 1/n of the variance.
func (a *Appearance) scale(s int) float64 {
	return 1 / (a.unit[s] * math.Sqrt(1+1/float64(max(1, a.images[s]))))
}
