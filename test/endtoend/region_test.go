package endtoend

import (
	"image"
	"image/color"
	"image/draw"
	"slices"
	"strconv"
	"strings"
	"testing"

	"stripswm/models/strips"
	"stripswm/nodes/sim"
	"stripswm/nodes/sim/camera"
)

// covered plans to goal images whose left half is covered: what is at the right has to be as in the
// goal, and what is at the left is of no account.
func covered(t *testing.T, bundle string, table sim.World) {
	t.Helper()
	solved, refused := 0, 0
	for i, states := range [][2]sim.State{{4321, 77}, {123, 5000}, {6001, 2500}, {3000, 999}} {
		start, goal := tableImage(t, table, states[0], i), tableImage(t, table, states[1], 10+i)
		left := image.Rect(0, 0, goal.Bounds().Dx()/2, goal.Bounds().Dy())
		draw.Draw(goal, left, image.NewUniform(color.RGBA{200, 30, 30, 255}), image.Point{}, draw.Src)
		r := run(t, "plan", "--bundle", bundle, "--start", save(t, start), "--goal",
			save(t, goal), "--goal-region", "0.5,0,0.5,1")
		if r.Code == 13 {
			refused++
			continue
		}
		end := follow(t, table, states[0], r.Stdout)
		if is, want := atRight(table, end), atRight(table, states[1]); r.Code != 0 ||
			!slices.Equal(is, want) {
			t.Errorf("exit %d, %s: ends with %q, want %q", r.Code, r.Stderr, is, want)
			continue
		}
		solved++
	}
	t.Logf("%d goals whose left half is covered are reached, %d refused", solved, refused)
	if solved < 2 {
		t.Error("want half of the goals reached")
	}
}

// atRight are the words about objects in the right half of the image.
func atRight(w sim.World, s sim.State) (words []string) {
	for word := range strings.SplitSeq(w.Describe(s), ", ") {
		if strings.HasSuffix(word, "right") {
			words = append(words, word)
		}
	}
	return words
}

// follow returns the state that a printed plan leads to.
func follow(t *testing.T, w sim.World, s sim.State, printed string) sim.State {
	t.Helper()
	var plan []strips.ActionID
	for line := range strings.Lines(printed) {
		id, _, _ := strings.Cut(line, "\t")
		a, err := strconv.Atoi(id)
		if err != nil {
			t.Fatalf("plan: %q", line)
		}
		plan = append(plan, strips.ActionID(a))
	}
	end, err := execute(w, s, plan)
	if err != nil {
		t.Error(err)
	}
	return end
}

func tableImage(t *testing.T, w sim.World, s sim.State, n int) *image.RGBA {
	t.Helper()
	img, err := camera.New(128, 128).Render(w, s, 1<<62+uint64(n))
	if err != nil {
		t.Fatal(err)
	}
	all := image.NewRGBA(img.Bounds())
	draw.Draw(all, all.Bounds(), img, img.Bounds().Min, draw.Src)
	return all
}
