package vision

import (
	"fmt"

	g "github.com/gomlx/gomlx/core/graph"
)

// mlp describes a perceptron with one hidden size; its gradients are GoMLX's,
// since it is small beside the encoder.
type mlp struct {
	name   string
	hidden int
	layers int // hidden layers
}

func (m mlp) declare(l *layout, in, out int) {
	for i := range m.layers {
		l.dense(fmt.Sprintf("%s/%d", m.name, i), in, m.hidden, 2)
		in = m.hidden
	}
	l.dense(m.name+"/out", in, out, 1)
}

func (m mlp) apply(w *weights, x *g.Node) *g.Node {
	for i := range m.layers {
		x, _ = dense(w, fmt.Sprintf("%s/%d", m.name, i), x)
		x = g.MaxScalar(x, 0)
	}
	x, _ = dense(w, m.name+"/out", x)
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
