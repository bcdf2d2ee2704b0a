package vision

import (
	"context"
	"crypto/sha256"
	"encoding/gob"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"stripswm/models/dataset/datasettest"
)

func writtenCheckpoint(t testing.TB) (path string, c checkpoint) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "stage1")
	c = checkpoint{Settings: "tiny", Seed: 3, Step: 20,
		State: [4][]float32{{1, 2}, {3}, {4}, {5, 6}}, Sums: []float64{0.5}, Count: 2}
	if err := writeGob(path, c); err != nil {
		t.Fatal(err)
	}
	return path, c
}

func TestCheckpointComesBack(t *testing.T) {
	path, want := writtenCheckpoint(t)
	var got checkpoint
	if err := readGob(path, &got); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%+v came back as %+v, %v", want, got, err)
	}
	if err := readGob(path+"x", &got); !errors.Is(err, fs.ErrNotExist) ||
		errors.Is(err, ErrCheckpoint) {
		t.Errorf("no file: %v", err)
	}
}

// TestDamagedCheckpointIsRefused changes each byte in turn and cuts the file at each.
func TestDamagedCheckpointIsRefused(t *testing.T) {
	path, _ := writtenCheckpoint(t)
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	refused := func(what string, data []byte, want string) {
		t.Helper()
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		var c checkpoint
		if err := readGob(path, &c); !errors.Is(err, ErrCheckpoint) ||
			!strings.Contains(err.Error(), want) || !reflect.DeepEqual(c, checkpoint{}) {
			t.Fatalf("%s: read as %+v, %v; want an error with %q", what, c, err, want)
		}
	}
	for i := range whole {
		changed := append([]byte{}, whole...)
		changed[i] ^= 4
		refused("a changed byte", changed, "its checksum is wrong")
		refused("a cut", whole[:i], "delete it to start again")
	}
	var earlier strings.Builder // without a checksum
	if err := gob.NewEncoder(&earlier).Encode(checkpoint{Step: 1}); err != nil {
		t.Fatal(err)
	}
	refused("an earlier version's", []byte(earlier.String()), "an earlier version wrote it")
}

// FuzzCheckpoint gives arbitrary bytes the checksum that is right for them: decoding may fail and
// no more.
func FuzzCheckpoint(f *testing.F) {
	path, _ := writtenCheckpoint(f)
	whole, err := os.ReadFile(path)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(whole[:len(whole)-sha256.Size])
	f.Fuzz(func(t *testing.T, data []byte) {
		sum := sha256.Sum256(data)
		var c checkpoint
		if err := decodeGob(append(data, sum[:]...), &c); err != nil &&
			strings.Contains(err.Error(), "checksum") {
			t.Error(err)
		}
	})
}

// TestInterruptedBeforeTheFirstEvaluation stops where there is nothing to choose from yet: the
// steps are kept, or the error says that nothing is.
func TestInterruptedBeforeTheFirstEvaluation(t *testing.T) {
	d, _ := datasettest.NewLamps(3).Transitions(100)
	p := tiny()
	p.WorldModel.Steps, p.WorldModel.Evaluate = 20, 10
	whole, err := TrainWorldModel(context.Background(), d, p, Options{Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		checkpoint string
		after      int // steps; 0: before the first
		want       string
	}{
		"in the middle":        {filepath.Join(t.TempDir(), "a"), 4, "keeps step 4"},
		"before the first":     {filepath.Join(t.TempDir(), "b"), 0, "nothing is kept"},
		"without a checkpoint": {"", 4, "nothing is kept"},
	} {
		ctx, cancel := context.WithCancel(context.Background())
		if c.after == 0 {
			cancel()
		}
		o := Options{Seed: 1, Resume: true, Checkpoint: c.checkpoint,
			Progress: func(step, _ int, _ *Evaluation) {
				if step == c.after {
					cancel()
				}
			}}
		learned, err := TrainWorldModel(ctx, d, p, o)
		if learned != nil || !errors.Is(err, context.Canceled) ||
			!strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, %v; want an error with %q", name, learned, err, c.want)
		}
		o.Progress = nil
		resumed, err := TrainWorldModel(context.Background(), d, p, o)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(whole.Teacher, resumed.Teacher) ||
			!reflect.DeepEqual(whole.History, resumed.History) {
			t.Errorf("%s: a resumed run ends elsewhere than an uninterrupted one", name)
		}
	}
}

func TestOnlyACheckpointIsReplaced(t *testing.T) {
	ours, _ := writtenCheckpoint(t)
	theirs := filepath.Join(t.TempDir(), "stage1.checkpoint")
	if err := os.WriteFile(theirs, []byte("a list of things that I have to do before Friday"),
		0o644); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]error{ours: nil, ours + "x": nil, theirs: ErrCheckpoint} {
		trainer := trainer{options: Options{Checkpoint: path}}
		if err := trainer.resume(); !errors.Is(err, want) {
			t.Errorf("%s: %v, want %v", path, err, want)
		}
	}
}

// TestSettingsKeepTheirText has the SHA-256 of the presets' settings as the first version wrote
// them into checkpoints: another text would make these unusable.
func TestSettingsKeepTheirText(t *testing.T) {
	want := map[string]string{
		"auto":   "0d0dfafe5e37c0996fab7487bb1d17db390566269183eb2a544240a03466b6cb",
		"small":  "6befb816356c95999e1ac62dcbb646f5c21e19c649c14e813c19ce20133cca05",
		"medium": "8d04e7ee3e08024edaa995a4dac02f573de0f0b9d37150d45107a731f371ca49",
		"paper":  "521294f17d00bb9a0bcb167f7640f8ec4e6bdeac22c64a2e20e8cb27f70d1b5e",
	}
	for _, p := range Presets() {
		if got := fmt.Sprintf("%x", sha256.Sum256([]byte(p.settings()))); got != want[p.Name] {
			t.Errorf("preset %s: %s", p.Name, p.settings())
		}
	}
}
