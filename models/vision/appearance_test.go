package vision

import (
	"math"
	"slices"
	"testing"

	"stripswm/models/inference"
	"stripswm/models/strips"
)

// learnedAppearance are those of a house but for one room.
func learnedAppearance(t *testing.T) (*Appearance, house, *inference.Network) {
	t.Helper()
	h := walkHouse(600, ownPlace, nil)
	nodes := slices.Clone(h.states)
	for i, s := range nodes {
		if s == rightCellar {
			nodes[i] = -1
		}
	}
	l, err := LearnAppearance(h.data, nodes, rooms)
	if err != nil {
		t.Fatal(err)
	}
	exported, err := l.Export()
	if err != nil {
		t.Fatal(err)
	}
	network, err := inference.Open(exported, inference.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { network.Close() })
	return l, h, network
}

func TestAppearanceTellOwnImagesFromOthers(t *testing.T) {
	l, h, network := learnedAppearance(t)
	fresh := walkHouse(700, ownPlace, nil)
	far := 0
	for i := len(h.states); i < len(fresh.states); i++ { // the walk goes on with new images
		s := fresh.states[i]
		distances, err := network.Run(fresh.data.Image(i))
		if err != nil {
			t.Fatal(err)
		}
		for node, got := range distances {
			if want := l.Distance(fresh.data, i, strips.StateID(node)); node == rightCellar && got < unlike || node != rightCellar && math.Abs(float64(got)-want) > 1e-3*(1+want) {
				t.Fatalf("image %d, node %d: the network says %g, the definition %g", i, node, got, want)
			}
			if own := strips.StateID(node) == s; !own && got < 2 {
				t.Errorf("image %d of room %d is %g from room %d", i, s, got, node)
			} else if own && s != rightCellar && got > 1 {
				far++
			}
		}
	}
	if asked := len(fresh.states) - len(h.states); far > asked/50 {
		t.Errorf("%d of %d new images are farther than one in 200 should be", far, asked)
	}
	both, err := network.Run(slices.Concat(fresh.data.Image(0), fresh.data.Image(1)))
	if err != nil {
		t.Fatal(err)
	}
	both = slices.Clone(both)
	if alone, _ := network.Run(fresh.data.Image(1)); len(both) != 2*rooms || !slices.Equal(both[rooms:], alone) {
		t.Errorf("alone %v, in a batch %v", alone, both)
	}
}

// TestAppearanceOfFewImages has recordings so small that modes and units come from few
// images: new ones of the same rooms are still known.
func TestAppearanceOfFewImages(t *testing.T) {
	for _, images := range []int{60, 120, 240} {
		h := walkHouse(images/2, ownPlace, nil)
		a, err := LearnAppearance(h.data, h.states, rooms)
		if err != nil {
			t.Fatal(err)
		}
		longer, asked, far := walkHouse(images/2+300, ownPlace, nil), 0, 0
		for i := len(h.states); i < len(longer.states); i++ { // the walk goes on with new images
			if s := longer.states[i]; a.images[s] > 1 {
				asked++
				if a.Distance(longer.data, i, s) > 1 {
					far++
				}
			}
		}
		if far > asked/50 {
			t.Errorf("learned from %d images: %d of %d new ones are farther than one in 200 should be", images, far, asked)
		}
	}
}

func TestAppearanceOfWhatIsNotThere(t *testing.T) {
	l, h, _ := learnedAppearance(t)
	image := h.data.Images()
	for name, pixel := range map[string]func(i int) uint8{
		"black": func(int) uint8 { return 0 },
		"white": func(int) uint8 { return 255 },
		"red":   func(i int) uint8 { return []uint8{255, 0, 0}[i%3] },
		"half":  func(i int) uint8 { return h.data.Image(0)[i] * uint8(i/(16*3*8)) },
	} {
		pix := make([]uint8, 16*16*3)
		for i := range pix {
			pix[i] = pixel(i)
		}
		if _, err := h.data.AddImage(pix); err != nil {
			t.Fatal(err)
		}
		for s := range strips.StateID(rooms) {
			if far := l.Distance(h.data, image, s); far < 2 {
				t.Errorf("a %s image is %g from room %d", name, far, s)
			}
		}
		image++
	}
	if _, err := LearnAppearance(h.data, []strips.StateID{0, 1}, rooms); err == nil {
		t.Error("looks of one image each")
	}
}

// TestAppearanceWithoutNoise has all images of a state the same: half a grey level is what counts
// then, and what JPEG does; an image that differs by more looks like nothing that was recorded.
func TestAppearanceWithoutNoise(t *testing.T) {
	const size, states = 16, 3
	d := NewDataset(size, 1, 0)
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
	l, err := LearnAppearance(d, nodes, states)
	if err != nil {
		t.Fatal(err)
	}
	exported, err := l.Export()
	if err != nil {
		t.Fatal(err)
	}
	network, err := inference.Open(exported, inference.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer network.Close()
	distance := func(image, s int) float64 {
		distances, err := network.Run(d.Image(image))
		if err != nil {
			t.Fatal(err)
		}
		got, want := float64(distances[s]), l.Distance(d, image, strips.StateID(s))
		if !(math.Abs(got-want) < 0.1*(1+want)) {
			t.Fatalf("image %d, node %d: the network says %g, the definition %g", image, s, got, want)
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
