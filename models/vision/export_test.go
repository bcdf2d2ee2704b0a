package vision

import (
	"context"
	"math/rand/v2"
	"testing"

	"stripswm/models/dataset/datasettest"
	"stripswm/models/networks"
)

// tinyBackbones are small and cover each layer.
var tinyBackbones = map[string]networks.Backbone{
	"isotropic": networks.Isotropic{Size: 8, Patch: 2, Dim: 3, Depth: 1, Kernel: 3, Expand: 2,
		Reduced: 2, Hidden: 4},
	"convnext": networks.ConvNeXt{Size: 10, Patch: 2, Dims: []int{3, 4}, Depths: []int{1, 1},
		Kernel: 3, Expand: 2},
	"grouped": networks.ConvNeXt{Size: 18, Patch: 2, Dims: []int{3}, Depths: []int{1}, Kernel: 5,
		Expand: 2},
}

// TestExportMatchesTraining runs exported networks of every backbone beside
// the graph they were trained in.
func TestExportMatchesTraining(t *testing.T) {
	for name, b := range tinyBackbones {
		t.Run(name, func(t *testing.T) {
			d := datasettest.Noise(t, b.ImageSize(), 4, 5)
			p := Small()
			p.Backbone = b
			m := p.worldModel(4)
			l := &Learned{Model: m, Teacher: m.layout().Initial(rand.New(rand.NewPCG(3, 4)))}
			model, err := l.Export()
			if err != nil {
				t.Fatal(err)
			}
			worst, err := l.Difference(context.Background(), model, d)
			if err != nil {
				t.Fatal(err)
			}
			if worst > 2e-5 {
				t.Errorf("largest difference %g", worst)
			}
			// The comparison must be able to fail.
			l.Teacher[0] += 0.5
			if worst, _ = l.Difference(context.Background(), model, d); worst < 1e-4 {
				t.Errorf("other weights go unnoticed: difference %g", worst)
			}
		})
	}
}
