package vision

import (
	"crypto/sha256"
	"encoding/gob"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

func writtenCheckpoint(t testing.TB) (path string, c checkpoint) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "stage1")
	c = checkpoint{Settings: "tiny", Seed: 3, Step: 20, State: [4][]float32{{1, 2}, {3}, {4}, {5, 6}}, Sums: []float64{0.5}, Count: 2}
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
	if err := readGob(path+"x", &got); !errors.Is(err, fs.ErrNotExist) || errors.Is(err, ErrCheckpoint) {
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
		if err := readGob(path, &c); !errors.Is(err, ErrCheckpoint) || !strings.Contains(err.Error(), want) || !reflect.DeepEqual(c, checkpoint{}) {
			t.Fatalf("%s: read as %+v, %v; want an error with %q", what, c, err, want)
		}
	}
	for i := range whole {
		changed := append([]byte{}, whole...)
		changed[i] ^= 4
		refused("a changed byte", changed, "its checksum is wrong")
		refused("a cut", whole[:i], "delete it to start anew")
	}
	var earlier strings.Builder // without a checksum
	if err := gob.NewEncoder(&earlier).Encode(checkpoint{Step: 1}); err != nil {
		t.Fatal(err)
	}
	refused("an earlier version's", []byte(earlier.String()), "an earlier version wrote it")
}

// FuzzCheckpoint gives arbitrary bytes the checksum that is right for them: decoding may fail and no more.
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
		if err := decodeGob(append(data, sum[:]...), &c); err != nil && strings.Contains(err.Error(), "checksum") {
			t.Error(err)
		}
	})
}
