package appearance

import (
	"math"
	"slices"
	"testing"

	"stripswm/models/dataset"
	"stripswm/models/dataset/datasettest"
	"stripswm/models/inference"
	"stripswm/models/inference/inferencetest"
	"stripswm/models/strips"
)

// learnedAppearance are those of a house but for one room.
func learnedAppearance(t *testing.T) (*Model, datasettest.House, *inference.Network) {
	t.Helper()
	h := datasettest.RecordHouse(600, datasettest.DistinctPlace, nil)
	nodes := slices.Clone(h.States)
	for i, s := range nodes {
		if s == datasettest.RightCellar {
			nodes[i] = -1
		}
	}
	l, err := Learn(h.Data, nodes, datasettest.Rooms)
	if err != nil {
		t.Fatal(err)
	}
	exported, err := l.Export()
	if err != nil {
		t.Fatal(err)
	}
	network := inferencetest.Open(t, exported)
	return l, h, network
}

func TestOwnImagesAreNearest(t *testing.T) {
	l, h, network := learnedAppearance(t)
	fresh := datasettest.RecordHouse(700, datasettest.DistinctPlace, nil)
	far := 0
	for i := len(h.States); i < len(fresh.States); i++ { // the recording goes on with new images
		s := fresh.States[i]
		distances, err := network.Run(fresh.Data.Image(i))
		if err != nil {
			t.Fatal(err)
		}
		for node, got := range distances {
			if want := l.Distance(fresh.Data, i,
				strips.StateID(node)); node == datasettest.RightCellar && got < unknownDistance ||
				node != datasettest.RightCellar && math.Abs(float64(got)-want) > 1e-3*(1+want) {
				t.Fatalf("image %d, node %d: the network says %g, the definition %g", i, node, got,
					want)
			}
			if own := strips.StateID(node) == s; !own && got < 2 {
				t.Errorf("image %d of room %d is %g from room %d", i, s, got, node)
			} else if own && s != datasettest.RightCellar && got > 1 {
				far++
			}
		}
	}
	if asked := len(fresh.States) - len(h.States); far > asked/50 {
		t.Errorf("%d of %d new images are farther than one in 200 should be", far, asked)
	}
	both, err := network.Run(slices.Concat(fresh.Data.Image(0), fresh.Data.Image(1)))
	if err != nil {
		t.Fatal(err)
	}
	both = slices.Clone(both)
	if alone, _ := network.Run(fresh.Data.Image(1)); len(both) != 2*datasettest.Rooms ||
		!slices.Equal(both[datasettest.Rooms:], alone) {
		t.Errorf("alone %v, in a batch %v", alone, both)
	}
}

// TestFewImages has recordings so small that modes and units come from few
// images: new ones of the same rooms are still known.
func TestFewImages(t *testing.T) {
	for _, images := range []int{60, 120, 240} {
		h := datasettest.RecordHouse(images/2, datasettest.DistinctPlace, nil)
		a, err := Learn(h.Data, h.States, datasettest.Rooms)
		if err != nil {
			t.Fatal(err)
		}
		longer, asked, far := datasettest.RecordHouse(images/2+300, datasettest.DistinctPlace, nil),
			0, 0
		for i := len(h.States); i < len(longer.States); i++ { // the recording goes on with new images
			if s := longer.States[i]; a.images[s] > 1 {
				asked++
				if a.Distance(longer.Data, i, s) > 1 {
					far++
				}
			}
		}
		if far > asked/50 {
			t.Errorf("%d images: %d of %d new images exceed the distance of one in 200", images,
				far, asked)
		}
	}
}

func TestUnrelatedImages(t *testing.T) {
	l, h, _ := learnedAppearance(t)
	image := h.Data.Images()
	for name, pixel := range map[string]func(i int) uint8{
		"black": func(int) uint8 { return 0 },
		"white": func(int) uint8 { return 255 },
		"red":   func(i int) uint8 { return []uint8{255, 0, 0}[i%3] },
		"half":  func(i int) uint8 { return h.Data.Image(0)[i] * uint8(i/(16*3*8)) },
	} {
		pix := make([]uint8, 16*16*3)
		for i := range pix {
			pix[i] = pixel(i)
		}
		if _, err := h.Data.AddImage(pix); err != nil {
			t.Fatal(err)
		}
		for s := range strips.StateID(datasettest.Rooms) {
			if far := l.Distance(h.Data, image, s); far < 2 {
				t.Errorf("a %s image is %g from room %d", name, far, s)
			}
		}
		image++
	}
	if _, err := Learn(h.Data, []strips.StateID{0, 1}, datasettest.Rooms); err == nil {
		t.Error("a model of one image each")
	}
}

// TestWithoutNoise has all images of a state the same: half a grey level is what counts
// then, and what JPEG does; an image that differs by more is far from all.
func TestWithoutNoise(t *testing.T) {
	const size, states = 16, 3
	d := dataset.New(size, 1, 0)
	add := func(s, more int) (image int) {
		pix := make([]uint8, size*size*3)
		for i := range pix {
			pix[i] = 40
			if i/3%size/5 == s { // its stripe
				pix[i] = uint8(140 - more)
			}
		}
		image, err := d.AddImage(pix)
		if err != nil {
			t.Fatal(err)
		}
		return image
	}
	var nodes []strips.StateID
	for image := range 4 * states {
		add(image%states, 0)
		nodes = append(nodes, strips.StateID(image%states))
	}
	l, err := Learn(d, nodes, states)
	if err != nil {
		t.Fatal(err)
	}
	exported, err := l.Export()
	if err != nil {
		t.Fatal(err)
	}
	network := inferencetest.Open(t, exported)
	distance := func(image, s int) float64 {
		distances, err := network.Run(d.Image(image))
		if err != nil {
			t.Fatal(err)
		}
		got, want := float64(distances[s]), l.Distance(d, image, strips.StateID(s))
		if !(math.Abs(got-want) < 0.1*(1+want)) {
			t.Fatalf("image %d, node %d: the network says %g, the definition %g", image, s, got,
				want)
		}
		return got
	}
	for s := range states {
		if own := distance(s, s); !(own < 0.5) {
			t.Errorf("state %d is %g from itself", s, own)
		}
		if other := distance(s, (s+1)%states); !(other > 3) {
			t.Errorf("state %d is %g from another", s, other)
		}
		if faded := distance(add(s, 50), s); !(faded > 1) {
			t.Errorf("state %d with half of its contrast is %g from itself", s, faded)
		}
	}
}
