package networks

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	g "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
)

// slot is one weight's place in the flat parameter vector.
type slot struct {
	name   string
	shape  []int
	offset int
	std    float64 // of the normal distribution it starts from; 0 starts at zero
	decay  bool    // whether weight decay applies: to matrices and kernels, not to biases
}

func (s slot) size() int {
	n := 1
	for _, d := range s.shape {
		n *= d
	}
	return n
}

// Layout places every weight of a network in one flat vector. One vector makes
// the optimiser and the moving average a dozen operations in all, and a
// checkpoint one array.
type Layout struct {
	slots []slot
	index map[string]int
	total int
}

// Add reserves a weight. A network that asks for one name twice is a bug.
func (l *Layout) Add(name string, std float64, shape ...int) {
	if l.index == nil {
		l.index = map[string]int{}
	}
	if _, ok := l.index[name]; ok {
		panic(fmt.Sprintf("networks: weight %q is declared twice", name))
	}
	s := slot{name: name, shape: shape, offset: l.total, std: std, decay: len(shape) > 1}
	l.index[name] = len(l.slots)
	l.slots = append(l.slots, s)
	l.total += s.size()
}

// slot is the number of a weight's slot.
func (l *Layout) slot(name string) int {
	i, ok := l.index[name]
	if !ok {
		panic(fmt.Sprintf("networks: no weight %q", name))
	}
	return i
}

// Count is how many numbers the weights are.
func (l *Layout) Count() int { return l.total }

// Names are those of the weights, in their order.
func (l *Layout) Names() []string {
	names := make([]string, len(l.slots))
	for i, s := range l.slots {
		names[i] = s.name
	}
	return names
}

// Of is the weights of that name in a flat vector [total].
func (l *Layout) Of(flat []float32, name string) []float32 {
	s := l.slots[l.slot(name)]
	return flat[s.offset : s.offset+s.size()]
}

// Offset is where the weights of that name begin in a flat vector.
func (l *Layout) Offset(name string) int { return l.slots[l.slot(name)].offset }

// Dense reserves the weights of a dense layer, started with variance gain/in.
func (l *Layout) Dense(name string, in, out int, gain float64) {
	l.Add(name+"/w", math.Sqrt(gain/float64(in)), in, out)
	l.Add(name+"/b", 0, out)
}

// Initial draws the starting weights [total].
func (l *Layout) Initial(rng *rand.Rand) []float32 {
	flat := make([]float32, l.total)
	for _, s := range l.slots {
		if s.std == 0 {
			continue
		}
		for i := range s.size() {
			flat[s.offset+i] = float32(s.std * rng.NormFloat64())
		}
	}
	return flat
}

// decayMask is 1 where weight decay applies [total].
func (l *Layout) decayMask() []float32 {
	mask := make([]float32, l.total)
	for _, s := range l.slots {
		if s.decay {
			for i := range s.size() {
				mask[s.offset+i] = 1
			}
		}
	}
	return mask
}

// Weights are a layout's weights as nodes of one graph.
type Weights struct {
	layout *Layout
	nodes  []*g.Node
	// inference prefers the operators that run one image fastest to those that
	// train fastest.
	inference bool
}

// Split cuts the flat vector [total] into weights.
func (l *Layout) Split(flat *g.Node) *Weights {
	w := &Weights{layout: l, nodes: make([]*g.Node, len(l.slots))}
	for i, s := range l.slots {
		w.nodes[i] = g.Reshape(g.Slice(flat, g.AxisRange(s.offset, s.offset+s.size())), s.shape...)
	}
	return w
}

// Constants puts given weights [total] into a graph for inference.
func (l *Layout) Constants(graph *g.Graph, flat []float32) *Weights {
	w := &Weights{layout: l, nodes: make([]*g.Node, len(l.slots)), inference: true}
	for i, s := range l.slots {
		w.nodes[i] = g.ConstTensor(graph,
			tensors.FromFlatDataAndDimensions(flat[s.offset:s.offset+s.size()], s.shape...))
	}
	return w
}

func (w *Weights) At(name string) *g.Node { return w.nodes[w.layout.slot(name)] }

// Gradients collects the derivative of the loss by each weight, summed over
// the weight's uses.
type Gradients struct {
	Weights *Weights
	nodes   []*g.Node
}

func NewGradients(w *Weights) *Gradients {
	return &Gradients{Weights: w, nodes: make([]*g.Node, len(w.nodes))}
}

func (d *Gradients) Add(name string, node *g.Node) {
	i := d.Weights.layout.slot(name)
	node = g.Reshape(node, d.Weights.layout.slots[i].shape...)
	if d.nodes[i] != nil {
		node = g.Add(d.nodes[i], node)
	}
	d.nodes[i] = node
}

// Flat joins the gradients by the weights from an offset on into one vector; an unused
// weight is a bug.
func (d *Gradients) Flat(from int) *g.Node {
	var parts []*g.Node
	for i, node := range d.nodes {
		s := d.Weights.layout.slots[i]
		if s.offset < from {
			continue
		}
		if node == nil {
			panic(fmt.Sprintf("networks: weight %q has no gradient", s.name))
		}
		parts = append(parts, g.Reshape(node, s.size()))
	}
	if len(parts) == 0 { // a tensor needs a number
		return g.Zeros(d.Weights.nodes[0].Graph(), shapes.Make(dtypes.Float32, 1))
	}
	return g.Concatenate(parts, 0)
}
