package bags_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"stripswm/bags"
)

// damaged puts changed data into a copy of a recording, with or without its metadata.yaml.
func damaged(t testing.TB, dir string, data []byte, keepMetadata bool) string {
	t.Helper()
	copied := filepath.Join(t.TempDir(), "run")
	if err := os.Mkdir(copied, 0o755); err != nil {
		t.Fatal(err)
	}
	rewrite(t, dataFile(copied), data)
	if keepMetadata {
		rewrite(t, filepath.Join(copied, "metadata.yaml"),
			contents(t, filepath.Join(dir, "metadata.yaml")))
	}
	return copied
}

func rewrite(t testing.TB, path string, data []byte) {
	t.Helper()
	if err := os.WriteFile(path, data, 0o644); err != nil {
		t.Fatal(err)
	}
}

// acknowledgedAt makes a recording and returns its data, and for each transition the size at which
// it was acknowledged.
func acknowledgedAt(t testing.TB, o bags.Options, n int) (dir string, data []byte, sizes []int64) {
	t.Helper()
	dir = filepath.Join(t.TempDir(), "run")
	w, err := bags.Create(dir, fixed(o))
	if err != nil {
		t.Fatal(err)
	}
	if err := sees(0)(w); err != nil {
		t.Fatal(err)
	}
	for i := 1; i <= n; i++ {
		if err := errors.Join(sees(i)(w), does(uint32(i), i-1, i)(w)); err != nil {
			t.Fatal(err)
		}
		sizes = append(sizes, w.Size())
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return dir, contents(t, dataFile(dir)), sizes
}

func TestEveryTruncation(t *testing.T) {
	for compression, stride := range map[string]int{"": 1, "zstd": 7} {
		_, data, sizes := acknowledgedAt(t, bags.Options{Compression: compression}, 2)
		dir := damaged(t, "", data, false)
		for cut := len(data) - 1; cut >= 0; cut -= stride {
			if err := os.Truncate(dataFile(dir), int64(cut)); err != nil {
				t.Fatal(err)
			}
			want := 0
			for _, size := range sizes {
				if int64(cut) >= size {
					want++
				}
			}
			report := check(t, dir)
			if report.Class == bags.Intact || report.Transitions < want || report.Transitions > len(sizes) {
				t.Fatalf("cut to %d of %d bytes, %d acknowledged: %s", cut, len(data), want, report)
			}
			if cut%3 != 0 {
				continue
			}
			if got, err := attempts(t, dir); len(got) < want || err == nil && len(got) < len(sizes) {
				t.Fatalf("cut to %d of %d bytes: read %d of %d transitions, error %v", cut, len(data), len(got),
					want, err)
			}
		}
	}
}

func TestRepairAfterTruncation(t *testing.T) {
	_, data, sizes := acknowledgedAt(t, bags.Options{}, 3)
	for cut := 0; cut < len(data); cut += 397 {
		dir := damaged(t, "", data[:cut], false)
		want := 0
		for _, size := range sizes {
			if int64(cut) >= size {
				want++
			}
		}
		report, err := bags.Repair(context.Background(), dir, decode, nil)
		if errors.Is(err, bags.ErrNothingToKeep) && want == 0 {
			continue
		}
		if err != nil || !report.Repaired || report.Kept < want {
			t.Fatalf("cut to %d, %d acknowledged: %+v, %v", cut, want, report, err)
		}
		if after := check(t, dir); after.Class != bags.Intact || after.Transitions != report.Kept {
			t.Fatalf("cut to %d: not whole after repair: %s", cut, after)
		}
		if got := contents(t, dataFile(report.Backup)); string(got) != string(data[:cut]) {
			t.Fatalf("cut to %d: the backup is not what was found", cut)
		}
	}
}

func TestRepairCountsWhatIsLost(t *testing.T) {
	dir, data, sizes := acknowledgedAt(t, bags.Options{}, 3)
	if report, err := bags.Repair(context.Background(), dir, decode, nil); err != nil ||
		report.Repaired || report.Kept != 3 || report.Backup != "" {
		t.Errorf("an intact recording: %+v, %v", report, err)
	}
	// The last transition is cut off within its own bytes.
	dir = damaged(t, dir, data[:sizes[2]-100], false)
	report, err := bags.Repair(context.Background(), dir, decode, nil)
	if err != nil || report.Kept != 2 || report.Lost != 1 || report.Before.Class.ExitCode() != 3 {
		t.Errorf("%+v, %v", report, err)
	}
	// The chunk in the middle is damaged: its transition is lost, and the next one with it, which
	// began at its image.
	flipped := append([]byte(nil), data...)
	flipped[sizes[1]-400] ^= 1
	report, err = bags.Repair(context.Background(), damaged(t, dir, flipped, false), decode, nil)
	if err != nil || report.Kept != 1 || report.Lost != 2 {
		t.Errorf("%+v, %v, %s", report, err, report.Before)
	}
}

// A closed recording is covered by CRCs from end to end: no single flipped bit may go unnoticed,
// and none may make reading or repair panic.
func TestEveryFlippedBitIsNoticed(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, compression := range []string{"", "zstd"} {
		whole, data, _ := acknowledgedAt(t, bags.Options{Compression: compression}, 2)
		dir := damaged(t, whole, data, true)
		for at := 0; at < len(data); at += 1 + r.IntN(15) {
			bit := byte(1) << r.IntN(8)
			poke(t, dataFile(dir), at, data[at]^bit)
			if report := check(t, dir); report.Class == bags.Intact {
				t.Errorf("%q: byte %d with bit %02x flipped passes: %s", compression, at, bit, report)
			}
			attempts(t, dir)
			poke(t, dataFile(dir), at, data[at])
		}
	}
}

func poke(t *testing.T, path string, at int, b byte) {
	t.Helper()
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.WriteAt([]byte{b}, int64(at)); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
}

// A killed recording has no CRC over all, but each chunk has its own: what reads as whole is what
// was written.
func TestFlippedBitsInKilledRecording(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	_, data, sizes := acknowledgedAt(t, bags.Options{}, 2)
	data = data[:sizes[1]]
	for range 100 {
		at, bit := r.IntN(len(data)), byte(1)<<r.IntN(8)
		data[at] ^= bit
		dir := damaged(t, "", data, false)
		if report, err := bags.Repair(context.Background(), dir, decode, nil); err == nil {
			got, err := attempts(t, dir) // compares pixels
			if err != nil || len(got) != report.Kept {
				t.Errorf("byte %d: %d transitions after %+v, %v", at, len(got), report, err)
			}
		} else if !errors.Is(err, bags.ErrNothingToKeep) {
			t.Errorf("byte %d: %v", at, err)
		}
		data[at] ^= bit
	}
}

func TestFaultsSayWhatAndWhere(t *testing.T) {
	whole, data, sizes := acknowledgedAt(t, bags.Options{}, 2)
	flip := func(at int64) []byte {
		changed := append([]byte(nil), data...)
		changed[at] ^= 0xff
		return changed
	}
	tests := []struct {
		name string
		dir  string
		kind error
		want string
	}{
		{"cut", damaged(t, whole, data[:sizes[0]+200], true), bags.ErrTruncated, "run_0.mcap: byte "},
		{"empty", damaged(t, whole, nil, true), bags.ErrTruncated,
			"run_0.mcap: byte 0: the file ends early: 0 bytes where"},
		{"no magic", damaged(t, whole, flip(2), true), bags.ErrDamaged, "run_0.mcap: byte 0: damaged: "},
		{"chunk", damaged(t, whole, flip(sizes[0]-600), true), bags.ErrDamaged, "a chunk with CRC"},
		{"summary", damaged(t, whole, flip(int64(len(data)-300)), true), bags.ErrDamaged,
			"summary with CRC"},
		{"bytes after the end", damaged(t, whole, append(flip(0), 7), true), bags.ErrDamaged, "magic"},
		{"no metadata", damaged(t, whole, data, false), bags.ErrMetadata,
			"metadata.yaml: bad metadata.yaml: there is none"},
		{"empty metadata", withMetadata(t, whole, data, ""), bags.ErrMetadata, "names no version"},
		{"broken metadata", withMetadata(t, whole, data, "\t{"), bags.ErrMetadata, "yaml"},
		{"wrong count", withMetadata(t, whole, data,
			strings.Replace(string(contents(t, filepath.Join(whole, "metadata.yaml"))), "message_count: 5",
				"message_count: 6", 1)),
			bags.ErrMetadata, "6 messages"},
	}
	for _, tt := range tests {
		report := check(t, tt.dir)
		found := false
		for _, f := range report.Faults {
			found = found || errors.Is(f, tt.kind) && strings.Contains(f.Error(), tt.want)
		}
		if !found {
			t.Errorf("%s: want %q (%v) in %s", tt.name, tt.want, tt.kind, report)
		}
	}
}

func withMetadata(t *testing.T, whole string, data []byte, text string) string {
	dir := damaged(t, whole, data, true)
	rewrite(t, filepath.Join(dir, "metadata.yaml"), []byte(text))
	return dir
}
