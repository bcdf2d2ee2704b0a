package imageplan_test

import (
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	onnx "github.com/gomlx/compute-onnx/support/protos"

	"stripswm/models/appearance"
	"stripswm/models/dataset"
	"stripswm/models/imageplan"
	"stripswm/models/inference"
	"stripswm/models/inference/inferencetest"
	"stripswm/models/pixels"
	"stripswm/models/strips"
	"stripswm/models/taskgraph/graphtest"
	"stripswm/models/vision"
)

// painted is an image of one colour whose lines are lighter and darker, with noise.
func painted(rng *rand.Rand, r, g, b, lines float64) pixels.RGB {
	const width, height = 20, 16
	p := pixels.RGB{Width: width, Height: height}
	for i := range width * height {
		light := lines
		if i/width/4%2 == 0 {
			light = -lines
		}
		for _, v := range []float64{r, g, b} {
			p.Pix = append(p.Pix, uint8(min(255, max(0, v+light+8*rng.Float64()-4))))
		}
	}
	return p
}

// gated is a planner that knows what the states of paint looked like. In its graph, black
// and yellow go by each other's code if they are swapped.
func gated(t *testing.T, swapped bool) *imageplan.Planner {
	t.Helper()
	return checkedBy(t, swapped, paintAppearance(t), imageplan.Options{})
}

func checkedBy(t *testing.T, swapped bool, appearance *inference.Network,
	o imageplan.Options,
) *imageplan.Planner {
	t.Helper()
	codes := []string{"222", "322", "332", "223"}
	if swapped {
		codes[0], codes[2] = codes[2], codes[0]
	}
	known := graphtest.Of([]string{"redden", "green", "wash"}, codes[0]+" 1 "+codes[1],
		codes[1]+" 2 "+codes[2], codes[2]+" 3 "+codes[0], codes[3]+" 1")
	const side = 4
	coder, err := vision.NewCoder(colourNetwork(side), vision.FSQ{Levels: 5, Dims: 3})
	if err != nil {
		t.Fatal(err)
	}
	p, err := imageplan.New(paint(), colourNetwork(side), o)
	if err != nil {
		t.Fatal(err)
	}
	imageplan.Checked(p, coder, known, appearance)
	t.Cleanup(func() { p.Close() })
	return p
}

// paintAppearance is what the states of paint looked like.
func paintAppearance(t *testing.T) *inference.Network {
	t.Helper()
	const side, each = 4, 50
	rng := rand.New(rand.NewPCG(1, 1))
	d := dataset.New(side, 3, 4*each)
	var nodes []strips.StateID
	for s, c := range [][3]float64{{60, 60, 60}, {190, 60, 60}, {190, 190, 60}, {60, 60, 190}} {
		for range each {
			small, err := painted(rng, c[0], c[1], c[2], 20).Square(side, pixels.Letterbox)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := d.AddImage(small.Pix); err != nil {
				t.Fatal(err)
			}
			nodes = append(nodes, strips.StateID(s))
		}
	}
	appearance, err := appearance.Learn(d, nodes, 4)
	if err != nil {
		t.Fatal(err)
	}
	exported, err := appearance.Export()
	if err != nil {
		t.Fatal(err)
	}
	network, err := inference.Open(exported, inference.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return network
}

func TestRecognitionCheck(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 2))
	upside := painted(rng, 190, 60, 60, -20)
	for name, c := range map[string]struct {
		swapped bool
		img     pixels.RGB
		want    imageplan.Refusal
		says    string
	}{
		"as recorded":    {false, painted(rng, 190, 60, 60, 20), imageplan.Accepted, ""},
		"darker":         {false, painted(rng, 160, 50, 50, 17), imageplan.Accepted, ""},
		"a covered lens": {false, colour(60, 60, 60), imageplan.Blank, "lens"},
		"what no state is": {false, painted(rng, 190, 190, 190, 20), imageplan.Unknown,
			"not one the model knows"},
		"what the encoder calls other": {true, painted(rng, 60, 60, 60, 20), imageplan.Inconsistent,
			"the classifier sees state 0, the encoder state 2"},
		"another state than those two": {true, painted(rng, 60, 60, 190, 20), imageplan.Accepted, ""},
		"upside down": {false, upside, imageplan.OutOfDistribution,
			"nothing like this was recorded"},
		"half way": {false, painted(rng, 190, 128, 60, 20),
			imageplan.OutOfDistribution, "as its own images"},
	} {
		r, err := gated(t, c.swapped).Recognize(c.img)
		if err != nil {
			t.Fatal(err)
		}
		if r.Refusal != c.want || r.Known() != (c.want == imageplan.Accepted) ||
			!strings.Contains(r.Explain(), c.says) {
			t.Errorf("%s: refusal %q (%s), want %q; distance %g, encoded %v", name, r.Refusal, r.Explain(),
				c.want, r.Distance, r.Encoded)
		}
	}
}

