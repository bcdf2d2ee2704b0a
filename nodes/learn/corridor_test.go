package learn_test

import (
	"encoding/csv"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"stripswm/bags"
	"stripswm/models/networks"
	"stripswm/models/vision"
	"stripswm/nodes/learn"
)

// gridWorld is a robot that moves over a grid of cells and carries one of some objects: six
// skills whose effect depends on the state. Pick takes the first object in the robot's cell.
type gridWorld struct {
	rows, columns, objects int
	size                   int // of an object, pixels; a cell is 20 wide
}

// gridState is the robot's cell and those of the objects, each a digit; carried is one that the
// robot carries.
type gridState string

const carried = 'c'

var gridSkills = []string{"up", "down", "left", "right", "pick", "drop"}

// apply is the state after a skill, and whether the skill applies.
func (w gridWorld) apply(s gridState, skill string) (gridState, bool) {
	next := []byte(s)
	row, x := int(s[0]-'0')/w.columns, int(s[0]-'0')%w.columns
	held := strings.IndexByte(string(s), carried)
	switch skill {
	case "up":
		row--
	case "down":
		row++
	case "left":
		x--
	case "right":
		x++
	case "pick":
		at := strings.IndexByte(string(s[1:]), s[0])
		if held >= 0 || at < 0 {
			return s, false
		}
		next[1+at] = carried
		return gridState(next), true
	case "drop":
		if held < 0 {
			return s, false
		}
		next[held] = s[0]
		return gridState(next), true
	}
	if row < 0 || row >= w.rows || x < 0 || x >= w.columns {
		return s, false
	}
	next[0] = byte('0' + row*w.columns + x)
	return gridState(next), true
}

// image is the image of a state, the same pixels each time.
func (w gridWorld) image(s gridState) image.Image {
	const cell = 20
	img := image.NewRGBA(image.Rect(0, 0, w.columns*cell, w.rows*cell))
	fill := func(place byte, x, y, size int, c color.RGBA) {
		x, y = x+int(place-'0')%w.columns*cell, y+int(place-'0')/w.columns*cell
		draw.Draw(img, image.Rect(x, y, x+size, y+size), image.NewUniform(c), image.Point{}, draw.Src)
	}
	for place := range w.rows * w.columns {
		fill(byte('0'+place), 0, 0, cell, color.RGBA{90, 90, 90, 255})
		fill(byte('0'+place), 1, 1, cell-2, color.RGBA{220, 220, 210, 255})
	}
	fill(s[0], 3, 3, cell-6, color.RGBA{40, 70, 200, 255})
	colours := []color.RGBA{{210, 40, 40, 255}, {40, 160, 60, 255}, {230, 170, 40, 255}}
	for i := range w.objects {
		at, y := s[1+i], 12
		if at == carried {
			at, y = s[0], 4
		}
		fill(at, 4+5*i, y, w.size, colours[i])
	}
	return img
}

// record writes a folder of images, each attempt with two of its own. Skills are drawn
// uniformly; before some attempts somebody puts robot and objects elsewhere, which is marked.
func (w gridWorld) record(t testing.TB, dir string, attempts, resets int, seed uint64) {
	t.Helper()
	must(0, os.MkdirAll(dir, 0o777))
	rng, images := rand.New(rand.NewPCG(seed, 0)), 0
	rows := [][]string{{"before", "action", "after", "outcome", "reset"}}
	show := func(s gridState) string {
		name := fmt.Sprintf("%05d.png", images)
		images++
		f := must(os.Create(filepath.Join(dir, name)))
		must(0, png.Encode(f, w.image(s)))
		must(0, f.Close())
		return name
	}
	anywhere := func() gridState {
		s := make([]byte, 1+w.objects)
		for i := range s {
			s[i] = byte('0' + rng.IntN(w.rows*w.columns))
		}
		return gridState(s)
	}
	s := anywhere()
	for i := range attempts {
		reset := "0"
		if resets > 0 && i > 0 && i%(attempts/resets) == 0 {
			s, reset = anywhere(), "1"
		}
		skill := gridSkills[rng.IntN(len(gridSkills))]
		next, applies := w.apply(s, skill)
		outcome := "succeeded"
		if !applies {
			next, outcome = s, "refused"
		}
		rows = append(rows, []string{show(s), skill, show(next), outcome, reset})
		s = next
	}
	f := must(os.Create(filepath.Join(dir, bags.TableName)))
	must(0, csv.NewWriter(f).WriteAll(rows))
	must(0, f.Close())
}

// TestSmallObjectsWithoutNoise learns a grid of 12 states from images without noise, in which the
// object is so small that training stalls while codes tell no more than where the robot is: it has
// to go on, and what it learns may not be replaced by the fallback, which collapses to 3 codes.
func TestSmallObjectsWithoutNoise(t *testing.T) {
	dir, w := t.TempDir(), gridWorld{rows: 1, columns: 3, objects: 1, size: 2}
	w.record(t, filepath.Join(dir, "images"), 400, 20, 1)
	p := vision.Auto()
	p.Backbone = networks.Isotropic{Size: 64, Patch: 8, Dim: 16, Depth: 1, Kernel: 7, Expand: 4,
		Reduced: 16, Hidden: 64}
	p.Batch, p.WorldModel.Evaluate, p.WorldModel.Steps = 32, 20, 1100
	r := must(learn.Learner{
		Bag: filepath.Join(dir, "images"), Out: filepath.Join(dir, "out"), Preset: p, Seed: 1, Threads: 1,
		Stage: learn.GraphStage,
	}.Run(t.Context()))
	defer r.Recording.Close()
	if r.World.Chosen.Codes != 12 || r.Graph.NumStates() != 12 || len(r.Cuts) > 0 {
		t.Errorf(
			"%d codes, %d states, %d unmarked changes; want 12, 12 and 0 (trained with %q until step %d)",
			r.World.Chosen.Codes, r.Graph.NumStates(), len(r.Cuts), r.World.Fallback, r.World.Chosen.Step)
	}
}
