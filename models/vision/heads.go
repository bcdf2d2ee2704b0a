package vision

import (
	"fmt"

	g "github.com/gomlx/gomlx/core/graph"

	"stripswm/models/networks"
)

// mlp describes a perceptron with one hidden size. Its gradients are automatic ones, since it is
// small compared with the encoder.
type mlp struct {
	name   string
	hidden int
	layers int // hidden layers
}

// head is a perceptron with the sizes of its input and output.
type head struct {
	mlp
	in, out int
}

func (h head) declare(l *networks.Layout) {
	in := h.in
	for i := range h.layers {
		l.Dense(fmt.Sprintf("%s/%d", h.name, i), in, h.hidden, 2)
		in = h.hidden
	}
	l.Dense(h.name+"/out", in, h.out, 1)
}

func (m mlp) apply(w *networks.Weights, x *g.Node) *g.Node {
	for i := range m.layers {
		x, _ = networks.Dense(w, fmt.Sprintf("%s/%d", m.name, i), x)
		x = g.MaxScalar(x, 0)
	}
	x, _ = networks.Dense(w, m.name+"/out", x)
	return x
}

// names lists the head's weights.
func (m mlp) names() []string {
	var names []string
	for i := range m.layers {
		names = append(names, fmt.Sprintf("%s/%d/w", m.name, i), fmt.Sprintf("%s/%d/b", m.name, i))
	}
	return append(names, m.name+"/out/w", m.name+"/out/b")
}
