package learn_test

import (
	"context"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"stripswm/bags"
	"stripswm/models/dataset"
	"stripswm/models/pixels"
	"stripswm/msgs"
	"stripswm/nodes/learn"
	"stripswm/nodes/sim"
)

func TestLoadKeepsOrderAndOutcomes(t *testing.T) {
	r := must(learn.Load(t.Context(), recording, letterbox, 18, nil))
	defer r.Close()
	succeeded, refused := 0, 0
	for step := range must(sim.RunPolicy(blocks(), sim.Balanced, 2, transitions, sim.Faults{})) {
		list, n := &r.Data.Transitions, &succeeded
		if !step.OK {
			list, n = &r.Data.Refused, &refused
		}
		if got := (*list)[*n].Action; got != step.Action {
			t.Fatalf("attempt %d is action %d, want %d", succeeded+refused, got, step.Action)
		}
		*n++
	}
	if succeeded != len(r.Data.Transitions) || refused != len(r.Data.Refused) {
		t.Errorf("%d and %d attempts", len(r.Data.Transitions), len(r.Data.Refused))
	}
	if last, err := r.Image(r.Data.Images() - 1); err != nil || last.Width != 64 {
		t.Errorf("the last image: %dx%d, %v", last.Width, last.Height, err)
	}
	if _, err := learn.Load(t.Context(), recording, letterbox, 3, nil); !errors.Is(err,
		dataset.ErrData) {
		t.Errorf("more actions than L: %v", err)
	}
	canceled, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := learn.Load(canceled, recording, letterbox, 18, nil); !errors.Is(err,
		context.Canceled) {
		t.Errorf("a canceled load: %v", err)
	}
}

// TestSplit takes the end of a recording out: every attempt is in one part, with its own
// images, and but for the one at the cut none is lost.
func TestSplit(t *testing.T) {
	r := must(learn.Load(t.Context(), recording, letterbox, 18, nil))
	defer r.Close()
	for _, share := range []float64{0, 0.2, 0.5, 0.9} {
		kept, held := r.Split(share)
		if n := int(share * float64(len(r.Data.Transitions))); len(held.Data.Transitions) != n ||
			len(kept.Data.Transitions) != len(r.Data.Transitions)-n {
			t.Errorf("%g: %d and %d transitions of %d", share, len(kept.Data.Transitions),
				len(held.Data.Transitions), len(r.Data.Transitions))
		}
		if len(kept.Data.Refused)+len(held.Data.Refused) != len(r.Data.Refused) ||
			kept.Data.Images()+held.Data.Images() != r.Data.Images() {
			t.Errorf("%g: %d and %d refused attempts, %d and %d images", share, len(kept.Data.Refused),
				len(held.Data.Refused), kept.Data.Images(), held.Data.Images())
		}
		for i, part := range [][]dataset.Transition{kept.Data.Transitions, held.Data.Transitions} {
			from, whole := []*learn.Recording{kept, held}[i], r.Data.Transitions
			if i == 1 {
				whole = whole[len(kept.Data.Transitions):]
			}
			for k, got := range part {
				if want := whole[k]; got.Action != want.Action || got.Follows != (want.Follows && k > 0) ||
					!slices.Equal(from.Data.Image(got.After), r.Data.Image(want.After)) {
					t.Fatalf("%g: attempt %d of part %d is %+v, want %+v", share, k, i, got, want)
				}
				if k%50 == 0 {
					one, err := from.Image(got.Before)
					two, err2 := r.Image(whole[k].Before)
					if err != nil || err2 != nil || !slices.Equal(one.Pix, two.Pix) {
						t.Fatalf("%g: attempt %d of part %d has another image: %v, %v", share, k, i, err, err2)
					}
				}
			}
		}
	}
}

// folderOf makes a folder of plain images, of any size, with this table.
func folderOf(t *testing.T, images int, table string) string {
	t.Helper()
	dir := t.TempDir()
	for i := range images {
		f := must(os.Create(filepath.Join(dir, fmt.Sprintf("%d.png", i))))
		img := image.NewGray(image.Rect(0, 0, 90+7*i, 70))
		for p := range img.Pix {
			img.Pix[p] = color.Gray{Y: uint8(40 * i)}.Y
		}
		must(0, png.Encode(f, img))
		must(0, f.Close())
	}
	must(0, os.WriteFile(filepath.Join(dir, bags.TableName), []byte(table), 0o666))
	return dir
}

