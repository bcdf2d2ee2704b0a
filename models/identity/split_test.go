package identity

import (
	"slices"
	"testing"

	"stripswm/models/dataset/datasettest"
	"stripswm/models/strips"
)

func codesOf(h datasettest.House, of func(strips.StateID) Code) []Code {
	codes := make([]Code, len(h.States))
	for i, s := range h.States {
		codes[i] = of(s)
	}
	return codes
}

func distinctCode(s strips.StateID) Code { return Code('0' + rune(s)) }

// aliasedCode gives both corridors one code, and both cellars.
func aliasedCode(s strips.StateID) Code { return []Code{"0", "1", "1", "3", "3"}[s] }

func TestSplitByAppearance(t *testing.T) {
	record := func() datasettest.House {
		return datasettest.RecordHouse(1500, datasettest.DistinctPlace, nil)
	}
	for name, h := range map[string]datasettest.House{
		"two images": record(), "one image": record().SharedImages(),
	} {
		split := Split(h.Data, codesOf(h, aliasedCode))
		of := map[Code]strips.StateID{}
		for _, tr := range h.Data.Transitions {
			for _, i := range []int{tr.Before, tr.After} {
				if s, seen := of[split[i]]; seen && s != h.States[i] {
					t.Fatalf("%s: image %d: code %s is of states %d and %d", name, i, split[i], s,
						h.States[i])
				}
				of[split[i]] = h.States[i]
			}
		}
		if len(of) != datasettest.Rooms {
			t.Errorf("%s: codes %v of %d rooms", name, of, datasettest.Rooms)
		}
		if again := Split(h.Data, split); !slices.Equal(again, split) {
			t.Errorf("%s: it splits once more", name)
		}
	}
}

// TestSplitLeavesStatesWhole has nothing to split: states that are distinct already, aliased states
// with equal images, and nuisance that lasts for a while.
func TestSplitLeavesStatesWhole(t *testing.T) {
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
	place, record := datasettest.DistinctPlace, datasettest.RecordHouse
	for name, k := range map[string]struct {
		house datasettest.House
		codes func(strips.StateID) Code
	}{
		"every state its code":        {record(1500, place, nil), distinctCode},
		"corridors with equal images": {record(1500, same, nil), aliasedCode},
		"what an arm leaves in view":  {record(1500, place, mark), distinctCode},
		"light that changes slowly":   {record(1500, place, dusk), distinctCode},
		"an arm, one image":           {record(1500, place, mark).SharedImages(), distinctCode},
		"light, one image":            {record(1500, place, dusk).SharedImages(), distinctCode},
		"equal images, one file":      {record(1500, same, nil).SharedImages(), aliasedCode},
	} {
		codes := codesOf(k.house, k.codes)
		if split := Split(k.house.Data, codes); !slices.Equal(split, codes) {
			t.Errorf("%s: split", name)
		}
	}
}

// TestLocatorUsesEarlierTransitions has cellars that only the transition to their corridor
// separates.
func TestLocatorUsesEarlierTransitions(t *testing.T) {
	h := datasettest.RecordHouse(1500, datasettest.DistinctPlace, nil)
	g, err := TaskGraph(h.Data, Split(h.Data, codesOf(h, aliasedCode)),
		[]string{"1", "2", "3", "4", "5", "6"})
	if err != nil {
		t.Fatal(err)
	}
	short := datasettest.RecordHouse(40, datasettest.DistinctPlace, nil)
	codes := codesOf(short, aliasedCode)
	nodeOf := map[strips.StateID]strips.StateID{}
	for i, node := range NewLocator(g).Nodes(short.Data, codes) {
		if other, seen := nodeOf[short.States[i]]; !refusedAt(short.Data, i) &&
			(node < 0 || seen && other != node) {
			t.Errorf("image %d of room %d shows node %d, others %d", i, short.States[i], node,
				other)
		} else if node >= 0 {
			nodeOf[short.States[i]] = node
		}
	}
	if len(nodeOf) != datasettest.Rooms || g.NumStates() != datasettest.Rooms {
		t.Errorf("rooms are nodes %v of %d", nodeOf, g.NumStates())
	}
}
