package vision

import (
	"context"
	"slices"
	"strings"
	"testing"

	"stripswm/models/dataset/datasettest"
)

func TestClassifierLearnsPredicates(t *testing.T) {
	d, truth := datasettest.NewLamps(4).Transitions(400)
	targets := make([][]bool, len(truth))
	for i, on := range truth {
		targets[i] = []bool{on&1 == 1, on&2 == 2, on == 0 || on == 3}
	}
	targets[7] = nil // an image without a node
	learned, err := TrainClassifier(context.Background(), d, targets, 3, nil, tiny(),
		Options{Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	last := learned.History[len(learned.History)-1]
	if last.Exact < 0.99 || last.Bits < last.Exact {
		t.Errorf("the last point of the curve is %+v, want nearly all images right", last)
	}
}

func TestClassifierBeginsWithTheEncoder(t *testing.T) {
	d, _ := datasettest.NewLamps(4).Transitions(40)
	p := tiny()
	p.WorldModel.Steps = 20
	world, err := TrainWorldModel(context.Background(), d, p, Options{Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	targets := make([][]bool, d.Images())
	for i := range targets {
		targets[i] = []bool{true, false}
	}
	// it stays where it begins
	p.Classifier.Epochs, p.Classifier.Steps, p.Classifier.Patience, p.Classifier.LearningRate = 1,
		1, 1, 0
	learned, err := TrainClassifier(context.Background(), d, targets, 2, world.Backbone(), p,
		Options{Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	l := learned.Classifier.layout()
	head := l.Offset("head/w")
	if len(world.Backbone()) != head || !slices.Equal(learned.Weights[:head], world.Backbone()) {
		t.Error("stage 3 does not begin with all that the encoder has before its outputs")
	}
	if outputs := l.Of(learned.Weights, "head/w"); slices.Max(outputs) == 0 {
		t.Error("stage 3's outputs begin with zeros")
	}
	_, err = TrainClassifier(context.Background(), d, targets, 2, world.Backbone()[1:], p,
		Options{Seed: 1})
	if err == nil || !strings.Contains(err.Error(), "preset tiny") {
		t.Errorf("another preset's backbone: %v", err)
	}
}

func TestUnknownTargetsTrainNothing(t *testing.T) {
	d, truth := datasettest.NewLamps(4).Transitions(400)
	targets, images := make([][]float32, len(truth)), make([]int, len(truth))
	for i, on := range truth {
		images[i] = i
		targets[i] = []float32{float32(on & 1), float32(on >> 1 & 1)}
		if on&1 == 1 && i%4 > 0 { // a lamp that is on is mostly unknown, and the rest decides
			targets[i][0] = UnknownTarget
		}
	}
	learned, err := TrainPartial(context.Background(), d, Labels{Images: images, Targets: targets}, 2,
		nil, tiny(), Options{Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	logits, err := learned.Logits(context.Background(), d.Packed(0, d.Images()), Options{})
	if err != nil {
		t.Fatal(err)
	}
	wrong := 0
	for i, on := range truth {
		if (logits[2*i] > 0) != (on&1 == 1) || (logits[2*i+1] > 0) != (on&2 == 2) {
			wrong++
		}
	}
	if wrong > len(truth)/20 {
		t.Errorf("%d of %d images are wrong", wrong, len(truth))
	}
}
