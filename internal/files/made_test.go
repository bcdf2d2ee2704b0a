package files_test

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"stripswm/internal/files"
)

// A made folder holds what this program made: the file "made" and the folder "bag".
func made(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	must(t, files.Write(filepath.Join(dir, "made"), []byte("ours")))
	place(t, dir, "data")
	return dir
}

// place makes dir/bag with a file of this content.
func place(t *testing.T, dir, content string) {
	t.Helper()
	bag := filepath.Join(dir, "bag")
	draft, err := files.Draft(bag)
	must(t, err)
	write(t, filepath.Join(draft, "0.mcap"), content)
	must(t, files.Place(draft, bag))
}

func write(t *testing.T, path, content string) {
	t.Helper()
	must(t, os.WriteFile(path, []byte(content), 0o644))
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func TestReplacesOnlyWhatItMade(t *testing.T) {
	for name, tt := range map[string]struct {
		path   string
		change func(t *testing.T, dir string)
		ours   bool
	}{
		"a file as it was made":   {"made", func(*testing.T, string) {}, true},
		"a folder as it was made": {"bag", func(*testing.T, string) {}, true},
		"nothing":                 {"none", func(*testing.T, string) {}, true},
		"an empty folder": {"new", func(t *testing.T, dir string) {
			must(t, os.Mkdir(dir+"/new", 0o755))
		}, true},
		"a file made twice": {"made", func(t *testing.T, dir string) {
			must(t, files.Write(dir+"/made", []byte("again")))
		}, true},
		"a folder made twice": {"bag", func(t *testing.T, dir string) { place(t, dir, "again") }, true},
		"a changed file": {"made", func(t *testing.T, dir string) {
			write(t, dir+"/made", "theirs")
		}, false},
		"another file": {"notes", func(t *testing.T, dir string) {
			write(t, dir+"/notes", "ours")
		}, false},
		"a changed folder": {"bag", func(t *testing.T, dir string) {
			write(t, dir+"/bag/0.mcap", "Data")
		}, false},
		"a folder with a file more": {"bag", func(t *testing.T, dir string) {
			write(t, dir+"/bag/notes", "")
		}, false},
		"a folder with a folder more": {"bag", func(t *testing.T, dir string) {
			must(t, os.Mkdir(dir+"/bag/mine", 0o755))
		}, false},
		"a file renamed within": {"bag", func(t *testing.T, dir string) {
			must(t, os.Rename(dir+"/bag/0.mcap", dir+"/bag/1.mcap"))
		}, false},
		"a link to what was made": {"link", func(t *testing.T, dir string) {
			must(t, os.Symlink("made", dir+"/link"))
		}, false},
		"a folder with a link": {"bag", func(t *testing.T, dir string) {
			must(t, os.Symlink("0.mcap", dir+"/bag/link"))
		}, false},
		"a pipe": {"pipe", func(t *testing.T, dir string) { must(t, syscall.Mkfifo(dir+"/pipe", 0o644)) },
			false},
		"a folder without notes": {"bag", func(t *testing.T, dir string) {
			must(t, os.Remove(filepath.Join(dir, files.NoteName)))
		}, false},
	} {
		t.Run(name, func(t *testing.T) {
			dir := made(t)
			tt.change(t, dir)
			path := filepath.Join(dir, tt.path)
			_, before := os.Lstat(path)
			if err := files.Remove(path); errors.Is(err, files.ErrNotMade) == tt.ours {
				t.Errorf("remove: %v", err)
			}
			if _, after := os.Lstat(path); !tt.ours && before == nil && after != nil {
				t.Error("it is gone")
			}
		})
	}
}

func TestRefusesToReplace(t *testing.T) {
	dir := t.TempDir()
	mine := filepath.Join(dir, "mine")
	write(t, mine, "data")
	if err := files.Write(mine, []byte("x")); !errors.Is(err, files.ErrNotMade) {
		t.Errorf("write: %v", err)
	}
	draft, err := files.Draft(mine)
	must(t, err)
	if err := files.Place(draft, mine); !errors.Is(err, files.ErrNotMade) {
		t.Errorf("place: %v", err)
	}
	if data, _ := os.ReadFile(mine); string(data) != "data" {
		t.Errorf("it holds %q now", data)
	}
}

func TestExchange(t *testing.T) {
	for name, exchange := range map[string]func(from, path string) error{
		"in one step": files.Exchange, "in steps": files.ExchangeInSteps,
	} {
		dir := t.TempDir()
		a, b := filepath.Join(dir, "a"), filepath.Join(dir, "b")
		write(t, a, "A")
		write(t, b, "B")
		must(t, exchange(a, b))
		if data, _ := os.ReadFile(b); string(data) != "A" {
			t.Errorf("%s: b holds %q", name, data)
		}
		must(t, os.Remove(a))
		if err := exchange(a, b); err == nil {
			t.Errorf("%s: nothing to move, and no error", name)
		}
		if data, _ := os.ReadFile(b); string(data) != "A" {
			t.Errorf("%s: a failed move lost the file", name)
		}
	}
}
