package eval

import (
	"bytes"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	onnx "github.com/gomlx/compute-onnx/support/protos"

	"stripswm/models/bundle"
	"stripswm/models/imageplan"
	"stripswm/models/inference"
	"stripswm/models/inference/inferencetest"
	"stripswm/models/operators"
	"stripswm/models/pixels"
	"stripswm/models/strips"
	"stripswm/models/taskgraph"
	"stripswm/nodes/learn"
	"stripswm/nodes/sim"
)

// side of the networks' images, and of the camera's.
const side, shotSide = 16, 64

// views are the mean images of a world's states, which distinguish them without
// any training.
func views(truth *sim.Graph) [][]float64 {
	const shots = 8
	from := allOf(truth, Options{Size: shotSide, Nuisance: 1})
	var means [][]float64
	for _, s := range truth.States() {
		mean := make([]float64, side*side*3)
		for seed := range uint64(shots) {
			taken := must(from.image(s, 1<<39+seed, 1)())
			small := must(taken.Square(side, pixels.Letterbox))
			for i, v := range small.Pix {
				mean[i] += float64(v) / shots
			}
		}
		means = append(means, mean)
	}
	return means
}

// viewModel is an ONNX network that gives an image the row of the view that it
// is most like, or a mixture of rows: softmax(-distance² / spread) · rows.
func viewModel(means, rows [][]float64, spread float64) []byte {
	pixels, states, width := side*side*3, len(means), len(rows[0])
	weights, bias := make([]float64, pixels*states), make([]float64, states)
	var table []float64
	for s, mean := range means {
		for i, v := range mean {
			weights[i*states+s] = 2 * v / spread
			bias[s] -= v * v / spread
		}
		table = append(table, rows[s]...)
	}
	return inferencetest.Network(side, width, []*onnx.NodeProto{
		inferencetest.Node("Flatten", "flat", inferencetest.Pixels),
		inferencetest.Node("MatMul", "alike", "flat", "weights"),
		inferencetest.Node("Add", "logits", "alike", "bias"),
		inferencetest.Node("Softmax", "shares", "logits"),
		inferencetest.Node("MatMul", inference.OutputName, "shares", "rows"),
	}, inferencetest.Floats("weights", []int64{int64(pixels), int64(states)}, weights...),
		inferencetest.Floats("bias", []int64{int64(states)}, bias...), inferencetest.Floats("rows",
			[]int64{int64(states), int64(width)}, table...))
}

// dynamicsModel is an ONNX network that predicts what happens: the successor where
// an action applies, else no change.
func dynamicsModel(truth *sim.Graph, latents [][]float64) []byte {
	const sharp = 50
	states, actions := truth.States(), truth.World().NumActions()
	latent := map[sim.State][]float64{}
	for i, s := range states {
		latent[s] = latents[i]
	}
	weights, bias := make([]float64, 3*len(states)), make([]float64, len(states))
	var table []float64
	for i, s := range states {
		for k, v := range latents[i] {
			weights[k*len(states)+i] = 2 * sharp * v
			bias[i] -= sharp * v * v
		}
		for a := range actions {
			next, ok := truth.Next(s, strips.ActionID(a+1))
			if !ok {
				next = s
			}
			table = append(table, latent[next]...)
		}
	}
	return inferencetest.Dynamics(3, actions, []*onnx.NodeProto{
		inferencetest.Node("MatMul", "alike", inference.CodeName, "weights"),
		inferencetest.Node("Add", "logits", "alike", "bias"),
		inferencetest.Node("Softmax", "shares", "logits"),
		inferencetest.Node("MatMul", "flat", "shares", "rows"),
		inferencetest.Node("Reshape", inference.OutputName, "flat", "shape"),
	}, inferencetest.Floats("weights", []int64{3, int64(len(states))},
		weights...), inferencetest.Floats("bias", []int64{int64(len(states))}, bias...),
		inferencetest.Floats("rows", []int64{int64(len(states)), int64(3 * actions)}, table...),
		inferencetest.Ints("shape", int64(actions), 3))
}

