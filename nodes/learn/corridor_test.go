package learn_test

import (
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"stripswm/bags"
	"stripswm/models/networks"
	"stripswm/models/vision"
	"stripswm/nodes/learn"
)

// corridorState is where a robot and an object are in a corridor of three cells. The robot carries
// an object that is in no cell.
type corridorState struct{ robot, object int }

const carried = -1

var corridorSkills = []string{"up", "down", "left", "right", "pick", "drop"}

// apply is the state after a skill, and whether the skill applies. There is no way up or down.
func (s corridorState) apply(skill string) (corridorState, bool) {
	next := s
	switch skill {
	case "left":
		next.robot = max(s.robot-1, 0)
	case "right":
		next.robot = min(s.robot+1, 2)
	case "pick":
		if s.object == s.robot {
			next.object = carried
		}
	case "drop":
		if s.object == carried {
			next.object = s.robot
		}
	}
	return next, next != s
}

// image is the image of a state, the same pixels each time. The object has two pixels a side.
func (s corridorState) image() image.Image {
	const cell = 20
	img := image.NewRGBA(image.Rect(0, 0, 3*cell, cell))
	fill := func(place, x, y, size int, c color.RGBA) {
		square := image.Rect(x, y, x+size, y+size).Add(image.Pt(place*cell, 0))
		draw.Draw(img, square, image.NewUniform(c), image.Point{}, draw.Src)
	}
	for place := range 3 {
		fill(place, 0, 0, cell, color.RGBA{90, 90, 90, 255})
		fill(place, 1, 1, cell-2, color.RGBA{220, 220, 210, 255})
	}
	fill(s.robot, 3, 3, cell-6, color.RGBA{40, 70, 200, 255})
	at, y := s.object, 12
	if at == carried {
		at, y = s.robot, 4
	}
	fill(at, 4, y, 2, color.RGBA{210, 40, 40, 255})
	return img
}

// recordCorridor writes a folder of images, each attempt with two of its own. Skills are drawn
// uniformly; before every twentieth attempt somebody puts robot and object elsewhere, which is
// marked.
func recordCorridor(dir string, attempts int) {
	must(0, os.MkdirAll(dir, 0o777))
	rng, images := rand.New(rand.NewPCG(1, 0)), 0
	table := "before,action,after,outcome,reset\n"
	show := func(s corridorState) string {
		name := fmt.Sprintf("%05d.png", images)
		images++
		f := must(os.Create(filepath.Join(dir, name)))
		must(0, png.Encode(f, s.image()))
		must(0, f.Close())
		return name
	}
	anywhere := func() corridorState { return corridorState{rng.IntN(3), rng.IntN(3)} }
	s := anywhere()
	for i := range attempts {
		reset := 0
		if i > 0 && i%20 == 0 {
			s, reset = anywhere(), 1
		}
		skill := corridorSkills[rng.IntN(len(corridorSkills))]
		next, applies := s.apply(skill)
		outcome := "succeeded"
		if !applies {
			outcome = "refused"
		}
		table += fmt.Sprintf("%s,%s,%s,%s,%d\n", show(s), skill, show(next), outcome, reset)
		s = next
	}
	must(0, os.WriteFile(filepath.Join(dir, bags.TableName), []byte(table), 0o666))
}

// TestSmallObjectsWithoutNoise learns a corridor of 12 states from images without noise, in which
// the object is so small that training stalls while codes tell no more than where the robot is: it
// has to go on, and what it learns may not be replaced by the fallback, which collapses to 3 codes.
func TestSmallObjectsWithoutNoise(t *testing.T) {
	dir := t.TempDir()
	recordCorridor(filepath.Join(dir, "images"), 400)
	p := vision.Auto()
	p.Backbone = networks.Isotropic{Size: 64, Patch: 8, Dim: 16, Depth: 1, Kernel: 7, Expand: 4,
		Reduced: 16, Hidden: 64}
	p.Batch, p.WorldModel.Evaluate, p.WorldModel.Steps = 32, 20, 1100
	r := must(learn.Learner{
		Bags: []string{filepath.Join(dir, "images")}, Out: filepath.Join(dir, "out"), Preset: p, Seed: 1,
		Threads: 1, Stage: learn.GraphStage,
	}.Run(t.Context()))
	defer r.Recording.Close()
	if r.World.Chosen.Codes != 12 || r.Graph.NumStates() != 12 || len(r.Cuts) > 0 {
		t.Errorf(
			"%d codes, %d states, %d unmarked changes; want 12, 12 and 0 (trained with %q until step %d)",
			r.World.Chosen.Codes, r.Graph.NumStates(), len(r.Cuts), r.World.Fallback, r.World.Chosen.Step)
	}
}
