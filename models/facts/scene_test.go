package facts

import (
	"slices"
	"testing"

	"stripswm/models/strips"
	"stripswm/models/traces"
)

// The scene of an object at a place shows its colour there and in the region of the fact, and no
// object where none is. Two objects are not at one place.
func checkScene(t *testing.T, z *Recognizer, r *traces.Result, w table) {
	t.Helper()
	fact := func(o, place int) strips.Literal {
		put := strips.ActionID(1 + (w.objects+o)*w.places + place)
		return strips.Literal{Predicate: strips.Predicate(slices.IndexFunc(r.Model.Predicates,
			func(p traces.Predicate) bool { return slices.Equal(p.Add, []strips.ActionID{put}) }))}
	}
	for place := range w.places {
		var none []strips.Literal
		x, y := 4*place+1, 12
		for o := range w.objects {
			l := fact(o, place)
			pix, side, ok := z.Scene(l)
			if !ok || side != imageSize {
				t.Fatalf("object %d at place %d: %v, %d pixels a side", o, place, ok, side)
			}
			colour := pix[3*(y*side+x):][:3]
			if int(colour[o]) < 2*int(colour[(o+1)%3]) || int(colour[o]) < 2*int(colour[(o+2)%3]) {
				t.Errorf("object %d at place %d looks like %d", o, place, colour)
			}
			part := z.Appearance.Region(l.Predicate)
			if u, v := float64(x)/imageSize, float64(y)/imageSize; part.X > u || part.X+part.Width < u ||
				part.Y > v || part.Y+part.Height < v || part.Width*part.Height > 0.5 {
				t.Errorf("object %d at place %d is seen at %v", o, place, part)
			}
			l.Negated = true
			none = append(none, l)
		}
		pix, side, ok := z.Scene(none...)
		if colour := pix[3*(y*side+x):][:3]; !ok || slices.Max(colour) > 2*slices.Min(colour) {
			t.Errorf("nothing at place %d looks like %d", place, colour)
		}
	}
	if _, _, ok := z.Scene(fact(0, 1), fact(1, 1)); ok {
		t.Error("two objects are at one place")
	}
}