// TestGreatestDistance accepts what is out of distribution as far as the limit says.
func TestGreatestDistance(t *testing.T) {
	upside := painted(rand.New(rand.NewPCG(2, 2)), 190, 60, 60, -20)
	appearance, thresholds := paintAppearance(t), imageplan.DefaultThresholds()
	for _, want := range []imageplan.Refusal{imageplan.OutOfDistribution, imageplan.Accepted} {
		r, err := checkedBy(t, false, appearance, imageplan.Options{Thresholds: thresholds}).Recognize(
			upside)
		if err != nil {
			t.Fatal(err)
		}
		if r.Refusal != want {
			t.Errorf("limit %g: refusal %q of an image at %g, want %q", thresholds.Distance, r.Refusal,
				r.Distance, want)
		}
		thresholds.Distance = 2 * r.Distance // in place of the bundle's 1
	}
}

// TestRecognitionCheckOnKnownStates has new images as recorded: hardly any is refused.
func TestRecognitionCheckOnKnownStates(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 3))
	p := gated(t, false)
	for range 200 {
		r, err := p.Recognize(painted(rng, 60, 60, 190, 20))
		if err != nil {
			t.Fatal(err)
		}
		if !r.Known() || !slices.Equal(r.Place.Nodes, []strips.StateID{3}) {
			t.Fatalf("%s", r.Explain())
		}
	}
}

// TestRecognitionCheckWithoutADistance has a bundle of before a noise-free recording gave a
// distance.
func TestRecognitionCheckWithoutADistance(t *testing.T) {
	appearance, err := inference.Open(inferencetest.OfMeans(4, 3, []*onnx.NodeProto{
		inferencetest.Node("Sub", "zero", inferencetest.Mean, inferencetest.Mean),
		inferencetest.Node("Div", inference.OutputName, "zero", "zero"),
	}), inference.Options{})
	if err != nil {
		t.Fatal(err)
	}
	p := checkedBy(t, false, appearance, imageplan.Options{})
	img := painted(rand.New(rand.NewPCG(2, 2)), 190, 60, 60, 20)
	r, err := p.Plan(t.Context(), img, img)
	if !errors.Is(err, inference.ErrOutput) ||
		!strings.Contains(err.Error(), "learn its bundle again") {
		t.Errorf("%v, %v: want that the bundle cannot be used", r.Start.Refusal, err)
	}
}

// TestTrust has no bundle: what the classifier says is all there is.
func TestTrust(t *testing.T) {
	p := newPlanner(t, imageplan.Options{Thresholds: imageplan.Thresholds{Confidence: 0.6}})
	for img, want := range map[*pixels.RGB]imageplan.Refusal{&red: imageplan.Accepted,
		&grey: imageplan.LowConfidence, &white: imageplan.Unknown} {
		r, err := p.Recognize(*img)
		if err != nil || r.Refusal != want {
			t.Errorf("%q (%s), %v, want %q", r.Refusal, r.Explain(), err, want)
		}
	}
}
