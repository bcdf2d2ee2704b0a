package bags

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// ErrInUse is wrapped by the error of going on with a recording that another Writer is making.
var ErrInUse = errors.New("another recorder is recording there; end it first")

// Recover makes the recording at dir whole if it is as a kill leaves it, at whatever instant: every
// acknowledged transition is in it then. As it was found it stays beside dir; the report's Notes
// say where. One that is not whole in another way is an error that wraps a Fault, as only people
// can decide to go on without what is lost there. The error wraps fs.ErrNotExist where nothing had
// been recorded yet, and dir is free then.
func Recover(ctx context.Context, dir string) (*Report, error) {
	report, lock, err := recovered(ctx, dir)
	if err == nil {
		err = lock.Close()
	}
	return report, err
}

// recovered is Recover of a recording that it locks.
func recovered(ctx context.Context, dir string) (*Report, *os.File, error) {
	if err := undo(dir); err != nil {
		return nil, nil, err
	}
	found, err := lockDir(dir)
	if err != nil {
		return nil, nil, err
	}
	defer found.Close()
	report, err := makeWhole(ctx, dir)
	if err != nil {
		return report, nil, err
	}
	found.Close() // a repair has put another folder there
	lock, err := lockDir(dir)
	return report, lock, err
}

func makeWhole(ctx context.Context, dir string) (*Report, error) {
	report, err := Check(ctx, dir, nil, nil)
	switch {
	case errors.Is(err, ErrNoBag) && onlyReserved(dir):
		return aside(dir, &Report{Path: dir})
	case err != nil || report.Class == Intact:
		return report, err
	case report.killed && report.Messages == 0:
		return aside(dir, report)
	case report.Class == Unusable:
		return report, fmt.Errorf("%w; nothing in it is whole: move it", worst(report))
	case !report.killed:
		return report, fmt.Errorf("%w; run `stripswm check --repair %s` first", worst(report), dir)
	}
	if err := release(dir); err != nil {
		return report, err
	}
	repair := &RepairReport{}
	if err := replaceByWhole(ctx, dir, nil, repair); err != nil {
		return report, err
	}
	if report, err = Check(ctx, dir, nil, nil); err == nil {
		report.Notes = append(report.Notes, fmt.Sprintf(
			"it had not ended in order, and was completed with %d transitions; as it was found it is %s",
			repair.Kept, repair.Backup))
	}
	return report, err
}

// worst is the first fault, but for a missing metadata.yaml, which alone would do no harm.
func worst(r *Report) *Fault {
	if len(r.Faults) > 1 && r.Faults[0].File == metadataName {
		return r.Faults[1]
	}
	return r.Faults[0]
}

// aside moves what a kill left before anything was recorded.
func aside(dir string, report *Report) (*Report, error) {
	backup := unusedBackup(dir)
	if err := os.Rename(dir, backup); err != nil {
		return report, err
	}
	report.Notes = append(report.Notes, "nothing had been recorded in it yet; as it was found it is "+
		backup)
	return report, &fs.PathError{Op: "recover", Path: dir, Err: fs.ErrNotExist}
}

// onlyReserved says whether a Writer had got no further than its reserve.
func onlyReserved(dir string) bool {
	entries, err := os.ReadDir(dir)
	return err == nil && (len(entries) == 0 || len(entries) == 1 && entries[0].Name() == reserveName)
}

// lockDir keeps other Writers from a recording until the lock is closed, or its process ends. File
// systems that cannot lock a folder do without.
func lockDir(dir string) (*os.File, error) {
	info, err := os.Stat(dir)
	if err != nil {
		return nil, err
	}
	if !info.IsDir() {
		return nil, fmt.Errorf("%w: it is a file; give the directory of the recording", ErrNoBag)
	}
	d, err := os.Open(dir)
	if err != nil {
		return nil, err
	}
	if err := syscall.Flock(int(d.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); errors.Is(err,
		syscall.EWOULDBLOCK) {
		return nil, errors.Join(ErrInUse, d.Close())
	}
	return d, nil
}

// killed says whether all faults are what a kill leaves: no metadata.yaml, and the last file that
// has something in it ends early.
func (c *checker) killed() bool {
	if exists(filepath.Join(c.reader.dir, metadataName)) || c.report.FaultCount > maxFaults {
		return false
	}
	for _, f := range c.report.Faults {
		if f.File != metadataName && !errors.Is(f, ErrTruncated) {
			return false
		}
		later := f.File != metadataName
		for i := len(c.reader.names) - 1; later && c.reader.names[i] != f.File; i-- {
			if c.byFile[c.reader.names[i]] > 0 {
				return false
			}
		}
	}
	return true
}
