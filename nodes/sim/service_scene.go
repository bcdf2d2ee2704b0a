package sim

import "stripswm/nodes/sim/scene"

// Fixtures are discs that come up out of the table and sink into it, so that a world has the same
// bodies in every state. One that is sunk leaves a dark hole, as its shadow falls on the table.
const (
	fixtureHeight = 0.012
	sunk          = -0.05
	lampRadius    = 0.028
	lidRadius     = 0.023 // three pixels of 80x60
)

var (
	lampGlass = scene.Material{Color: scene.RGB(250, 240, 170), Gloss: 0.1, Shine: 30}
	lidPaint  = scene.Material{Color: scene.RGB(214, 218, 226), Gloss: 0.1, Shine: 30}

	paints = []struct {
		name  string
		color scene.Vec
	}{{"red", scene.RGB(190, 40, 40)}, {"yellow", scene.RGB(220, 190, 50)},
		{"white", scene.RGB(235, 235, 235)}}

	lampSpots = [len(serving{}.lit)]scene.Vec{{X: -0.39, Y: 0.05}, {X: 0.40, Y: 0.05}}
	lidSpots  = [len(serving{}.open)]scene.Vec{{X: -0.12, Y: -0.22}, {Y: -0.22}, {X: 0.12, Y: -0.22}}
)

// Scene lays the table. The nuisance is the dinner table's; lamps and lids stay where they are.
func (w *service) Scene(s State, j *scene.Jitter) (*scene.Scene, error) {
	if err := checkState(w, s); err != nil {
		return nil, err
	}
	at := w.states[s]
	var fixtures []scene.Body
	for k := range w.lamps {
		fixtures = append(fixtures, fixture(lampSpots[k], lampRadius, at.lit[k], lampGlass))
	}
	for k := range w.lids {
		fixtures = append(fixtures, fixture(lidSpots[k], lidRadius, !at.open[k], lidPaint))
	}
	sc := at.layout.scene(w.real, fixtures, j)
	sc.Changing = w.changing
	for i := range sc.Bodies {
		b := &sc.Bodies[i]
		if o := b.Object - 1; o >= 0 && o < len(at.paint) && at.paint[o] > 0 {
			b.Material.Color = paints[at.paint[o]-1].color
		}
	}
	return sc, nil
}

// fixture is a disc that is up, or sunk in the table.
func fixture(at scene.Vec, radius float64, up bool, m scene.Material) scene.Body {
	at.Z = sunk
	if up {
		at.Z = fixtureHeight / 2
	}
	return scene.Body{Shape: scene.Cylinder{Radius: radius, Height: fixtureHeight / 2, Bevel: 0.002},
		At: at, Rot: scene.Level, Material: m}
}
