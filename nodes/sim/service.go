package sim

import (
	"fmt"
	"slices"

	"stripswm/models/worlds"
	"stripswm/nodes/sim/scene"
)

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

	lampSpots = [2]scene.Vec{{X: -0.39, Y: 0.05}, {X: 0.40, Y: 0.05}}
	lidSpots  = [3]scene.Vec{{X: -0.12, Y: -0.22}, {Y: -0.22}, {X: 0.12, Y: -0.22}}
)

// The service tables are dinner tables with skills of other kinds than to pick from a place and to
// place there: such that set a fact whatever it was before, flip one, or depend on the state. Lamps
// and lids are on the table and stay where they are.
func init() {
	for _, t := range []struct {
		name               string
		real               bool
		objects            int
		explored, actions  int // of its data set
		lamps, lids, paint int // that it shows, and objects that are painted
		rules              func(objects, places int) *worlds.World
	}{
		// Moves before the fifth object was added.
		{name: "moves4", objects: 4, explored: 100, actions: 28, rules: worlds.Moves},
		{name: "moves", objects: 5, explored: 100, actions: 35, rules: worlds.Moves},
		{name: "movesreal", real: true, objects: 5, explored: 100, actions: 35, rules: worlds.Moves},
		{name: "picks", objects: 5, explored: 150, actions: 40, rules: worlds.Picks},
		{name: "picksreal", real: true, objects: 5, explored: 150, actions: 40, rules: worlds.Picks},
		{name: "lamp", objects: 4, explored: 150, actions: 57, lamps: 1, rules: worlds.Lamp},
		// All its states: in a part of them a sweep may lead to where nothing leads on.
		{name: "sweep", objects: 4, explored: 1680, actions: 57, rules: worlds.Sweep},
		{name: "lids", objects: 4, explored: 150, actions: 59, lids: 3, rules: worlds.Lids},
		{name: "switches", objects: 4, explored: 150, actions: 60, lamps: 2, rules: worlds.Switches},
		{name: "paint", objects: 3, explored: 150, actions: 30, paint: 2, rules: worlds.Paint},
	} {
		d := dinner(t.objects, t.real, t.rules)
		d.dataset = Dataset{States: t.explored, Actions: t.actions, Transitions: 12000}
		lamps := t.objects
		lids := lamps + t.lamps
		painted := lids + t.lids
		d.variables = slices.Concat(d.variables,
			flags(t.lamps, "lit"),
			flags(t.lids, "open"),
			each(t.paint, func(o int) []string {
				return each(len(paints), func(k int) string {
					return fmt.Sprintf("painted_%d_%s", o, paints[k].name)
				})
			}))
		d.describe = func(w word) string {
			text := describeDinner(w[:lamps])
			for o, paint := range w[painted:] {
				if paint != none {
					text += fmt.Sprintf(", %s %s", dinnerObjects[o], paints[paint].name)
				}
			}
			for k, lit := range w[lamps:lids] {
				text += fmt.Sprintf(", lamp %d %s", k, [...]string{"off", "on"}[lit+1])
			}
			for k, open := range w[lids:painted] {
				text += fmt.Sprintf(", lid %d %s", k, [...]string{"closed", "open"}[open+1])
			}
			return text
		}
		d.scene = func(w word, j *scene.Jitter) (*scene.Scene, error) {
			var fixtures []scene.Body
			for k, lit := range w[lamps:lids] {
				fixtures = append(fixtures, fixture(lampSpots[k], lampRadius, lit != none, lampGlass))
			}
			for k, open := range w[lids:painted] {
				fixtures = append(fixtures, fixture(lidSpots[k], lidRadius, open == none, lidPaint))
			}
			sc := dinnerScene(w[:lamps], t.real, fixtures, j)
			sc.Changing = t.paint > 0
			for i := range sc.Bodies {
				b := &sc.Bodies[i]
				if o := b.Object - 1; o >= 0 && o < t.paint && w[painted+o] != none {
					b.Material.Color = paints[w[painted+o]].color
				}
			}
			return sc, nil
		}
		define(t.name, d)
	}
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
