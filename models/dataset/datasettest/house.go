package datasettest

import (
	"math/rand/v2"

	"stripswm/models/dataset"
	"stripswm/models/strips"
)

// The rooms of a house: the hall, two corridors and, at the end of each, a cellar. The actions down
// a corridor and back are the same in both. Rooms is their number.
const (
	hall = iota
	left
	right
	leftCellar
	RightCellar
	Rooms
)

// door is a room and an action that applies there.
type door struct {
	room   strips.StateID
	action strips.ActionID
}

// doors has the room behind each door.
var doors = map[door]strips.StateID{
	{hall, 1}: left, {hall, 2}: right, {left, 3}: hall, {right, 4}: hall,
	{left, 5}: leftCellar, {right, 5}: RightCellar, {leftCellar, 6}: left, {RightCellar, 6}: right,
}

// House is a recording of a random policy in a house.
type House struct {
	Data   *dataset.Dataset
	States []strips.StateID // by image
}

// RecordHouse records that many transitions. An image shows a bright square at one of nine places,
// with light and noise of its own; shown is the place for a room. paint, which may be nil, may
// change an image that was taken after an action.
func RecordHouse(steps int, shown func(strips.StateID) int,
	paint func(pix []uint8, step int, last strips.ActionID)) House {
	const size = 16
	h := House{Data: dataset.New(size, 6, 3*steps)}
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
		h.States = append(h.States, at)
		image, err := h.Data.AddImage(pix)
		if err != nil {
			panic(err)
		}
		return image
	}
	for step := range steps {
		var can []strips.ActionID
		for a := strips.ActionID(1); a <= 6; a++ {
			if _, ok := doors[door{at, a}]; ok {
				can = append(can, a)
			} else if rng.IntN(50) == 0 {
				image := photograph(step)
				h.Data.Refused = append(h.Data.Refused,
					dataset.Transition{Before: image, After: image, Action: a})
			}
		}
		t := dataset.Transition{Before: photograph(step), Action: can[rng.IntN(len(can))],
			Follows: step > 0}
		at, last = doors[door{at, t.Action}], t.Action
		t.After = photograph(step)
		h.Data.Transitions = append(h.Data.Transitions, t)
	}
	return h
}

// DistinctPlace shows each room at a place of its own.
func DistinctPlace(s strips.StateID) int { return int(s) }

// SharedImages has one image for both ends of a static interval.
func (h House) SharedImages() House {
	for i := range h.Data.Transitions[1:] {
		h.Data.Transitions[i+1].Before = h.Data.Transitions[i].After
	}
	return h
}
