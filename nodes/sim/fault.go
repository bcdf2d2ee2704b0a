package sim

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"

	"stripswm/models/strips"
	"stripswm/nodes/sim/scene"
)

// ErrNoPlace: in this state there is no object, or all places near by are taken.
var ErrNoPlace = errors.New("no object, or no place where one can stand a second time")

// Faulty sets the table for a state as w.Scene does, with the nuisance of that seed and
// strength, and then does something wrong to it: the scene shows no state of the world,
// where the fault can be seen.
func Faulty(w *World, s State, f scene.Fault, rng *rand.Rand, seed uint64,
	strength float64,
) (*scene.Scene, error) {
	sc, err := w.Scene(s, scene.NewJitter(seed, strength))
	if err != nil {
		return nil, err
	}
	objects := sc.Objects()
	if len(objects) == 0 {
		return nil, fmt.Errorf("%s, state %d: %w", w.Name(), s, ErrNoPlace)
	}
	object, more := objects[rng.IntN(len(objects))], len(objects)+1
	switch f {
	case scene.Removed:
		sc.Remove(object)
	case scene.Displaced:
		_, half := sc.Extent(object)
		sc.Shift(object, direction(rng).Scale(max(half.X, half.Y)))
	case scene.Doubled, scene.Added:
		other, object, err := elsewhere(w, s, sc, rng, seed, strength)
		if err != nil {
			return nil, err
		}
		if f == scene.Doubled {
			sc.Put(other, object, more)
		} else {
			addUnrelated(sc, other, object, more, rng)
		}
	default:
		return nil, fmt.Errorf("no fault %q: the faults are %v", f, scene.Faults())
	}
	return sc, nil
}

// elsewhere is a scene with an object where sc, of state s, has none: where one or two
// skills lead to or, if none moves anything, beside where it is.
func elsewhere(w *World, s State, sc *scene.Scene, rng *rand.Rand, seed uint64,
	strength float64,
) (*scene.Scene, int, error) {
	const tries = 100
	for try := range tries {
		t := s
		for range 1 + rng.IntN(2) {
			t = step(w, t, rng)
		}
		other, err := w.Scene(t, scene.NewJitter(seed, strength))
		if err != nil {
			return nil, 0, err
		}
		objects := other.Objects()
		if len(objects) == 0 {
			continue
		}
		object := objects[rng.IntN(len(objects))]
		if try >= tries/2 {
			_, half := other.Extent(object)
			other.Shift(object, direction(rng).Scale(2.5*max(half.X, half.Y)))
		}
		if distinct(sc, other, object) {
			return other, object, nil
		}
	}
	return nil, 0, fmt.Errorf("%s, state %d: %w", w.Name(), s, ErrNoPlace)
}

// step is a state that a skill leads to; s itself where none applies.
func step(w *World, s State, rng *rand.Rand) State {
	var next []State
	for a := range w.NumActions() {
		if t, ok := w.Apply(s, strips.ActionID(a+1)); ok && t != s {
			next = append(next, t)
		}
	}
	if len(next) == 0 {
		return s
	}
	return next[rng.IntN(len(next))]
}

// distinct says whether an object of another scene is not where an object of sc is: their
// middles are farther from each other than half of the smaller one's length.
func distinct(sc, other *scene.Scene, object int) bool {
	middle, half := other.Extent(object)
	for _, k := range sc.Objects() {
		at, extent := sc.Extent(k)
		if middle.Sub(at).Len() < min(longest(half), longest(extent)) {
			return false
		}
	}
	return true
}

func longest(half scene.Vec) float64 { return max(half.X, half.Y, half.Z) }

// addUnrelated adds a box of some colour where an object is in another scene, of its size.
func addUnrelated(sc, other *scene.Scene, object, as int, rng *rand.Rand) {
	at, half := other.Extent(object)
	colour := scene.Vec{X: rng.Float64(), Y: rng.Float64(), Z: rng.Float64()}
	if sc.Sheet != nil {
		sc.Sheet.Marks = append(sc.Sheet.Marks, scene.Mark{
			Figure: scene.Rect{HalfX: half.X, HalfY: half.Y}, At: at, Paint: scene.Paint{Color: colour},
			Object: as,
		})
		return
	}
	sc.Bodies = append(sc.Bodies, scene.Body{
		Shape: scene.Box{Size: half}, At: at, Rot: scene.Level, Material: scene.Material{Color: colour},
		Object: as,
	})
}

func direction(rng *rand.Rand) scene.Vec {
	sin, cos := math.Sincos(2 * math.Pi * rng.Float64())
	return scene.Vec{X: cos, Y: sin}
}
