package bundle_test

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"testing"

	onnx "github.com/gomlx/compute-onnx/support/protos"
	"google.golang.org/protobuf/proto"

	"stripswm/models/bundle"
	"stripswm/models/strips"
	"stripswm/models/taskgraph"
)

// The builders below make a small bundle: a corridor of n states that two actions walk along.

func graph(n int) *taskgraph.Graph {
	b := taskgraph.NewBuilder([]string{"left", "right"})
	for i := range n - 1 {
		here, there := fmt.Sprint(i), fmt.Sprint(i+1)
		must(b.Observe(here, 2, there))
		must(b.Observe(there, 1, here))
	}
	return b.Graph()
}

func graphJSON(n int) []byte { return bytesOf(graph(n).WriteJSON) }
func graphDFA(n int) []byte  { return bytesOf(graph(n).WriteDFA) }

func modelJSON(predicates, states int) []byte {
	m := strips.Model{Predicates: predicates, Operators: []strips.Operator{
		{Action: 1, Name: "left", Add: []strips.Predicate{0}},
		{Action: 2, Name: "right", Del: []strips.Predicate{0}},
	}}
	for s := range states {
		m.States = append(m.States, strips.Known{Node: strips.StateID(s),
			Code: strips.NewState(predicates)})
	}
	return bytesOf(m.WriteJSON)
}

// network is an ONNX file with weights, one input and one output; -1 is a symbolic dimension.
func network(input, output []int64) []byte {
	data, err := proto.Marshal(&onnx.ModelProto{IrVersion: 8, Graph: &onnx.GraphProto{
		Initializer: []*onnx.TensorProto{{RawData: bytes.Repeat([]byte{7}, 10_000)}},
		Input:       valueInfo("input", input), Output: valueInfo("output", output)}})
	must(err)
	return data
}

func classifier(side, predicates int64) []byte {
	return network([]int64{-1, side, side, 3}, []int64{-1, predicates})
}

func dynamics(actions, latent int64) []byte {
	return network([]int64{1, latent}, []int64{actions, latent})
}

func valueInfo(name string, shape []int64) []*onnx.ValueInfoProto {
	s := &onnx.TensorShapeProto{}
	for _, d := range shape {
		dim := &onnx.TensorShapeProto_Dimension{}
		if d >= 0 {
			dim.Value = &onnx.TensorShapeProto_Dimension_DimValue{DimValue: d}
		}
		s.Dim = append(s.Dim, dim)
	}
	return []*onnx.ValueInfoProto{{Name: name, Type: &onnx.TypeProto{Value: &onnx.TypeProto_TensorType{
		TensorType: &onnx.TypeProto_Tensor{Shape: s}}}}}
}

// learned is a manifest for 64x64 images and codes of 5 dimensions.
func learned() bundle.Manifest {
	return bundle.Manifest{
		Domain: "corridor", Preset: "small", Seed: 1,
		Versions: bundle.Versions{Program: "test", Go: "go1"},
		Inputs:   []bundle.Input{{Name: "corridor-bag", Bytes: 3, SHA256: bundle.Sum([]byte("bag"))}},
		Image:    &bundle.Image{Height: 64, Width: 64, Encoding: "rgb8", Resize: "area"},
		Codes:    &bundle.Codes{Levels: 5, Dims: 5},
	}
}

// A step adds something to a bundle being written.
type step func(*bundle.Writer) error

func part(role bundle.Role, file string, content []byte, from ...bundle.Role) step {
	p := bundle.Part{Role: role, File: file}
	for _, r := range from {
		if p.From == nil {
			p.From = map[bundle.Role]string{}
		}
		p.From[r] = ""
	}
	return func(w *bundle.Writer) error { return w.Add(p, content) }
}

// whole is all parts of a corridor of 4 states with 3 predicates.
func whole() []step {
	return []step{
		part(bundle.Encoder, "encoder.onnx", classifier(64, 5)),
		part(bundle.Graph, "graph.json", graphJSON(4), bundle.Encoder),
		part(bundle.GraphDFA, "graph.dfa", graphDFA(4)),
		part(bundle.Model, "model.json", modelJSON(3, 4), bundle.Graph),
		part(bundle.Classifier, "classifier.onnx", classifier(64, 3), bundle.Model),
		part(bundle.Dynamics, "dynamics.onnx", dynamics(2, 5), bundle.Encoder),
		part("training", "training.json", []byte("{}\n")),
	}
}

func write(dir string, m bundle.Manifest, steps ...step) (*bundle.Bundle, error) {
	w, err := bundle.Create(dir, m)
	if err != nil {
		return nil, err
	}
	defer w.Abort()
	for _, s := range steps {
		if err := s(w); err != nil {
			return nil, err
		}
	}
	return w.Commit()
}

func written(t testing.TB) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "bundle")
	if _, err := write(dir, learned(), whole()...); err != nil {
		t.Fatal(err)
	}
	return dir
}

func edit(t *testing.T, path string, change func([]byte) []byte) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, change(data), 0o644); err != nil {
		t.Fatal(err)
	}
}

func bytesOf(f func(io.Writer) error) []byte {
	var b bytes.Buffer
	must(f(&b))
	return b.Bytes()
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}