// A folder of images and the bag that import makes of it are one recording: what follows what,
// names and images.
func TestLoadFolder(t *testing.T) {
	dir := folderOf(t, 4, `before,action,after,outcome,reset
0.png,pick,1.png,succeeded,
1.png,place,2.png,succeeded,
2.png,place,3.png,succeeded,1
3.png,drop,3.png,refused,
3.png,pick,0.png,succeeded,
0.png,drop,0.png,refused,1
0.png,pick,1.png,succeeded,
`)
	bag := filepath.Join(t.TempDir(), "bag")
	must(bags.Import(t.Context(), dir, bag, nil, nil))
	for _, path := range []string{dir, bag} {
		r := must(learn.Load(t.Context(), path, letterbox, 0, nil))
		defer r.Close()
		var actions []int
		var follows []bool
		for _, tr := range r.Data.Transitions {
			actions, follows = append(actions, int(tr.Action)), append(follows, tr.Follows)
		}
		if !slices.Equal(actions, []int{2, 3, 3, 2, 2}) ||
			!slices.Equal(follows, []bool{false, true, false, true, false}) {
			t.Errorf("%s: actions %v, follows %v", path, actions, follows)
		}
		if len(r.Data.Refused) != 2 || r.Data.Actions != 3 ||
			!slices.Equal(r.Names, []string{"drop", "pick", "place"}) {
			t.Errorf("%s: %d refused, %d actions, names %q", path, len(r.Data.Refused), r.Data.Actions,
				r.Names)
		}
		if p, err := r.Image(r.Data.Transitions[1].After); err != nil || p.Width != 104 ||
			p.Height != 70 {
			t.Errorf("%s: image of %dx%d, %v", path, p.Width, p.Height, err)
		}
	}
}

