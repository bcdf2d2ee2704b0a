package files

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/google/renameio/v2"
)

// NoteName is the file of a folder that lists what this program made in it, a line each as
// sha256sum prints it. Lines are only ever added, so that several processes can do so at once.
const NoteName = ".made-by-stripswm"

// maxNote bounds what is read of a note: some 100,000 lines.
const maxNote = 16 << 20

// ErrNotMade is returned, wrapped, for a path where something is that this program did not make,
// or that was changed since.
var ErrNotMade = errors.New("this program did not make it, or it was changed since")

// Replaceable returns nil if at path is nothing, an empty folder, or what this program made, as it
// made it. Otherwise the error wraps ErrNotMade.
func Replaceable(path string) error {
	_, err := os.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) {
		return nil // whoever writes there says why that cannot be
	}
	if entries, err := os.ReadDir(path); err == nil && len(entries) == 0 {
		return nil
	}
	notes, err := Read(notePath(path), maxNote)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	sum, err := sumOf(path)
	if err != nil && !errors.Is(err, ErrIrregular) {
		return err
	}
	if err != nil || !strings.Contains("\n"+string(notes), "\n"+line(sum, path)) {
		return fmt.Errorf("will not replace %s: %w: move it or choose another folder", path, ErrNotMade)
	}
	return nil
}

// Write replaces the file at path, if it is [Replaceable].
func Write(path string, data []byte) error {
	if err := Replaceable(path); err != nil {
		return err
	}
	sum := sha256.Sum256(data)
	if err := note(sum[:], path); err != nil {
		return err
	}
	return renameio.WriteFile(path, data, 0o644)
}

// Draft makes a new folder beside path to make something in, for [Place]. The caller removes it; a
// process that is killed leaves it, called .NAME.new-NUMBER, and nothing ever removes it by itself.
func Draft(path string) (string, error) {
	parent := filepath.Dir(path)
	if err := os.MkdirAll(parent, 0o777); err != nil {
		return "", err
	}
	draft, err := os.MkdirTemp(parent, "."+filepath.Base(path)+".new-")
	if err != nil {
		return "", err
	}
	return draft, os.Chmod(draft, 0o755)
}

// Create has build make a folder that must not be there yet: it appears whole or not at all. build
// gets a path in a [Draft], whose last element is that of path.
func Create(path string, build func(at string) error) error {
	if _, err := os.Lstat(path); err == nil {
		return fmt.Errorf("%s is there already; choose another name or remove it", path)
	}
	draft, err := Draft(path)
	if err != nil {
		return err
	}
	defer os.RemoveAll(draft)
	fresh := filepath.Join(draft, filepath.Base(path))
	if err := build(fresh); err != nil {
		return err
	}
	if err := os.Rename(fresh, path); err != nil {
		return err
	}
	return SyncDir(filepath.Dir(path))
}

// Place moves the folder from, which this process made on the same file system, to path, if that is
// [Replaceable]. What was there is removed; path is whole at every instant.
func Place(from, path string) error {
	if err := Replaceable(path); err != nil {
		return err
	}
	sum, err := sumOf(from)
	if err != nil {
		return err
	}
	// The note comes first: killed after it, the earlier folder is still noted.
	if err := note(sum, path); err != nil {
		return err
	}
	if _, err := os.Lstat(path); err == nil {
		if err := Exchange(from, path); err != nil {
			return err
		}
		return errors.Join(SyncDir(filepath.Dir(path)), os.RemoveAll(from))
	}
	if err := os.Rename(from, path); err != nil {
		return err
	}
	return SyncDir(filepath.Dir(path))
}

// Remove removes what is at path, if it is [Replaceable].
func Remove(path string) error {
	if err := Replaceable(path); err != nil {
		return err
	}
	return os.RemoveAll(path)
}

// exchangeInSteps is for file systems that cannot exchange. If it is killed between the steps, what
// was at path is at from + ".old".
func exchangeInSteps(from, path string) error {
	aside := from + ".old"
	if err := os.Rename(path, aside); err != nil {
		return err
	}
	if err := os.Rename(from, path); err != nil {
		return errors.Join(err, os.Rename(aside, path))
	}
	return os.Rename(aside, from)
}

// SyncDir makes the names in a folder durable.
func SyncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}

func notePath(path string) string { return filepath.Join(filepath.Dir(path), NoteName) }

func line(sum []byte, path string) string {
	return hex.EncodeToString(sum) + "  " + filepath.Base(path) + "\n"
}

func note(sum []byte, path string) error {
	f, err := os.OpenFile(notePath(path), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	_, err = f.WriteString(line(sum, path))
	return errors.Join(err, f.Sync(), f.Close())
}

// sumOf is the SHA-256 of a file, or of the names and sums of all that is in a folder. Links,
// devices and pipes are ErrIrregular.
func sumOf(path string) ([]byte, error) {
	info, err := os.Lstat(path)
	if err != nil {
		return nil, err
	}
	sum := sha256.New()
	if !info.IsDir() {
		err := addFile(sum, path, info.Mode())
		return sum.Sum(nil), err
	}
	err = filepath.WalkDir(path, func(at string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, err := filepath.Rel(path, at)
		if err != nil {
			return err
		}
		fmt.Fprintf(sum, "%q %v ", filepath.ToSlash(name), e.Type())
		if e.IsDir() {
			return nil
		}
		one := sha256.New()
		if err := addFile(one, at, e.Type()); err != nil {
			return err
		}
		sum.Write(one.Sum(nil))
		return nil
	})
	return sum.Sum(nil), err
}

func addFile(to io.Writer, path string, mode fs.FileMode) error {
	if !mode.IsRegular() {
		return &fs.PathError{Op: "read", Path: path, Err: ErrIrregular}
	}
	f, err := Open(path, math.MaxInt64)
	if err != nil {
		return err
	}
	defer f.Close()
	_, err = io.Copy(to, f)
	return err
}
