package bags_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/jpeg"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"stripswm/bags"
	"stripswm/msgs"
)

const camera = "/camera/image"

// A step is one thing that is recorded.
type step func(w *bags.Writer) error

// sees records an image at a time in seconds; its pixels depend on the time.
func sees(sec int) step {
	return func(w *bags.Writer) error {
		return w.WriteImage(camera, msgs.NewImage(header(sec), img(sec)))
	}
}

func seesJPEG(sec int) step {
	return func(w *bags.Writer) error {
		m, err := msgs.NewJPEG(header(sec), img(sec), 90)
		if err != nil {
			return err
		}
		return w.WriteImage(camera, m)
	}
}

// does records that an action led from the image at one time to the image at another.
func does(action uint32, from, to int) step {
	return ends(action, from, to, msgs.TransitionSucceeded)
}

func refuses(action uint32, from, to int) step {
	return ends(action, from, to, msgs.TransitionRefused)
}

func fails(action uint32, from, to int) step {
	return ends(action, from, to, msgs.TransitionFailed)
}

func ends(action uint32, from, to int, outcome uint8) step {
	return func(w *bags.Writer) error {
		return w.WriteTransition(&msgs.Transition{Header: header(to), ImageTopic: camera,
			Before: at(from), Action: action, After: at(to), Outcome: outcome})
	}
}

func reports(action uint32, phase uint8) step {
	return func(w *bags.Writer) error {
		return w.Write("/skill_status", time.Unix(1, 0), &msgs.SkillStatus{Action: action, Phase: phase})
	}
}

func at(sec int) msgs.Time       { return msgs.Time{Sec: int32(1000 + sec)} }
func header(sec int) msgs.Header { return msgs.Header{Stamp: at(sec), FrameID: "camera_optical"} }
func img(sec int) *image.RGBA {
	img := image.NewRGBA(image.Rect(0, 0, 8, 6))
	for i := range 48 {
		img.SetRGBA(i%8, i/8, color.RGBA{uint8(sec), uint8(i), uint8(sec * i), 255})
	}
	return img
}

// fixed is Options with a clock that ticks once a message, so that recordings are the same each
// time.
func fixed(o bags.Options) bags.Options {
	now := time.Unix(1000, 0)
	o.Clock = func() time.Time {
		now = now.Add(time.Millisecond)
		return now
	}
	return o
}

// bag makes a recording of the steps and closes it.
func bag(t testing.TB, o bags.Options, steps ...step) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "run")
	w := must(bags.Create(dir, fixed(o)))
	for i, s := range steps {
		if err := s(w); err != nil {
			t.Fatalf("step %d: %v", i, err)
		}
	}
	must(0, w.Close())
	return dir
}

// threeAttempts is a small recording with every outcome.
func threeAttempts() []step {
	return []step{
		reports(7, msgs.SkillStatusStarted), sees(1), sees(2), does(7, 1, 2),
		sees(3), refuses(4, 2, 3),
		sees(5), fails(70, 3, 5),
	}
}

func dataFile(dir string) string { return filepath.Join(dir, "run_0.mcap") }

// attempt is a Transition without its images.
type attempt struct {
	Index    int
	Action   uint32
	Outcome  bags.Outcome
	From, To int
}

// attempts reads all transitions; images must decode to what was recorded.
func attempts(t testing.TB, dir string) ([]attempt, error) {
	t.Helper()
	r := must(bags.Open(dir))
	defer r.Close()
	var all []attempt
	var errs []error
	for tr, err := range r.Transitions(context.Background()) {
		if err != nil {
			errs = append(errs, err)
			continue
		}
		a := attempt{tr.Index, tr.Action, tr.Outcome, int(tr.Before.Stamp.Sec) - 1000,
			int(tr.After.Stamp.Sec) - 1000}
		for sec, im := range map[int]bags.Image{a.From: tr.Before, a.To: tr.After} {
			m := must(im.Message())
			if _, err := decode(m); err != nil {
				t.Error(err)
			}
			if raw, ok := m.(*msgs.Image); ok &&
				!bytes.Equal(raw.Data, msgs.NewImage(header(sec), img(sec)).Data) {
				t.Errorf("image at %d is another one", sec)
			}
		}
		all = append(all, a)
	}
	return all, errors.Join(errs...)
}

// reads compares what is read with what was recorded.
func reads(t testing.TB, dir string, want []attempt) {
	t.Helper()
	if got, err := attempts(t, dir); err != nil || !slices.Equal(got, want) {
		t.Errorf("read %v, %v; want %v", got, err, want)
	}
}

// intact checks a recording, which must be whole and have so many transitions.
func intact(t testing.TB, path string, transitions int) *bags.Report {
	t.Helper()
	report := check(path)
	if report.Class != bags.Intact || report.Transitions != transitions {
		t.Errorf("want %d transitions: %s", transitions, report)
	}
	return report
}

// decode stands in for a decoder of images.
func decode(m msgs.Message) (string, error) {
	if m, ok := m.(*msgs.Image); ok {
		if len(m.Data) != int(m.Height*m.Step) {
			return "", fmt.Errorf("%d bytes of pixels", len(m.Data))
		}
		return fmt.Sprintf("%dx%d %s", m.Width, m.Height, m.Encoding), nil
	}
	file := m.(*msgs.CompressedImage)
	size, err := jpeg.DecodeConfig(bytes.NewReader(file.Data))
	return fmt.Sprintf("%dx%d %s", size.Width, size.Height, file.Format), err
}

func check(path string) *bags.Report {
	return must(bags.Check(context.Background(), path, decode, nil))
}

func contents(path string) []byte {
	return must(os.ReadFile(path))
}

// must ends the test binary on an error: without its recording, a test can say nothing.
func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}
