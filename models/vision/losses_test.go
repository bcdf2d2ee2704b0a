package vision

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	g "github.com/gomlx/gomlx/core/graph"
	ort "github.com/yalue/onnxruntime_go"

	"stripswm/models/augment"
	"stripswm/models/dataset"
	"stripswm/models/dataset/datasettest"
	"stripswm/models/inference"
	"stripswm/models/networks"
	"stripswm/models/networks/networkstest"
)

func TestObjectiveWith(t *testing.T) {
	small := Small().Objective
	for _, c := range []struct {
		name   string
		weight float64
		want   string // in the error
	}{
		{"augment", 0.1, ""},
		{"choice", 0, ""},
		{"agument", 0.1, "choose dynamics, inverse"},
		{"augment", -1, "weight -1"},
		{"augment", math.NaN(), "weight NaN"},
		{"augment", math.Inf(1), "weight +Inf"},
	} {
		changed, err := small.With(c.name, c.weight)
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s=%g: %v, want %q", c.name, c.weight, err, c.want)
		}
		if err == nil && changed[c.name].Weight != c.weight {
			t.Errorf("%s=%g: got %g", c.name, c.weight, changed[c.name].Weight)
		}
	}
	if changed, _ := small.With("pull", 0.5); changed["pull"].Warmup != small["pull"].Warmup ||
		small["pull"].Weight == 0.5 {
		t.Error("another weight changed the schedule, or the objective it was made from")
	}
	if _, err := (Objective{"pull": {Weight: 1}}).With("pull", 0); err == nil {
		t.Error("an objective without losses was accepted")
	}
}

// TestEveryLossTrains takes two steps with each loss alone: it names all that it
// compares, is measured, and its gradients are numbers.
func TestEveryLossTrains(t *testing.T) {
	d, _ := datasettest.NewLamps(8).Transitions(40)
	for _, l := range losses {
		t.Run(l.name, func(t *testing.T) {
			p := tiny()
			p.Objective = Objective{l.name: {Weight: 1}}
			p.WorldModel.Steps, p.WorldModel.Evaluate = 2, 2
			learned, err := TrainWorldModel(context.Background(), d, p, Options{Seed: 1})
			if err != nil {
				t.Fatal(err)
			}
			if v, ok := learned.Chosen.Losses[l.name]; !ok ||
				math.Abs(v-learned.Chosen.Losses["total"]) > 1e-5*math.Abs(v) {
				t.Errorf("measured %v", learned.Chosen.Losses)
			}
			if slices.ContainsFunc(learned.Teacher, func(w float32) bool { return w != w }) {
				t.Error("the weights are not numbers")
			}
		})
	}
}

// TestPresetWithLoss gives a loss another weight, which holds whatever the preset comes to train
// with.
func TestPresetWithLoss(t *testing.T) {
	for _, before := range Presets() {
		p, err := before.WithLoss("augment", 0.25)
		if err != nil {
			t.Fatal(err)
		}
		for i, o := range []Objective{p.Objective, p.FallbackSmall, p.FallbackFew,
			p.FallbackForesight} {
			if (o == nil) != (i > 0 && p.Name != DefaultPreset) || o != nil &&
				o["augment"].Weight != 0.25 {
				t.Errorf("%s, objective %d: %v", p.Name, i, o)
			}
		}
		if before.Objective["augment"].Weight == 0.25 {
			t.Errorf("%s has changed", before.Name)
		}
	}
	if _, err := Auto().WithLoss("fame", 1); err == nil {
		t.Error("a loss that there is not was taken")
	}
}

// latents are those of a batch's images before, of those after, and of all.
func latents(values int) (now, next, images []float32) {
	rng := rand.New(rand.NewPCG(1, 1))
	now, next = make([]float32, values), make([]float32, values)
	for i := range now {
		now[i], next[i] = 2*rng.Float32(), 2*rng.Float32()
	}
	return now, next, slices.Concat(now, next)
}

// TestContrastFindsTheInterval computes the loss by hand: each image of a link is searched
// for among all images but the anchor.
func TestContrastFindsTheInterval(t *testing.T) {
	const batch, dims, temperature = 6, 2, 0.5
	now, next, images := latents(batch * dims)
	near := func(a, b int) float64 {
		sum := 0.0
		for k := range dims {
			d := float64(images[a*dims+k] - images[b*dims+k])
			sum += d * d
		}
		return math.Exp(-sum / temperature)
	}
	overLinks(t, batch, dims, now, next, 1e-4, contrast, func(linked []float32) float64 {
		sum, links := 0.0, 0.0
		for i, l := range linked {
			left, found := batch+i, batch/2+i
			for _, pair := range [][2]int{{left, found}, {found, left}} {
				all := 0.0
				for other := range 2 * batch {
					if other != pair[0] {
						all += near(pair[0], other)
					}
				}
				sum -= float64(l) * math.Log(near(pair[0], pair[1])/all) / 2
			}
			links += float64(l)
		}
		return sum / max(links, 1)
	})
}

