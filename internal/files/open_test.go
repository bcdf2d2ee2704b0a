package files_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"stripswm/internal/files"
)

func TestOpensRegularFilesOnly(t *testing.T) {
	dir := t.TempDir()
	path := func(name string) string { return filepath.Join(dir, name) }
	for _, err := range []error{
		os.WriteFile(path("small"), []byte("12345"), 0o644),
		os.WriteFile(path("large"), []byte("123456"), 0o644),
		os.Symlink("small", path("link")),
		os.Symlink("/dev/zero", path("device")),
		os.Symlink("nowhere", path("dangling")),
		syscall.Mkfifo(path("pipe"), 0o644),
		os.Mkdir(path("folder"), 0o755),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
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
	if err := os.WriteFile(path, []byte("12345"), 0o644); err != nil {
		t.Fatal(err)
	}
	f, err := files.Open(path, 100)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := os.WriteFile(path, []byte("1234567890"), 0o644); err != nil {
		t.Fatal(err)
	}
	buffer := make([]byte, 10)
	if n, _ := f.Read(buffer); n != 5 || f.Size() != 5 {
		t.Errorf("read %q of a file of size %d", buffer[:n], f.Size())
	}
}

func TestOpensNothingOutsideTheFolder(t *testing.T) {
	dir := t.TempDir()
	inside := filepath.Join(dir, "inside")
	for _, err := range []error{
		os.Mkdir(inside, 0o755),
		os.WriteFile(filepath.Join(dir, "secret"), nil, 0o644),
		os.WriteFile(filepath.Join(inside, "own"), nil, 0o644),
		os.Symlink("../secret", filepath.Join(inside, "out")),
		os.Symlink("own", filepath.Join(inside, "in")),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	root, err := os.OpenRoot(inside)
	if err != nil {
		t.Fatal(err)
	}
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
