package vision

import (
	"fmt"
	"math"
	"slices"

	"github.com/gomlx/compute/dtypes"
	g "github.com/gomlx/gomlx/core/graph"

	"stripswm/models/strips"
)

// Looks is what each node of a task graph looks like: the mean of its pictures' looks,
// and how far pictures are from it. A picture may show a state that the networks
// name with certainty and still look like nothing that was recorded.
//
// The distance of a look to a node is the mean square over pixels and channels, each by
// the variance of pictures about their nodes, over the whole look and over the worst of
// its blocks, in units of what one of the node's own pictures in 200 exceeds. That is
// found by leaving each picture out of its node's mean.
type Looks struct {
	size          int         // of pictures
	means         [][]float64 // by node; nil where it has no picture
	pictures      []int       // by node
	variance      []float64   // by pixel and channel, with the average added; see LearnLooks
	whole, blocks float64     // distance, and the greatest of a block, that one in 200 exceeds
}

// unlike is the distance to a node without pictures.
const unlike = 1e3

// LearnLooks takes nodes[i], the node of image i or -1, of a recording; states is |S|.
func LearnLooks(d *Dataset, nodes []strips.StateID, states int) (*Looks, error) {
	side, _ := lookShape(d.Size)
	n := side * side * 3
	l := &Looks{size: d.Size, means: make([][]float64, states), pictures: make([]int, states), variance: make([]float64, n)}
	piles := make([]*pile, states)
	for image, s := range nodes {
		if s >= 0 {
			if piles[s] == nil {
				piles[s] = newPile(n)
			}
			piles[s].add(pileOf([]look{lookOf(d, image)}))
		}
	}
	free, average, light, count := 0, 0.0, 0.0, 0
	for s, p := range piles {
		if p == nil {
			continue
		}
		l.means[s], l.pictures[s] = make([]float64, n), p.n
		for i, x := range p.sum {
			l.means[s][i] = x / float64(p.n)
			light += x / float64(n)
			l.variance[i] += p.squares[i] - x*x/float64(p.n)
		}
		free, count = free+p.n-1, count+p.n
	}
	if free == 0 {
		return nil, fmt.Errorf("looks: %w: no state has two pictures", ErrData)
	}
	for i := range l.variance {
		l.variance[i] = max(l.variance[i], 0) / float64(free)
		average += l.variance[i] / float64(n)
	}
	// A picture without noise still rounds: by half a grey level, over the mean brightness + 1. A
	// look of brightness b averages b/(b+1).
	half, least := 0.5*(1-light/float64(count)), 0.0
	for i := range l.variance {
		l.variance[i] = max(l.variance[i]+average, half*half)
		least += half * half / l.variance[i] / float64(n)
	}
	least = math.Sqrt(least)
	var whole, blocks []float64
	for image, s := range nodes {
		if s >= 0 && l.pictures[s] > 1 {
			a, b := l.apart(lookOf(d, image), s)
			n := float64(l.pictures[s])
			without := math.Sqrt((n + 1) / (n - 1)) // of the mean without the picture, and as new
			whole, blocks = append(whole, max(a*without, least)), append(blocks, max(b*without, least))
		}
	}
	l.whole, l.blocks = rarely(whole), rarely(blocks)
	return l, nil
}

// rarely is what one in 200 exceeds, by the median and what one in 20 exceeds of
// numbers whose logarithms are normal, so that a few misread pictures do not count.
func rarely(distances []float64) float64 {
	slices.Sort(distances)
	median, tail := distances[len(distances)/2], distances[len(distances)*19/20]
	const deviations = 2.576 / 1.645
	return median * math.Pow(tail/median, deviations)
}

// blockSide divides a look in blocks.
const blockSide = 8

// apart is the distance of a look to a node, over all of it and over its worst block.
func (l *Looks) apart(x look, s strips.StateID) (whole, worst float64) {
	side, _ := lookShape(l.size)
	across := (side + blockSide - 1) / blockSide
	sums, counts := make([]float64, across*across), make([]float64, across*across)
	for i, v := range x {
		pixel := i / 3
		block := pixel/side/blockSide*across + pixel%side/blockSide
		from := float64(v) - l.means[s][i]
		sums[block] += from * from / l.variance[i]
		counts[block]++
	}
	for k, sum := range sums {
		whole += sum / float64(len(x))
		worst = max(worst, sum/counts[k])
	}
	as := 1 + 1/float64(l.pictures[s]) // the variance of a new picture about the mean
	return math.Sqrt(whole / as), math.Sqrt(worst / as)
}

