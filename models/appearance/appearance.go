package appearance

import (
	"bytes"
	"cmp"
	"fmt"
	"image/jpeg"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"stripswm/models/dataset"
	"stripswm/models/pixels"
	"stripswm/models/strips"
)

// Model is what images of each node of a task graph look like. It measures the distance of an image
// from a node. An image that the networks classify with certainty may still be unlike all recorded
// ones: an object is missing, or there is one too many.
//
// Everything is computed on the difference r of a thumbnail from the mean of a node's thumbnails.
// Images of one node differ by light, by the position of the camera and by how objects lie. These
// differences have few dimensions (modes: probabilistic principal components), which are taken out
// of r. A difference has these measures:
//
//   - the mean square of the rest, over the thumbnail;
//   - the same over each block of 4x4;
//   - for each known change, its share in r: an object that a skill moved away or to here,
//     or half of it (findParts, matched filters).
//
// Each measure has a unit for each node. The distance is the greatest measure in its unit. The
// units are computed on images that are held out from modes and filters, and one by one from the
// mean of their node (cross-validation with two folds).
type Model struct {
	size   int         // of images, pixels a side
	means  [][]float64 // of thumbnails, by node; nil where there is no image
	images []int       // by node
	differences
	units [][]float64 // by node and measure
}

// unknownDistance is the distance to a node without images.
const unknownDistance = 1e3

// Learn models the images of a recording; nodes[i] is the node of image i or -1, states is |S|.
func Learn(d *dataset.Dataset, nodes []strips.StateID, states int) (*Model, error) {
	side, _ := pixels.ThumbnailShape(d.Size)
	n := side * side * 3
	a := &Model{size: d.Size, means: make([][]float64, states), images: make([]int, states)}
	light, count := 0.0, 0
	for image, s := range nodes {
		if s < 0 {
			continue
		}
		if a.means[s] == nil {
			a.means[s] = make([]float64, n)
		}
		a.images[s]++
		for i, v := range pixels.NewThumbnail(d.Image(image), d.Size) {
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
		return nil, fmt.Errorf("appearance: %w: no state has two images", dataset.ErrData)
	}
	// A thumbnail of brightness b averages b/(b+1): this is the deviation in its units.
	noise := sensorNoise * (1 - light/float64(count))
	var of []strips.StateID // the node of each row of the folds
	var halves, sent [2]*mat.Dense
	for k, images := range alternate(several) {
		halves[k] = a.residuals(d, images, nodes, false)
		sent[k] = a.residuals(d, images, nodes, true)
		for _, image := range images {
			of = append(of, nodes[image])
		}
	}
	var all mat.Dense
	all.Stack(halves[0], halves[1])
	a.differences = learnDifferences(&all, noise)
	parts := a.findParts(d, nodes)
	var measured [][]float64
	for k := range halves {
		other := learnDifferences(halves[1-k], noise)
		other.addFilters(parts)
		measured = append(measured, other.measureRows(sent[k], side)...)
	}
	a.addFilters(parts)
	a.calibrate(measured, of)
	return a, nil
}

// alternate deals a list of at least two into two folds.
func alternate(list []int) (halves [2][]int) {
	for i, x := range list[:min(len(list), 2*halfImages)] {
		halves[i%2] = append(halves[i%2], x)
	}
	return halves
}

// inTurn lists the images of nodes with several images, the first image of each node first, so that
// nodes that were visited often do not count for more.
func (a *Model) inTurn(nodes []strips.StateID) []int {
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

// residuals [images, values] are the differences of thumbnails from the mean of their node, as
// large as if the mean had been computed without them. With sent, each second image is compressed
// before, as JPEG: the driver of a camera, or whoever sends the image on, may do so.
func (a *Model) residuals(d *dataset.Dataset, images []int, nodes []strips.StateID,
	sent bool) *mat.Dense {
	side, _ := pixels.ThumbnailShape(d.Size)
	r := mat.NewDense(len(images), side*side*3, nil)
	for k, image := range images {
		s, row := nodes[image], r.RawRowView(k)
		n := float64(a.images[s])
		without := math.Sqrt(n / (n - 1))
		pix := d.Image(image)
		if sent && k%2 == 1 {
			pix = compressed(pix, d.Size)
		}
		for i, v := range pixels.NewThumbnail(pix, d.Size) {
			row[i] = without * (float64(v) - a.means[s][i])
		}
	}
	return r
}

// compressed is an image after JPEG. It is small already: a larger image loses as much at quality
// 75.
func compressed(pix []uint8, size int) []uint8 {
	p := pixels.RGB{Width: size, Height: size, Pix: pix}
	var b bytes.Buffer
	if err := jpeg.Encode(&b, p.Image(), &jpeg.Options{Quality: 90}); err != nil {
		return pix
	}
	img, err := jpeg.Decode(&b)
	if err != nil {
		return pix
	}
	return pixels.FromImage(img).Pix
}

// Distance is how far an image of a recording is from a node. One in 200 of the node's own images
// exceeds 1.
func (a *Model) Distance(d *dataset.Dataset, image int, s strips.StateID) (far float64) {
	if a.means[s] == nil {
		return unknownDistance
	}
	r := make([]float64, len(a.means[s]))
	for i, v := range pixels.NewThumbnail(d.Image(image), d.Size) {
		r[i] = float64(v) - a.means[s][i]
	}
	side, _ := pixels.ThumbnailShape(a.size)
	for m, v := range a.measures(r, side) {
		far = max(far, v/a.units[s][m])
	}
	return far
}
