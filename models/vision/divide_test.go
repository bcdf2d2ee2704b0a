package vision

import (
	"math/rand/v2"
	"slices"
	"testing"

	"stripswm/models/strips"
)

// Rooms of a house: the hall, two corridors and, at the end of each, a cellar. The way
// down a corridor and up again are the same two actions in both.
const (
	hall = iota
	left
	right
	leftCellar
	rightCellar
	rooms
)

var doors = map[move]strips.StateID{
	{hall, 1}: left, {hall, 2}: right, {left, 3}: hall, {right, 4}: hall,
	{left, 5}: leftCellar, {right, 5}: rightCellar, {leftCellar, 6}: left, {rightCellar, 6}: right,
}

// house photographs a random walk: a bright square whose place is the room's, under light
// and noise of each image's own. paint may add to an image taken after an action.
type house struct {
	data   *Dataset
	states []strips.StateID // by image
}

func walkHouse(steps int, shown func(strips.StateID) int, paint func(pix []uint8, step int, last strips.ActionID)) house {
	const size = 16
	h := house{data: NewDataset(size, 6, 3*steps)}
	rng := rand.New(rand.NewPCG(9, 9))
	at, last := strips.StateID(hall), strips.ActionID(0)
	photograph := func(step int) int {
		pix, light := make([]uint8, size*size*3), 0.7+0.3*rng.Float64()
		place := shown(at)
		for i := range pix {
			x, y := i/3%size, i/3/size
			v := 70.0
			if x/5 == place%3 && y/5 == place/3 {
				v = 190
			}
			pix[i] = uint8(light*v + 12*rng.Float64())
		}
		if paint != nil {
			paint(pix, step, last)
		}
		h.states = append(h.states, at)
		image, err := h.data.AddImage(pix)
		if err != nil {
			panic(err)
		}
		return image
	}
	for step := range steps {
		var can []strips.ActionID
		for a := strips.ActionID(1); a <= 6; a++ {
			if _, ok := doors[move{at, a}]; ok {
				can = append(can, a)
			} else if rng.IntN(50) == 0 {
				image := photograph(step)
				h.data.Refused = append(h.data.Refused, Transition{Before: image, After: image, Action: a})
			}
		}
		t := Transition{Before: photograph(step), Action: can[rng.IntN(len(can))], Follows: step > 0}
		at, last = doors[move{at, t.Action}], t.Action
		t.After = photograph(step)
		h.data.Transitions = append(h.data.Transitions, t)
	}
	return h
}

func (h house) codes(of func(strips.StateID) Code) []Code {
	codes := make([]Code, len(h.states))
	for i, s := range h.states {
		codes[i] = of(s)
	}
	return codes
}

func ownCode(s strips.StateID) Code { return Code('0' + rune(s)) }

// bothAlike gives both corridors one code, and both cellars.
func bothAlike(s strips.StateID) Code { return []Code{"0", "1", "1", "3", "3"}[s] }

func ownPlace(s strips.StateID) int { return int(s) }

// oneImage has what one transition leaves and the next finds in one image.
func (h house) oneImage() house {
	for i := range h.data.Transitions[1:] {
		h.data.Transitions[i+1].Before = h.data.Transitions[i].After
	}
	return h
}

func TestDivideTellsStatesApartByTheirLooks(t *testing.T) {
	for name, h := range map[string]house{"two images": walkHouse(1500, ownPlace, nil), "one image": walkHouse(1500, ownPlace, nil).oneImage()} {
		divided := Divide(h.data, h.codes(bothAlike))
		of := map[Code]strips.StateID{}
		for _, tr := range h.data.Transitions {
			for _, i := range []int{tr.Before, tr.After} {
				if s, seen := of[divided[i]]; seen && s != h.states[i] {
					t.Fatalf("%s: image %d: code %s is of states %d and %d", name, i, divided[i], s, h.states[i])
				}
				of[divided[i]] = h.states[i]
			}
		}
		if len(of) != rooms {
			t.Errorf("%s: codes %v of %d rooms", name, of, rooms)
		}
		if again := Divide(h.data, divided); !slices.Equal(again, divided) {
			t.Errorf("%s: what is divided is divided again", name)
		}
	}
}

// TestDivideLeavesStatesWhole has nothing to divide, and what might look like it.
func TestDivideLeavesStatesWhole(t *testing.T) {
	same := func(s strips.StateID) int { return []int{0, 1, 1, 3, 3}[s] }
	mark := func(pix []uint8, _ int, last strips.ActionID) {
		for i := range 60 {
			pix[len(pix)-1-i] = uint8(40 * last) // an arm rests where its action ended
		}
	}
	dusk := func(pix []uint8, step int, _ strips.ActionID) {
		for i := range len(pix) / 2 {
			pix[i] = uint8(int(pix[i]) * (3000 - step) / 3000) // half of the room gets dark
		}
	}
	for name, k := range map[string]struct {
		house house
		codes func(strips.StateID) Code
	}{
		"every state its code":       {walkHouse(1500, ownPlace, nil), ownCode},
		"corridors that look alike":  {walkHouse(1500, same, nil), bothAlike},
		"what an arm leaves in view": {walkHouse(1500, ownPlace, mark), ownCode},
		"light that changes slowly":  {walkHouse(1500, ownPlace, dusk), ownCode},
		"an arm, one image":          {walkHouse(1500, ownPlace, mark).oneImage(), ownCode},
		"light, one image":           {walkHouse(1500, ownPlace, dusk).oneImage(), ownCode},
		"alike, one image":           {walkHouse(1500, same, nil).oneImage(), bothAlike},
	} {
		codes := k.house.codes(k.codes)
		if divided := Divide(k.house.data, codes); !slices.Equal(divided, codes) {
			t.Errorf("%s: divided", name)
		}
	}
}

// TestLocatorLooksFarBack has cellars that only the way to their corridor distinguishes.
func TestLocatorLooksFarBack(t *testing.T) {
	h := walkHouse(1500, ownPlace, nil)
	g, err := TaskGraph(h.data, Divide(h.data, h.codes(bothAlike)), []string{"1", "2", "3", "4", "5", "6"})
	if err != nil {
		t.Fatal(err)
	}
	short := walkHouse(40, ownPlace, nil)
	codes := short.codes(bothAlike)
	nodeOf := map[strips.StateID]strips.StateID{}
	for i, node := range NewLocator(g).Nodes(short.data, codes) {
		if other, seen := nodeOf[short.states[i]]; !refusedAt(short.data, i) && (node < 0 || seen && other != node) {
			t.Errorf("image %d of room %d shows node %d, others %d", i, short.states[i], node, other)
		} else if node >= 0 {
			nodeOf[short.states[i]] = node
		}
	}
	if len(nodeOf) != rooms || g.NumStates() != rooms {
		t.Errorf("rooms are nodes %v of %d", nodeOf, g.NumStates())
	}
}
