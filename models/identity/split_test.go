package identity

import (
	"slices"
	"testing"

	"stripswm/models/dataset/datasettest"
	"stripswm/models/strips"
)

func codesOfHouse(h datasettest.House, of func(strips.StateID) Code) []Code {
	codes := make([]Code, len(h.States))
	for i, s := range h.States {
		codes[i] = of(s)
	}
	return codes
}

func ownCode(s strips.StateID) Code { return Code('0' + rune(s)) }

// bothAlike gives both corridors one code, and both cellars.
func bothAlike(s strips.StateID) Code { return []Code{"0", "1", "1", "3", "3"}[s] }

func TestDivideTellsStatesApartByTheirLooks(t *testing.T) {
	for name, h := range map[string]datasettest.House{"two pictures": datasettest.WalkHouse(1500, datasettest.OwnPlace, nil), "one picture": datasettest.WalkHouse(1500, datasettest.OwnPlace, nil).OnePicture()} {
		divided := Split(h.Data, codesOfHouse(h, bothAlike))
		of := map[Code]strips.StateID{}
		for _, tr := range h.Data.Transitions {
			for _, i := range []int{tr.Before, tr.After} {
				if s, seen := of[divided[i]]; seen && s != h.States[i] {
					t.Fatalf("%s: image %d: code %s is of states %d and %d", name, i, divided[i], s, h.States[i])
				}
				of[divided[i]] = h.States[i]
			}
		}
		if len(of) != datasettest.Rooms {
			t.Errorf("%s: codes %v of %d rooms", name, of, datasettest.Rooms)
		}
		if again := Split(h.Data, divided); !slices.Equal(again, divided) {
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
		house datasettest.House
		codes func(strips.StateID) Code
	}{
		"every state its code":       {datasettest.WalkHouse(1500, datasettest.OwnPlace, nil), ownCode},
		"corridors that look alike":  {datasettest.WalkHouse(1500, same, nil), bothAlike},
		"what an arm leaves in view": {datasettest.WalkHouse(1500, datasettest.OwnPlace, mark), ownCode},
		"light that changes slowly":  {datasettest.WalkHouse(1500, datasettest.OwnPlace, dusk), ownCode},
		"an arm, one picture":        {datasettest.WalkHouse(1500, datasettest.OwnPlace, mark).OnePicture(), ownCode},
		"light, one picture":         {datasettest.WalkHouse(1500, datasettest.OwnPlace, dusk).OnePicture(), ownCode},
		"alike, one picture":         {datasettest.WalkHouse(1500, same, nil).OnePicture(), bothAlike},
	} {
		codes := codesOfHouse(k.house, k.codes)
		if divided := Split(k.house.Data, codes); !slices.Equal(divided, codes) {
			t.Errorf("%s: divided", name)
		}
	}
}

// TestLocatorLooksFarBack has cellars that only the way to their corridor tells apart.
func TestLocatorLooksFarBack(t *testing.T) {
	h := datasettest.WalkHouse(1500, datasettest.OwnPlace, nil)
	g, err := TaskGraph(h.Data, Split(h.Data, codesOfHouse(h, bothAlike)), []string{"1", "2", "3", "4", "5", "6"})
	if err != nil {
		t.Fatal(err)
	}
	short := datasettest.WalkHouse(40, datasettest.OwnPlace, nil)
	codes := codesOfHouse(short, bothAlike)
	nodeOf := map[strips.StateID]strips.StateID{}
	for i, node := range NewLocator(g).Nodes(short.Data, codes) {
		if other, seen := nodeOf[short.States[i]]; !refusedAt(short.Data, i) && (node < 0 || seen && other != node) {
			t.Errorf("picture %d of room %d shows node %d, others %d", i, short.States[i], node, other)
		} else if node >= 0 {
			nodeOf[short.States[i]] = node
		}
	}
	if len(nodeOf) != datasettest.Rooms || g.NumStates() != datasettest.Rooms {
		t.Errorf("rooms are nodes %v of %d", nodeOf, g.NumStates())
	}
}
