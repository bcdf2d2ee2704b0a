package vision

import (
	"fmt"
	"testing"

	ort "github.com/yalue/onnxruntime_go"

	"stripswm/models/dataset/datasettest"
	"stripswm/models/inference"
	"stripswm/models/networks"
	"stripswm/models/networks/networkstest"
)

// asGraph hides what backbone it is, so that our own kernels do not take it.
type asGraph struct{ networks.Backbone }

// TestEnginesAgree trains both stages for some steps on our kernels and as one graph.
func TestEnginesAgree(t *testing.T) {
	p := Medium()
	p.Batch, p.Classifier.Batch = 8, 4
	d := datasettest.Noise(t, p.ImageSize(), 5, 12)
	model, classifier := p.worldModel(d.Actions), Classifier{p.Backbone, 9, p.Classifier}
	batch, err := model.task(p.Batch).NewInputs()
	if err != nil {
		t.Fatal(err)
	}
	defer batch.Free()
	tr := &trainer{model: model, data: d, preset: p,
		sampler: newPairs(len(d.Transitions), p.Batch, 1)}
	targets := networkstest.Filled(t, make([]float32, 8*9), 8, 9)
	for i := range targets.GetData() {
		targets.GetData()[i] = float32(i % 3 % 2)
	}
	for name, test := range map[string]struct {
		networks.Task
		shares []float32
		input  networks.Inputs
	}{
		"stage 1": {model.task(p.Batch), model.Objective.shares(1000, 0), batch},
		"stage 3": {classifier.task(), nil,
			networks.Inputs{Images: batch.Images[:1], Extra: []ort.Value{targets}}},
	} {
		t.Run(name, func(t *testing.T) {
			ours, err := networks.NewEngine(test.Task, 1, 2, inference.Options{Threads: 2})
			if err != nil {
				t.Fatal(err)
			}
			defer ours.Close()
			whole := test.Task
			whole.Backbone = asGraph{whole.Backbone}
			graph, err := networks.NewEngine(whole, 1, 2, inference.Options{})
			if err != nil {
				t.Fatal(err)
			}
			defer graph.Close()
			for i, part := range ours.State() {
				copy(graph.State()[i], part)
			}
			for step := range 4 {
				tr.fill(step, batch)
				rates := test.Optimizer.Rates(step + 100)
				all := append(rates[:], test.shares...)
				got, err := ours.Step(all, test.input)
				if err != nil {
					t.Fatal(err)
				}
				want, err := graph.Step(all, test.input)
				if err != nil {
					t.Fatal(err)
				}
				networkstest.Near(t, fmt.Sprintf("step %d, metrics", step), got, want, 1e-4)
				for i, part := range ours.State() {
					networkstest.Near(t, fmt.Sprintf("step %d, state %d", step, i), part,
						graph.State()[i], 1e-3)
				}
			}
		})
	}
}