// Distance is how far an image of a recording is from a node, in units of what one of
// its own pictures in 200 exceeds.
func (l *Looks) Distance(d *Dataset, image int, s strips.StateID) float64 {
	if l.means[s] == nil {
		return unlike
	}
	whole, worst := l.apart(lookOf(d, image), s)
	return max(whole/l.whole, worst/l.blocks)
}

// Export returns the distances as an ONNX network: images in, the distance to each
// node [n, |S|] out.
func (l *Looks) Export() ([]byte, error) {
	side, pool := lookShape(l.size)
	across := (side + blockSide - 1) / blockSide
	model, err := exportOfImages(l.size, func(images *g.Node) *g.Node {
		graph, n := images.Graph(), images.Shape().Dimensions[0]
		x := g.ConvertDType(images, dtypes.Float32)
		x = g.Slice(x, g.AxisRange(), g.AxisRange(0, side*pool), g.AxisRange(0, side*pool), g.AxisRange())
		x = g.ReduceMean(g.Reshape(x, n, side, pool, side, pool, 3), 2, 4)
		light := g.AddScalar(g.ReduceMean(x, 1, 2, 3), 1)
		x = g.Div(x, g.Reshape(light, n, 1, 1, 1))
		var whole, worst *g.Node
		for block := range across * across {
			top, left := block/across*blockSide, block%across*blockSide
			bottom, right := min(top+blockSide, side), min(left+blockSide, side)
			var values []int // of a look, in the order of the part
			for y := top; y < bottom; y++ {
				for i := 3 * (y*side + left); i < 3*(y*side+right); i++ {
					values = append(values, i)
				}
			}
			part := g.Slice(x, g.AxisRange(), g.AxisRange(top, bottom), g.AxisRange(left, right), g.AxisRange())
			sum := l.squares(graph, g.Reshape(part, n, len(values)), values)
			mean := g.DivScalar(sum, float64(len(values)))
			if whole == nil {
				whole, worst = sum, mean
				continue
			}
			whole, worst = g.Add(whole, sum), g.Max(worst, mean)
		}
		whole = g.DivScalar(whole, float64(side*side*3)*l.whole*l.whole)
		worst = g.DivScalar(worst, l.blocks*l.blocks)
		return g.Add(g.Sqrt(g.MaxScalar(g.Max(whole, worst), 0)), expandTo(l.missing(graph), 2))
	})
	if err != nil {
		return nil, fmt.Errorf("looks: %w", err)
	}
	return model, nil
}

// squares is the sum of squares [n, |S|] of a part [n, values] of looks from each node's
// mean.
func (l *Looks) squares(graph *g.Graph, part *g.Node, values []int) *g.Node {
	var middle, scale []float32 // by value
	for _, i := range values {
		sum, known := 0.0, 0.0
		for _, mean := range l.means {
			if mean != nil {
				sum += mean[i]
				known++
			}
		}
		middle, scale = append(middle, float32(sum/known)), append(scale, float32(1/math.Sqrt(l.variance[i])))
	}
	var weights [][]float32 // of the values, by node
	var offset, as []float32
	for s, mean := range l.means {
		row, square := make([]float32, len(values)), 0.0
		for k, i := range values {
			if mean != nil {
				v := (mean[i] - float64(middle[k])) * float64(scale[k])
				row[k] = float32(v)
				square += v * v
			}
		}
		weights, offset = append(weights, row), append(offset, float32(square))
		as = append(as, float32(1/(1+1/float64(max(1, l.pictures[s])))))
	}
	// relative to the middle of all nodes, so that little is lost in |a|^2 - 2ab + |b|^2
	z := g.Mul(g.Sub(part, expandTo(g.Const(graph, middle), 2)), expandTo(g.Const(graph, scale), 2))
	own := g.Reshape(g.ReduceSum(g.Square(z), 1), part.Shape().Dimensions[0], 1)
	both := g.MulScalar(contractLast(z, g.Const(graph, weights), 1), 2)
	sum := g.Add(g.Sub(own, both), expandTo(g.Const(graph, offset), 2))
	return g.Mul(sum, expandTo(g.Const(graph, as), 2))
}

// missing is what nodes without pictures are farther [|S|].
func (l *Looks) missing(graph *g.Graph) *g.Node {
	far := make([]float32, len(l.means))
	for s, mean := range l.means {
		if mean == nil {
			far[s] = unlike
		}
	}
	return g.Const(graph, far)
}
