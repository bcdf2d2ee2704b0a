package imageplan_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"stripswm/models/imageplan"
	"stripswm/models/inference"
	"stripswm/models/pixels"
	"stripswm/models/planner"
	"stripswm/models/strips"
)

// colour is an image of one colour, which is the state: a predicate a channel.
func colour(r, g, b uint8) pixels.RGB {
	return pixels.RGB{Width: 20, Height: 10, Pix: slices.Repeat([]uint8{r, g, b}, 200)}
}

var (
	black  = colour(0, 0, 0)
	red    = colour(255, 0, 0)
	yellow = colour(255, 255, 0)
	blue   = colour(0, 0, 255)
	grey   = colour(255, 128, 0)   // between red and yellow
	white  = colour(255, 255, 255) // a state that the model does not know
)

// anything trusts images of one colour, too.
var anything = imageplan.Thresholds{Confidence: 0.5}

// paint is a model in which red must come before green, and blue stands alone.
func paint() *strips.Model {
	m := &strips.Model{Predicates: 3, Operators: []strips.Operator{
		{Action: 1, Name: "redden", PreNeg: []strips.Predicate{0, 2}, Add: []strips.Predicate{0}},
		{Action: 2, Name: "green", PrePos: []strips.Predicate{0}, PreNeg: []strips.Predicate{1},
			Add: []strips.Predicate{1}},
		{Action: 3, Name: "wash", PrePos: []strips.Predicate{0}, Del: []strips.Predicate{0, 1}},
	}}
	for i, code := range []string{"000", "100", "110", "001"} {
		s, err := strips.ParseState(code)
		if err != nil {
			panic(err)
		}
		m.States = append(m.States, strips.Known{Node: strips.StateID(i), Code: s})
	}
	return m
}

func newPlanner(t testing.TB, o imageplan.Options) *imageplan.Planner {
	t.Helper()
	if o.Thresholds == (imageplan.Thresholds{}) {
		o.Thresholds = anything
	}
	p, err := imageplan.New(paint(), colourNetwork(4), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.Close() })
	return p
}

func TestPlanFromImages(t *testing.T) {
	for name, c := range map[string]struct {
		start, goal pixels.RGB
		outcome     planner.Outcome
		plan        []strips.ActionID
	}{
		"there already":    {red, red, planner.Found, nil},
		"two steps":        {black, yellow, planner.Found, []strips.ActionID{1, 2}},
		"back and forth":   {yellow, red, planner.Found, []strips.ActionID{3, 1}},
		"cannot be made":   {black, blue, planner.Unsolvable, nil},
		"nothing left: 11": {blue, red, planner.Unsolvable, nil},
	} {
		t.Run(name, func(t *testing.T) {
			r, err := newPlanner(t, imageplan.Options{}).Plan(context.Background(), c.start, c.goal)
			if err != nil {
				t.Fatal(err)
			}
			if r.Outcome != c.outcome || !slices.Equal(r.Plan, c.plan) {
				t.Errorf("%v %v, want %v %v", r.Outcome, r.Plan, c.outcome, c.plan)
			}
		})
	}
}

func TestUnknownStateIsExplained(t *testing.T) {
	p := newPlanner(t, imageplan.Options{})
	_, err := p.Plan(context.Background(), black, white)
	if !errors.Is(err, imageplan.ErrUnrecognized) {
		t.Fatalf("error %v, want ErrUnrecognized", err)
	}
	for _, want := range []string{"goal", "111", "p2=1.00", "node 2", "110", "1 predicate"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%q does not say %q", err, want)
		}
	}
	if _, err := p.Plan(context.Background(), white, black); err == nil ||
		!strings.HasPrefix(err.Error(), "start") {
		t.Errorf("an unknown start gave %v", err)
	}
	near := newPlanner(t, imageplan.Options{Nearest: true})
	r, err := near.Plan(context.Background(), black, white)
	if err != nil || !slices.Equal(r.Plan, []strips.ActionID{1, 2}) {
		t.Errorf("with the nearest state: %v, %v", r.Plan, err)
	}
}

// Two nodes with one code may be two states, of which the images show one each.
func TestSharedCodeIsNotPlannedWithin(t *testing.T) {
	m := paint()
	m.States = append(m.States, strips.Known{Node: 4, Code: m.States[1].Code})
	p, err := imageplan.New(m, colourNetwork(4), imageplan.Options{Nearest: true,
		Thresholds: anything})
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	r, err := p.Plan(context.Background(), red, red)
	if !errors.Is(err, imageplan.ErrUnrecognized) || !strings.Contains(err.Error(), "nodes [1 4]") ||
		!r.Start.Known() {
		t.Errorf("error %v, want that the nodes cannot be distinguished", err)
	}
	if r, err := p.Plan(context.Background(), black, red); err != nil ||
		!slices.Equal(r.Plan, []strips.ActionID{1}) {
		t.Errorf("to the shared code: %v, %v", r.Plan, err)
	}
}