// TestLoadTakesTheRegion by what the recording says of its camera, or by what somebody else does.
func TestLoadTakesTheRegion(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "bag")
	w := must(bags.Create(dir, bags.Options{}))
	now := time.Unix(100, 0)
	must(0, w.Tell(bags.CameraTopic, now, bags.Camera{Region: []float64{0.5, 0, 0.5, 0.5}, Bits: 12}))
	tr := &msgs.Transition{ImageTopic: "/camera", Action: 1, Outcome: msgs.TransitionSucceeded,
		Before: msgs.TimeFrom(now), After: msgs.TimeFrom(now.Add(time.Second))}
	tr.Header.Stamp = tr.After
	for _, stamp := range []msgs.Time{tr.Before, tr.After} {
		im := &msgs.Image{Header: msgs.Header{Stamp: stamp}, Width: 64, Height: 64, Step: 128,
			Encoding: "mono16", Data: make([]byte, 64*128)}
		for x := 32; x < 64; x++ { // the upper right quarter is white, for 12 bits
			for y := range 32 {
				im.Data[y*128+2*x], im.Data[y*128+2*x+1] = 0xff, 0x0f
			}
		}
		must(0, w.Write("/camera", now, im))
	}
	must(0, w.WriteTransition(tr))
	must(0, w.Close())
	for name, c := range map[string]struct {
		camera func(pixels.Camera) pixels.Camera
		width  int
		mean   float64
	}{
		"as recorded":    {nil, 32, 255},
		"all, 16 bits":   {func(pixels.Camera) pixels.Camera { return pixels.Camera{} }, 64, 15.0 / 4},
		"another region": {pixels.Camera{Region: pixels.Region{Width: 1, Height: 0.5}}.Or, 64, 255.0 / 2},
	} {
		r := must(learn.Load(t.Context(), dir, learn.Frame{Side: 16, Fit: pixels.Stretch,
			Camera: c.camera}, 0, nil))
		defer r.Close()
		sum := 0
		for _, v := range r.Data.Image(0) {
			sum += int(v)
		}
		if mean := float64(sum) / float64(len(r.Data.Image(0))); mean != c.mean {
			t.Errorf("%s: mean %g, want %g", name, mean, c.mean)
		}
		if p := must(r.Image(0)); p.Width != c.width {
			t.Errorf("%s: an image %d wide, want %d", name, p.Width, c.width)
		}
	}
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// TestAppend: a second recording may have more skills, and follows nothing of the first one. Ids
// and the camera's region must be the same.
func TestAppend(t *testing.T) {
	const columns = "before,action,after,outcome\n"
	first := folderOf(t, 3, columns+"0.png,1,1.png,succeeded\n1.png,2,2.png,succeeded\n")
	second := folderOf(t, 2, columns+"0.png,3,1.png,succeeded\n")
	load := func(dir string, f learn.Frame) *learn.Recording {
		return must(learn.Load(t.Context(), dir, f, 0, nil))
	}
	all, more := load(first, letterbox), load(second, letterbox)
	defer all.Close()
	all.Names, more.Names = []string{"open", "shut"}, []string{"open", "shut", "sweep"}
	must(0, all.Append(more))
	d := all.Data
	if d.Actions != 3 || d.Images() != 5 || len(all.Names) != 3 || len(d.Transitions) != 3 ||
		d.Transitions[2].Before != 3 || d.Transitions[2].Follows || !d.Transitions[1].Follows {
		t.Errorf("%d actions, %d images, %q, %+v", d.Actions, d.Images(), all.Names, d.Transitions)
	}
	if _, err := all.Image(4); err != nil {
		t.Errorf("an image of the second recording: %v", err)
	}
	renamed, part := load(second, letterbox), letterbox
	defer renamed.Close()
	renamed.Names = []string{"shut"}
	part.Camera = pixels.Camera{Region: pixels.Region{Width: 1, Height: 0.5}}.Or
	cut := load(second, part)
	defer cut.Close()
	for want, other := range map[string]*learn.Recording{"keep their meaning": renamed,
		"region": cut} {
		if err := all.Append(other); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}

func TestLoadFolderNamesTheTornImage(t *testing.T) {
	dir := folderOf(t, 2, "before,action,after,outcome\n0.png,1,1.png,succeeded\n")
	torn := filepath.Join(dir, "1.png")
	data := must(os.ReadFile(torn))
	must(0, os.WriteFile(torn, data[:len(data)/2], 0o666))
	if _, err := learn.Load(t.Context(), dir, letterbox, 0, nil); err == nil ||
		!strings.Contains(err.Error(), "1.png (transitions.csv:2)") {
		t.Errorf("error %v does not name the image", err)
	}
}

// TestLoadKnowsWhatFollows records attempts of each outcome: a refused one leaves
// the scene as it was, after one without a known result anything may be found.
func TestLoadKnowsWhatFollows(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "bag")
	bag := must(bags.Create(dir, bags.Options{}))
	const topic = "/camera/image_raw/compressed"
	stamp := time.Unix(100, 0)
	photograph := func() msgs.Time {
		stamp = stamp.Add(time.Second)
		at := msgs.TimeFrom(stamp)
		img := must(msgs.NewJPEG(msgs.Header{Stamp: at}, image.NewRGBA(image.Rect(0, 0, 64, 64)), 90))
		must(0, bag.WriteImage(topic, img))
		return at
	}
	const succeeded, refused, failed = msgs.TransitionSucceeded, msgs.TransitionRefused,
		msgs.TransitionFailed
	for _, outcome := range []uint8{succeeded, succeeded, refused, succeeded, failed, succeeded,
		failed, refused, succeeded, succeeded} {
		tr := &msgs.Transition{ImageTopic: topic, Before: photograph(), Action: 1, After: photograph(),
			Outcome: outcome}
		tr.Header.Stamp = tr.After
		must(0, bag.WriteTransition(tr))
	}
	must(0, bag.Close())
	r := must(learn.Load(t.Context(), dir, letterbox, 0, nil))
	defer r.Close()
	var follows, resumes []bool
	for _, transition := range r.Data.Transitions {
		follows = append(follows, transition.Follows)
		resumes = append(resumes, transition.Resumes)
	}
	if want := []bool{false, true, true, false, false, true}; !slices.Equal(follows, want) {
		t.Errorf("follows %v, want %v", follows, want)
	}
	if want := []bool{false, false, false, true, true, false}; !slices.Equal(resumes, want) ||
		len(r.Data.Failed) != 2 {
		t.Errorf("resumes %v, want %v; %d failed", resumes, want, len(r.Data.Failed))
	}
}
