package files_test

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"stripswm/internal/files"
)

func TestOpensRegularFilesOnly(t *testing.T) {
	dir := t.TempDir()
	path := func(name string) string { return filepath.Join(dir, name) }
	must(0, errors.Join(
		os.WriteFile(path("small"), []byte("12345"), 0o644),
		os.WriteFile(path("large"), []byte("123456"), 0o644),
		os.Symlink("small", path("link")),
		os.Symlink("/dev/zero", path("device")),
		os.Symlink("nowhere", path("dangling")),
		syscall.Mkfifo(path("pipe"), 0o644),
		os.Mkdir(path("folder"), 0o755),
	))
	for name, want := range map[string]error{
		"small": nil, "link": nil, "large": files.ErrTooLarge, "device": files.ErrIrregular,
		"pipe": files.ErrIrregular, "folder": files.ErrIrregular, "dangling": fs.ErrNotExist,
	} {
		data, err := files.Read(path(name), 5)
		if !errors.Is(err, want) || err == nil && string(data) != "12345" {
			t.Errorf("%s: %q, %v; want %v", name, data, err, want)
		}
	}
}

// TestReadsNoMoreThanWasThere opens a file that grows while it is read.
func TestReadsNoMoreThanWasThere(t *testing.T) {
	path := filepath.Join(t.TempDir(), "growing")
	must(0, os.WriteFile(path, []byte("12345"), 0o644))
	f := must(files.Open(path, 100))
	defer f.Close()
	must(0, os.WriteFile(path, []byte("1234567890"), 0o644))
	buffer := make([]byte, 10)
	if n, _ := f.Read(buffer); n != 5 || f.Size() != 5 {
		t.Errorf("read %q of a file of size %d", buffer[:n], f.Size())
	}
}

func TestOpensNothingOutsideTheFolder(t *testing.T) {
	dir := t.TempDir()
	inside := filepath.Join(dir, "inside")
	must(0, errors.Join(
		os.Mkdir(inside, 0o755),
		os.WriteFile(filepath.Join(dir, "secret"), nil, 0o644),
		os.WriteFile(filepath.Join(inside, "own"), nil, 0o644),
		os.Symlink("../secret", filepath.Join(inside, "out")),
		os.Symlink("own", filepath.Join(inside, "in")),
	))
	root := must(os.OpenRoot(inside))
	defer root.Close()
	for name, opens := range map[string]bool{"own": true, "in": true, "out": false,
		"../secret": false} {
		f, err := files.OpenIn(root, name, 100)
		if (err == nil) != opens {
			t.Errorf("%s: %v", name, err)
		}
		if err == nil {
			f.Close()
		}
	}
}

// A made folder holds what this program made: the file "made" and the folder "bag".
func made(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	must(0, files.Write(filepath.Join(dir, "made"), []byte("ours")))
	place(t, dir, "data")
	return dir
}

// place makes dir/bag with a file of this content.
func place(t *testing.T, dir, content string) {
	t.Helper()
	bag := filepath.Join(dir, "bag")
	draft := must(files.Draft(bag))
	write(t, filepath.Join(draft, "0.mcap"), content)
	must(0, files.Place(draft, bag))
}

func write(t *testing.T, path, content string) {
	t.Helper()
	must(0, os.WriteFile(path, []byte(content), 0o644))
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
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
			must(0, os.Mkdir(dir+"/new", 0o755))
		}, true},
		"a file made twice": {"made", func(t *testing.T, dir string) {
			must(0, files.Write(dir+"/made", []byte("again")))
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
			must(0, os.Mkdir(dir+"/bag/mine", 0o755))
		}, false},
		"a file renamed within": {"bag", func(t *testing.T, dir string) {
			must(0, os.Rename(dir+"/bag/0.mcap", dir+"/bag/1.mcap"))
		}, false},
		"a link to what was made": {"link", func(t *testing.T, dir string) {
			must(0, os.Symlink("made", dir+"/link"))
		}, false},
		"a folder with a link": {"bag", func(t *testing.T, dir string) {
			must(0, os.Symlink("0.mcap", dir+"/bag/link"))
		}, false},
		"a pipe": {"pipe", func(t *testing.T, dir string) { must(0, syscall.Mkfifo(dir+"/pipe", 0o644)) },
			false},
		"a folder without notes": {"bag", func(t *testing.T, dir string) {
			must(0, os.Remove(filepath.Join(dir, files.NoteName)))
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
	draft := must(files.Draft(mine))
	if err := files.Place(draft, mine); !errors.Is(err, files.ErrNotMade) {
		t.Errorf("place: %v", err)
	}
	if err := files.Create(mine, func(string) error { return nil }); err == nil {
		t.Error("created over a file")
	}
	if data, _ := os.ReadFile(mine); string(data) != "data" {
		t.Errorf("it holds %q now", data)
	}
}

func TestCreatesWholeOrNotAtAll(t *testing.T) {
	failed := errors.New("failed")
	for _, want := range []error{failed, nil} {
		path := filepath.Join(t.TempDir(), "out", "bag")
		err := files.Create(path, func(at string) error { return errors.Join(os.Mkdir(at, 0o755), want) })
		entries, _ := os.ReadDir(filepath.Dir(path))
		if there := len(entries) == 1 && entries[0].Name() == "bag"; !errors.Is(err, want) ||
			there != (want == nil) {
			t.Errorf("%v: %v", err, entries)
		}
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
		must(0, exchange(a, b))
		if data, _ := os.ReadFile(b); string(data) != "A" {
			t.Errorf("%s: b holds %q", name, data)
		}
		must(0, os.Remove(a))
		if err := exchange(a, b); err == nil {
			t.Errorf("%s: nothing to move, and no error", name)
		}
		if data, _ := os.ReadFile(b); string(data) != "A" {
			t.Errorf("%s: a failed move lost the file", name)
		}
	}
}

// FuzzNote gives arbitrary text for a note: a file that it does not name by its SHA-256 stays.
func FuzzNote(f *testing.F) {
	sum := sha256.Sum256([]byte("mine"))
	noted := hex.EncodeToString(sum[:]) + "  mine\n"
	f.Add(noted)
	f.Add("x" + noted)
	f.Add(strings.Repeat(noted, 3)[1:])
	f.Add(strings.TrimSuffix(noted, "\n"))
	f.Fuzz(func(t *testing.T, notes string) {
		dir := t.TempDir()
		mine := filepath.Join(dir, "mine")
		write(t, mine, "mine")
		write(t, filepath.Join(dir, files.NoteName), notes)
		err := files.Remove(mine)
		_, gone := os.Stat(mine)
		if named := strings.Contains("\n"+notes, "\n"+noted); named != (err == nil) ||
			named != (gone != nil) {
			t.Errorf("named %v: %v", named, err)
		}
	})
}