// TestForesightFindsThePrediction works the loss out by hand: each image after an action
// is looked for, from what was predicted, among all but the other image of its static interval.
func TestForesightFindsThePrediction(t *testing.T) {
	const batch, dims, temperature = 6, 2, 0.5
	now, next, images := latents(batch * dims)
	predict := func(now *g.Node) *g.Node { return g.AddScalar(g.MulScalar(now, 0.7), 0.1) }
	near := func(row, image int) float64 {
		sum := 0.0
		for k := range dims {
			d := 0.7*float64(now[row*dims+k]) + 0.1 - float64(images[image*dims+k])
			sum += d * d
		}
		return math.Exp(-sum / temperature)
	}
	overLinks(t, batch, dims, now, next, 1e-4, func(now, next, linked *g.Node) *g.Node {
		return foresight(predict(now), now, next, linked)
	}, func(linked []float32) float64 {
		sum := 0.0
		for row := range batch {
			all := 0.0
			for image := range 2 * batch {
				if row < batch/2 && linked[row] == 1 && image == batch/2+row {
					continue // shows the same static interval
				}
				all += near(row, image)
			}
			sum -= math.Log(near(row, batch+row)/all) / batch
		}
		return sum
	})
}

// overLinks holds a loss of latents [batch, dims] and links against one worked out by
// hand, for several links.
func overLinks(t *testing.T, batch, dims int, now, next []float32, tolerance float64,
	loss func(now, next, linked *g.Node) *g.Node, byHand func(linked []float32) float64) {
	t.Helper()
	p, err := networks.Compile(func(in []*g.Node) []*g.Node {
		return []*g.Node{g.Reshape(loss(in[0], in[1], in[2]), 1)}
	}, []shapes.Shape{
		shapes.Make(dtypes.Float32, batch, dims), shapes.Make(dtypes.Float32, batch, dims),
		shapes.Make(dtypes.Float32, batch/2),
	}, 1, inference.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	for _, linked := range [][]float32{{1, 1, 1}, {1, 0, 1}, {0, 0, 0}} {
		want, got := byHand(linked), networkstest.Filled(t, make([]float32, 1), 1)
		in := []ort.Value{networkstest.Filled(t, now, batch, dims),
			networkstest.Filled(t, next, batch, dims), networkstest.Filled(t, linked, batch/2)}
		if err := p.Run(in, []ort.Value{got}); err != nil {
			t.Fatal(err)
		}
		if math.Abs(float64(got.GetData()[0])-want) > tolerance {
			t.Errorf("links %v: %g, want %g", linked, got.GetData()[0], want)
		}
	}
}

// TestContinuityComparesPairs works the loss out by hand: rows i and batch/2+i of
// a batch, where they are linked.
func TestContinuityComparesPairs(t *testing.T) {
	const batch, dims = 6, 2
	rng := rand.New(rand.NewPCG(1, 1))
	now, next := make([]float32, batch*dims), make([]float32, batch*dims)
	for i := range now {
		now[i], next[i] = rng.Float32(), rng.Float32()
	}
	overLinks(t, batch, dims, now, next, 1e-5, continuity, func(linked []float32) float64 {
		sum, links := 0.0, 0.0
		for i, l := range linked {
			for k := range dims {
				off := next[i*dims+k] - now[(batch/2+i)*dims+k]
				sum += float64(l * off * off)
			}
			links += float64(l)
		}
		return sum / max(links, 1)
	})
}

// TestContinuityKeepsStatesWhole learns a recording so short that its images can
// be overfitted, under a light that changes from image to image.
func TestContinuityKeepsStatesWhole(t *testing.T) {
	w := datasettest.NewLamps(7)
	w.Light = 0.6
	d, _ := w.Transitions(80)
	learn := func(weight float64, steps int) *Learned {
		t.Helper()
		p := tiny()
		p.Augment = augment.None
		p.Objective["choice"], p.Objective["continuity"] = Term{Weight: 1}, Term{Weight: weight}
		p.WorldModel.Settled, p.WorldModel.Steps = 0, steps
		learned, err := TrainWorldModel(context.Background(), d, p, Options{Seed: 1})
		if err != nil {
			t.Fatal(err)
		}
		return learned
	}
	last := func(l *Learned) int { return l.History[len(l.History)-1].Codes }
	if without, with := last(learn(0, 400)), last(learn(1, 400)); with > without/2 {
		t.Errorf("%d codes with continuity, %d without: want less than half", with, without)
	}
	for i := range d.Transitions {
		d.Transitions[i].Follows = false
	}
	if !slices.Equal(learn(0, 20).Teacher, learn(1, 20).Teacher) {
		t.Error("continuity changes what is learned where no transition follows on another")
	}
}

// TestAugmentAttractsToTheCode works L_aug out by hand: it is 0 where the varied
// image's latent is the image's code, and draws that latent alone.
func TestAugmentAttractsToTheCode(t *testing.T) {
	const batch, dims = 4, 3
	at := slices.Index(lossNames(), "augment")
	shape := shapes.Make(dtypes.Float32, batch, dims)
	p, err := networks.Compile(func(in []*g.Node) []*g.Node {
		value := losses[at].value(inputs{augmented: in[0], nowCode: in[1]}, nil)
		by := g.Gradient(value, in[0], in[1])
		return []*g.Node{g.Reshape(value, 1), by[0], by[1]}
	}, []shapes.Shape{shape, shape}, 3, inference.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	rng := rand.New(rand.NewPCG(1, 1))
	code := make([]float32, batch*dims)
	for i := range code {
		code[i] = float32(rng.IntN(5) - 2)
	}
	for _, spread := range []float64{0, 0.4} {
		varied := make([]float32, len(code))
		want := 0.0
		for i := range varied {
			varied[i] = code[i] + float32(spread*rng.NormFloat64())
			want += math.Pow(float64(varied[i]-code[i]), 2) / batch
		}
		value := networkstest.Filled(t, make([]float32, 1), 1)
		byVaried, byCode := networkstest.Filled(t, make([]float32, len(code)), batch, dims),
			networkstest.Filled(t, make([]float32, len(code)), batch, dims)
		in := []ort.Value{networkstest.Filled(t, varied, batch, dims),
			networkstest.Filled(t, code, batch, dims)}
		if err := p.Run(in, []ort.Value{value, byVaried, byCode}); err != nil {
			t.Fatal(err)
		}
		if got := float64(value.GetData()[0]); math.Abs(got-want) > 1e-5 {
			t.Errorf("spread %g: %g, want %g", spread, got, want)
		}
		for i := range varied {
			if got, want := byVaried.GetData()[i],
				2*(varied[i]-code[i])/batch; math.Abs(float64(got-want)) > 1e-5 {
				t.Errorf("spread %g: gradient %g, want %g", spread, got, want)
			}
			if byCode.GetData()[i] != 0 {
				t.Errorf("spread %g: the code is drawn to the varied image", spread)
			}
		}
	}
}

// TestAugmentGivesVariedImagesOneCode trains with L_aug and without, in both cases
// on the images as they are, and compares the codes of images and their variations.
func TestAugmentGivesVariedImagesOneCode(t *testing.T) {
	distinct := func(weight float64) float64 {
		d, _ := datasettest.NewLamps(9).Transitions(100)
		p := tiny()
		p.Augment = augment.None
		p.Objective["augment"] = Term{Weight: weight}
		p.WorldModel.Steps = 200
		learned, err := TrainWorldModel(context.Background(), d, p, Options{Seed: 1})
		if err != nil {
			t.Fatal(err)
		}
		varied := dataset.New(d.Size, d.Actions, d.Images())
		rng := rand.New(rand.NewPCG(1, 2))
		for i := range d.Images() {
			image := make([]uint8, d.ImageBytes())
			augment.Camera.Apply(image, d.Image(i), d.Size, rng)
			if _, err := varied.AddImage(image); err != nil {
				t.Fatal(err)
			}
		}
		codes, variedCodes := codesOf(t, learned, d), codesOf(t, learned, varied)
		other := 0
		for i := range codes {
			if codes[i] != variedCodes[i] {
				other++
			}
		}
		return float64(other) / float64(len(codes))
	}
	without, with := distinct(0), distinct(0.3)
	if with > without/2 {
		t.Errorf("%.0f %% of varied images have another code with the loss, %.0f %% without",
			100*with, 100*without)
	}
}
