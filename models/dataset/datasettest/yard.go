package datasettest

import (
	"math/rand/v2"
	"slices"

	"stripswm/models/dataset"
	"stripswm/models/strips"
)

// Yard is a table with objects and places, each for one object, and a gripper. Skill 1 +
// object*Places + place picks; as many after it place. Where skills move, that one moves the
// object to the place wherever it is, and none picks. Beside it are things that more skills
// change: a lamp that one skill flips, lids that are opened once a reset, a broom that sweeps what
// stands at place 0 to the next free one, and a die that one skill throws.
type Yard struct {
	Objects, Places int // four and eight at most
	Moves           bool
	Lamp            bool
	Lids            int
	Broom, Die      bool
	Resets          int // attempts between resets; 0: none
	Hands           int // attempts between resets that the recording does not mark; 0: none
}

// Scene is a state of a yard.
type Scene struct {
	At   []int // the place of each object, -1 in the gripper
	Lamp bool
	Open []bool
	Die  int // 0 to 5
}

func (s Scene) clone() Scene {
	return Scene{slices.Clone(s.At), s.Lamp, slices.Clone(s.Open), s.Die}
}

// Picks is the number of skills that pick; as many place. Or it is that of those that move.
func (y Yard) Picks() int { return y.Objects * y.Places }

// Extra are the ids of the lamp's skill, of the first lid's, and of the broom's.
func (y Yard) Extra() (lamp, lid, broom strips.ActionID) {
	lamp = strips.ActionID(2*y.Picks() + 1)
	if y.Moves {
		lamp = strips.ActionID(y.Picks() + 1)
	}
	lid = lamp
	if y.Lamp {
		lid++
	}
	return lamp, lid, lid + strips.ActionID(y.Lids)
}

// Actions is the number of skills.
func (y Yard) Actions() int {
	_, _, broom := y.Extra()
	n := int(broom) - 1
	for _, more := range []bool{y.Broom, y.Die} {
		if more {
			n++
		}
	}
	return n
}

// Apply changes a scene; false: the skill is refused. The die is thrown by whoever asks.
func (y Yard) Apply(s *Scene, a strips.ActionID) bool {
	lamp, lid, broom := y.Extra()
	switch k := int(a) - 1; {
	case y.Moves && k < y.Picks():
		o, p := k/y.Places, k%y.Places
		free := !slices.Contains(s.At, p)
		if free {
			s.At[o] = p
		}
		return free
	case k < y.Picks():
		if o, p := k/y.Places, k%y.Places; s.At[o] == p && !slices.Contains(s.At, -1) {
			s.At[o] = -1
			return true
		}
		return false
	case !y.Moves && k < 2*y.Picks():
		k -= y.Picks()
		if o, p := k/y.Places, k%y.Places; s.At[o] == -1 && !slices.Contains(s.At, p) {
			s.At[o] = p
			return true
		}
		return false
	case y.Lamp && a == lamp:
		s.Lamp = !s.Lamp
		return true
	case a < broom:
		opens := !s.Open[a-lid]
		s.Open[a-lid] = true
		return opens
	case y.Die && int(a) == y.Actions():
		return true
	}
	swept := slices.Index(s.At, 0)
	for to := 1; swept >= 0 && to < y.Places; to++ {
		if !slices.Contains(s.At, to) {
			s.At[swept] = to
			return true
		}
	}
	return false
}

// Initial is a scene after a reset: the lamp is off and the lids are closed.
func (y Yard) Initial(rng *rand.Rand) Scene {
	return Scene{At: rng.Perm(y.Places)[:y.Objects], Open: make([]bool, y.Lids)}
}

// YardSize is that of its photographs, pixels a side.
const YardSize = 64

// Photograph draws a scene: places are in two rows, the gripper and the lamp at the top, the lids
// at the bottom. Light, place, and noise differ between images.
func (y Yard) Photograph(s Scene, rng *rand.Rand) []uint8 {
	pix, light := make([]uint8, 3*YardSize*YardSize), 0.85+0.15*rng.Float64()
	value := func(v float64) uint8 { return uint8(min(255, light*v+6*rng.Float64())) }
	for i := range pix {
		pix[i] = value(90)
	}
	box := func(left, top, size int, colour [3]float64) {
		for dy := range size {
			for dx := range size {
				for c := range 3 {
					pix[3*((top+dy)*YardSize+left+dx)+c] = value(colour[c])
				}
			}
		}
	}
	if y.Die {
		box(56, 2, 6, [3]float64{40 * float64(s.Die), 200 - 30*float64(s.Die), 120})
	}
	colours := [][3]float64{{220, 40, 40}, {40, 220, 40}, {40, 60, 230}, {220, 210, 40}}
	for o, p := range s.At {
		left, top := 3+15*(p%4), 20+16*(p/4)
		if p < 0 {
			left, top = 28, 4
		}
		box(left+rng.IntN(3)-1, top+rng.IntN(3)-1, 9, colours[o])
	}
	if s.Lamp {
		box(3, 3, 7, [3]float64{250, 250, 200})
	}
	for k, open := range s.Open {
		if open {
			box(4+8*k, 56, 3, [3]float64{20, 20, 20})
		}
	}
	return pix
}

// Record records so many attempts, nine in ten of which apply, and has the scene of each image.
func (y Yard) Record(attempts int, seed uint64) (*dataset.Dataset, []Scene) {
	rng := rand.New(rand.NewPCG(seed, 8))
	d := dataset.New(YardSize, y.Actions(), 2*attempts)
	var scenes []Scene
	s, reset := y.Initial(rng), false
	shoot := func(s Scene) int {
		i, err := d.AddImage(y.Photograph(s, rng))
		if err != nil {
			panic(err) // not reached: images have the right size
		}
		scenes = append(scenes, s)
		return i
	}
	for n := range attempts {
		if y.Resets > 0 && n > 0 && n%y.Resets == 0 {
			s, reset = y.Initial(rng), true
		}
		if y.Hands > 0 && n > 0 && n%y.Hands == 0 {
			s = y.Initial(rng)
		}
		refused := rng.IntN(10) == 0
		after := s.clone()
		a := strips.ActionID(1 + rng.IntN(y.Actions()))
		for y.Apply(&after, a) == refused {
			after, a = s.clone(), strips.ActionID(1+rng.IntN(y.Actions()))
		}
		if y.Die && !refused && int(a) == y.Actions() {
			after.Die = rng.IntN(6)
		}
		add := d.AddTransition
		if refused {
			add = d.AddRefused
		}
		if err := add(dataset.Transition{Before: shoot(s), After: shoot(after), Action: a,
			Follows: n > 0 && !reset}); err != nil {
			panic(err) // not reached
		}
		if s = after; !refused {
			reset = false
		}
	}
	return d, scenes
}