func TestUncertaintyIsReported(t *testing.T) {
	r, err := newPlanner(t, imageplan.Options{}).Recognize(grey)
	if err != nil {
		t.Fatal(err)
	}
	uncertain := r.Uncertain()
	if r.Certain() {
		t.Error("an uncertain image is called certain")
	}
	if len(uncertain) != 1 || uncertain[0].Predicate != 1 || uncertain[0].ErrorProbability < 0.4 ||
		r.Confidence() > 0.6 {
		t.Errorf("uncertain %v, confidence %v: want p1 alone, near 0.5", uncertain, r.Confidence())
	}
	if sure, _ := newPlanner(t, imageplan.Options{}).Recognize(red); len(sure.Uncertain()) != 0 ||
		sure.Confidence() < 0.99 || !sure.Certain() {
		t.Errorf("a clear image is uncertain: %v", sure)
	}
	if unknown, _ := newPlanner(t, imageplan.Options{}).Recognize(white); unknown.Certain() ||
		unknown.Confidence() < 0.99 {
		t.Errorf("an unknown state is called certain, or its predicates are uncertain: %v", unknown)
	}
}

func TestMismatchedParts(t *testing.T) {
	m := paint()
	m.Predicates = 2
	network := colourNetwork(4)
	defer network.Close()
	if _, err := imageplan.New(m, network, imageplan.Options{}); err == nil {
		t.Error("a classifier of 3 predicates was accepted for a model of 2")
	}
	if _, err := newPlanner(t, imageplan.Options{}).Recognize(pixels.RGB{Width: 2, Height: 2,
		Pix: make([]uint8, 11)}); !errors.Is(err, pixels.ErrImage) {
		t.Errorf("an image with missing bytes gave %v", err)
	}
	if _, err := imageplan.Open(t.TempDir(), imageplan.Options{}); err == nil {
		t.Error("an empty folder was opened as a bundle")
	}
}

// TestNetworkBatches checks that the network answers alike alone and in a batch.
func TestNetworkBatches(t *testing.T) {
	n := colourNetwork(4)
	defer n.Close()
	var packed []uint8
	for _, p := range []pixels.RGB{red, black, yellow} {
		small, err := p.Square(4, pixels.Letterbox)
		if err != nil {
			t.Fatal(err)
		}
		packed = append(packed, small.Pix...)
	}
	together, err := n.Run(packed)
	if err != nil {
		t.Fatal(err)
	}
	together = slices.Clone(together)
	for i := range 3 {
		alone, err := n.Run(packed[i*48 : (i+1)*48])
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(alone, together[3*i:3*i+3]) {
			t.Errorf("image %d: alone %v, in a batch %v", i, alone, together[3*i:3*i+3])
		}
	}
	if _, err := n.Run(packed[:50]); err == nil {
		t.Error("a part of an image was accepted")
	}
	if n.Device() != inference.CPU || n.Fallback() != nil {
		t.Errorf("runs on %s, %v", n.Device(), n.Fallback())
	}
}

// TestDeviceFallback asks for a GPU: the network runs there or, where there is
// none, on the CPU with a reason; strict sessions refuse instead.
func TestDeviceFallback(t *testing.T) {
	for _, device := range []inference.Device{inference.CUDA, inference.TensorRT} {
		n, err := inference.Open(colourModel(4), inference.Options{Device: device})
		if err != nil {
			t.Fatal(err)
		}
		defer n.Close()
		if n.Device() == device {
			continue
		}
		if reason := n.Fallback(); reason == nil || !strings.Contains(reason.Error(), string(device)) ||
			n.Device() != inference.CPU {
			t.Errorf("%s: runs on %s because of %v", device, n.Device(), reason)
		}
		if _, err := n.Run(make([]uint8, 48)); err != nil {
			t.Error(err)
		}
		if _, err := inference.Open(colourModel(4), inference.Options{Device: device,
			Strict: true}); err == nil {
			t.Errorf("%s: a strict session fell back", device)
		}
	}
}

func ExamplePlanner_Plan() {
	p, err := imageplan.New(paint(), colourNetwork(4),
		imageplan.Options{Thresholds: imageplan.Thresholds{Confidence: 0.5}})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer p.Close()
	r, err := p.Plan(context.Background(), black, yellow)
	fmt.Println(r.Outcome, r.Plan, err)
	// Output: found [1 2] <nil>
}

// TestRegion shows the colour that is the state in a part of the image only.
func TestRegion(t *testing.T) {
	in := func(around, c pixels.RGB) pixels.RGB {
		p := pixels.RGB{Width: around.Width, Height: around.Height, Pix: slices.Clone(around.Pix)}
		for y := 2; y < 8; y++ {
			copy(p.Pix[3*(y*p.Width+10):3*(y*p.Width+20)], c.Pix)
		}
		return p
	}
	p := newPlanner(t,
		imageplan.Options{Camera: pixels.Camera{Region: pixels.Region{X: 0.5, Y: 0.2, Width: 0.5,
			Height: 0.6}}})
	r, err := p.Plan(context.Background(), in(blue, black), in(white, yellow))
	if err != nil || !slices.Equal(r.Plan, []strips.ActionID{1, 2}) {
		t.Errorf("%v, %v", r.Plan, err)
	}
	covered, err := p.Recognize(in(red, grey))
	if err != nil || covered.Contrast != 0 {
		t.Errorf("contrast %g of a region in one colour, %v", covered.Contrast, err)
	}
}
