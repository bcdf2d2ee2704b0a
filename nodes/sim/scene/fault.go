package scene

import (
	"math"
	"slices"
)

// A Fault is something that is wrong with a scene: it shows no state of its world.
type Fault string

// The faults. An object is what a scene numbers as one (Body.Object).
const (
	Removed   Fault = "object removed"
	Doubled   Fault = "object doubled"        // it stands a second time, where it may stand
	Added     Fault = "object added"          // one of another kind stands where one may stand
	Displaced Fault = "object half off place" // by half of its length
)

// Faults lists them.
func Faults() []Fault { return []Fault{Removed, Doubled, Added, Displaced} }

// Objects returns the numbers of the scene's objects in the order of the scene.
func (s *Scene) Objects() []int {
	var list []int
	seen := map[int]bool{0: true}
	s.each(func(object int, _ *Vec, _ Vec) {
		if !seen[object] {
			seen[object], list = true, append(list, object)
		}
	})
	return list
}

// each visits the place and the half extents, along the axes, of all parts.
func (s *Scene) each(visit func(object int, at *Vec, half Vec)) {
	for i := range s.Bodies {
		b := &s.Bodies[i]
		h := b.Shape.Half()
		x, y, z := b.Rot.X.Scale(h.X), b.Rot.Y.Scale(h.Y), b.Rot.Z.Scale(h.Z)
		visit(b.Object, &b.At, Vec{
			math.Abs(x.X) + math.Abs(y.X) + math.Abs(z.X),
			math.Abs(x.Y) + math.Abs(y.Y) + math.Abs(z.Y),
			math.Abs(x.Z) + math.Abs(y.Z) + math.Abs(z.Z),
		})
	}
	if s.Sheet != nil {
		for i := range s.Sheet.Marks {
			m := &s.Sheet.Marks[i]
			visit(m.Object, &m.At, m.Figure.Half())
		}
	}
}

// Extent returns the middle of an object and half its extents along the axes.
func (s *Scene) Extent(object int) (middle, half Vec) {
	inf := math.Inf(1)
	low, high := Vec{inf, inf, inf}, Vec{-inf, -inf, -inf}
	s.each(func(of int, at *Vec, h Vec) {
		if of == object {
			a, b := at.Sub(h), at.Add(h)
			low = Vec{min(low.X, a.X), min(low.Y, a.Y), min(low.Z, a.Z)}
			high = Vec{max(high.X, b.X), max(high.Y, b.Y), max(high.Z, b.Z)}
		}
	})
	return low.Mix(high, 0.5), high.Sub(low).Scale(0.5)
}

// Shift moves an object.
func (s *Scene) Shift(object int, by Vec) {
	s.each(func(of int, at *Vec, _ Vec) {
		if of == object {
			*at = at.Add(by)
		}
	})
}

// Remove takes an object away.
func (s *Scene) Remove(object int) {
	s.Bodies = slices.DeleteFunc(s.Bodies, func(b Body) bool { return b.Object == object })
	if s.Sheet != nil {
		s.Sheet.Marks = slices.DeleteFunc(s.Sheet.Marks, func(m Mark) bool { return m.Object == object })
	}
}

// Put adds an object of another scene, under a number.
func (s *Scene) Put(other *Scene, object, as int) {
	for _, b := range other.Bodies {
		if b.Object == object {
			b.Object = as
			s.Bodies = append(s.Bodies, b)
		}
	}
	if s.Sheet == nil || other.Sheet == nil {
		return
	}
	for _, m := range other.Sheet.Marks {
		if m.Object == object {
			m.Object = as
			s.Sheet.Marks = append(s.Sheet.Marks, m)
		}
	}
}
