package bags

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"
)

// FuzzSQLite gives arbitrary bytes to the reader of rosbag2's databases: neither it nor the checker may panic or hang,
// and what reads without an error is intact.
func FuzzSQLite(f *testing.F) {
	real, err := os.ReadFile(filepath.Join("testdata", "talker_sqlite3", "talker.db3"))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(real)
	f.Add(real[:len(real)/2])
	f.Fuzz(func(t *testing.T, data []byte) {
		path := filepath.Join(t.TempDir(), "fuzz.db3")
		if err := os.WriteFile(path, data, 0o644); err != nil {
			t.Fatal(err)
		}
		report, err := Check(context.Background(), path, nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		r, err := Open(path)
		if err != nil {
			t.Fatal(err)
		}
		defer r.Close()
		read := 0
		for _, err := range r.Messages(context.Background()) {
			if err != nil {
				if report.Class == Intact {
					t.Errorf("an intact database reads with %v", err)
				}
				return
			}
			read++
		}
		if report.Class == Intact && read != report.Messages {
			t.Errorf("%d messages of an intact database with %d", read, report.Messages)
		}
	})
}

// FuzzRepair gives a killed recorder's arbitrary bytes to Repair: what it makes of them is intact and has what it says.
func FuzzRepair(f *testing.F) {
	for _, compression := range []string{"", "zstd"} {
		data := seed(f, compression)
		f.Add(data)
		f.Add(data[:len(data)/2])
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		dir := filepath.Join(t.TempDir(), "run")
		if err := os.Mkdir(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, "run_0.mcap"), data, 0o644); err != nil {
			t.Fatal(err)
		}
		repaired, err := Repair(context.Background(), dir, nil, nil)
		if errors.Is(err, ErrNothingToKeep) {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		report, err := Check(context.Background(), dir, nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		if report.Class != Intact || report.Transitions+report.Amended != repaired.Kept {
			t.Errorf("kept %d: %s", repaired.Kept, report)
		}
	})
}