// trueGraph is the ground truth as a learned task graph whose codes are three
// digits 0 to 2, the state's number.
func trueGraph(truth *sim.Graph) (g *taskgraph.Graph, latents [][]float64) {
	code := map[sim.State]string{}
	for i, s := range truth.States() {
		digits := []float64{float64(i / 9), float64(i / 3 % 3), float64(i % 3)}
		code[s] = fmt.Sprintf("%g%g%g", digits[0], digits[1], digits[2])
		latents = append(latents, []float64{digits[0] - 1, digits[1] - 1, digits[2] - 1})
	}
	labels := make([]string, truth.World().NumActions())
	for i := range labels {
		labels[i] = fmt.Sprint("a", i+1)
	}
	b := taskgraph.NewBuilder(labels)
	for _, e := range truth.Edges() {
		must(0, b.Observe(code[e.From], e.Action, code[e.To]))
	}
	return b.Graph(), latents
}

// learnt is what the tests' bundles have in common: operators of BlocksWorld's true
// graph, the encoder's latents and the mean image of each state.
type learnt struct {
	graph   *taskgraph.Graph
	model   *strips.Model
	latents [][]float64
	means   [][]float64
}

var common struct {
	once sync.Once
	learnt
}

func learntOnce(t testing.TB, w *sim.World, truth *sim.Graph) learnt {
	t.Helper()
	common.once.Do(func() {
		common.graph, common.latents = trueGraph(truth)
		r := must(operators.Learn(t.Context(), common.graph, operators.Options{
			Budget: 300 * time.Millisecond}))
		common.model, common.means = r.Model, views(truth)
	})
	return common.learnt
}

// newBundle is a bundle of BlocksWorld that was not trained: operators of the true
// graph, with the given exceptions, and networks that compare with the states'
// mean images. A role may be left out.
func newBundle(t testing.TB, w *sim.World, truth *sim.Graph, leave bundle.Role,
	exceptions ...strips.Exception,
) string {
	t.Helper()
	l := learntOnce(t, w, truth)
	g, means, latents := l.graph, l.means, l.latents
	learned := *l.model
	learned.Exceptions = exceptions
	nodes := g.Codes()
	codes := make([][]float64, len(means))
	for i, latent := range latents {
		node := nodes[codeOf(latent)]
		code, _ := learned.Code(node)
		for _, holds := range code.Bools() {
			codes[i] = append(codes[i], map[bool]float64{true: 1}[holds])
		}
	}
	var graph, model bytes.Buffer
	must(0, g.WriteJSON(&graph))
	must(0, learned.WriteJSON(&model))
	training := must(json.Marshal(learn.Training{Transitions: 36}))
	dir := filepath.Join(t.TempDir(), "bundle")
	b := must(bundle.Create(dir, bundle.Manifest{Image: &bundle.Image{Height: side, Width: side,
		Encoding: "rgb8", Resize: "area"}, Codes: &bundle.Codes{Levels: 3, Dims: 3}}))
	for _, p := range []struct {
		role, from bundle.Role
		file       string
		data       []byte
	}{
		{bundle.Graph, "", "graph.json", graph.Bytes()}, {bundle.Encoder, "", "encoder.onnx",
			viewModel(means, latents, 1e3)},
		{bundle.Dynamics, bundle.Encoder, "dynamics.onnx", dynamicsModel(truth, latents)},
		{bundle.Model, bundle.Graph, "model.json", model.Bytes()}, {bundle.Classifier, bundle.Model,
			"classifier.onnx", viewModel(means, codes, 2e4)},
		{bundle.Appearance, bundle.Graph, "looks.onnx", viewModel(means, distances(g, nodes, latents),
			2e4)},
		{learn.TrainingRole, "", "training.json", training},
	} {
		if leave != "" && (p.role == leave || p.from == leave) {
			continue
		}
		part := bundle.Part{Role: p.role, File: p.file}
		if p.from != "" {
			part.From = map[bundle.Role]string{p.from: ""}
		}
		must(0, b.Add(part, p.data))
	}
	must(b.Commit())
	return dir
}

// distances are, for each view, those of an image like it from the nodes: 0 from its own.
func distances(g *taskgraph.Graph, nodes map[string]strips.StateID,
	latents [][]float64,
) [][]float64 {
	var rows [][]float64
	for _, latent := range latents {
		row := slices.Repeat([]float64{2}, g.NumStates())
		row[nodes[codeOf(latent)]] = 0
		rows = append(rows, row)
	}
	return rows
}

// codeOf is the code of a latent of three dimensions.
func codeOf(latent []float64) string {
	return fmt.Sprintf("%g%g%g", latent[0]+1, latent[1]+1, latent[2]+1)
}

func open(t testing.TB, dir string) *imageplan.Planner {
	t.Helper()
	p := must(imageplan.Open(dir, imageplan.Options{}))
	t.Cleanup(func() { p.Close() })
	return p
}
