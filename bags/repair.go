package bags

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"stripswm/internal/files"
)

// A RepairReport says what Repair did.
type RepairReport struct {
	Before   *Report `json:"before"`           // the recording as it was found
	Repaired bool    `json:"repaired"`         // false if it was intact
	Kept     int     `json:"kept"`             // transition messages
	Lost     int     `json:"lost"`             // transitions not kept, as far as is known
	Backup   string  `json:"backup,omitempty"` // where the recording as it was found is now
}

// ErrNothingToKeep: Repair found not one whole message. The recording is left as it is.
var ErrNothingToKeep = errors.New("nothing in the recording is whole")

// Repair replaces the recording at dir by one of all that is whole in it: messages before and after
// damaged chunks, images that decode, transitions whose images are there. It keeps the recording as
// it was found under the name in the report. The new recording has as many files. An intact one is
// left alone. At every instant dir is as it was, or whole.
func Repair(ctx context.Context, dir string, decode Decoder,
	progress func(done, total int64),
) (*RepairReport, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	if err := undo(dir); err != nil {
		return nil, fmt.Errorf("repair: %w", err)
	}
	if info, err := os.Stat(dir); err != nil {
		return nil, fmt.Errorf("repair: %w", err)
	} else if !info.IsDir() {
		return nil, fmt.Errorf("repair %s: it is a file; give the directory of the recording", dir)
	}
	if names, _, _, err := dataFiles(dir); err == nil && names[0] == TableName {
		return nil, fmt.Errorf("repair %s: %w: it is a folder of images; mend the lines that check names",
			dir, ErrUnsupported)
	}
	// Most recordings are intact, and nothing need be copied.
	before, err := Check(ctx, dir, decode, progress)
	if err != nil {
		return nil, fmt.Errorf("repair: %w", err)
	}
	report := &RepairReport{Before: before, Lost: before.Lost}
	switch before.Class {
	case Intact:
		report.Kept = before.Transitions + before.Amended
		return report, nil
	case Unusable:
		return report, fmt.Errorf("repair %s: %w", dir, ErrNothingToKeep)
	}
	if err := release(dir); err != nil {
		return report, fmt.Errorf("repair: %w", err)
	}
	if err := replaceByWhole(ctx, dir, decode, report); err != nil {
		return report, fmt.Errorf("repair %s: %w", dir, err)
	}
	report.Repaired = true
	return report, nil
}

// replaceByWhole makes a whole recording beside dir and lets the two change places.
func replaceByWhole(ctx context.Context, dir string, decode Decoder, report *RepairReport) error {
	draft, err := files.Draft(dir)
	if err != nil {
		return err
	}
	defer os.RemoveAll(draft)
	// The data files get the names that they would have had in dir.
	fresh := filepath.Join(draft, filepath.Base(dir))
	if err := copyWhole(ctx, dir, fresh, decode, report); err != nil {
		return err
	}
	backup := unusedBackup(dir)
	if err := os.Rename(fresh, backup); err != nil {
		return err
	}
	if err := files.Exchange(backup, dir); err != nil {
		return errors.Join(err, os.Rename(backup, fresh))
	}
	report.Backup = backup
	return files.SyncDir(filepath.Dir(dir))
}

// undo puts a recording back that a repair had moved away from dir when it was killed. That can be
// on file systems where files.Exchange takes two steps.
func undo(dir string) error {
	for i := 1; !exists(dir) && exists(backupName(dir, i)); i++ {
		if moved := backupName(dir, i) + ".old"; exists(moved) {
			return os.Rename(moved, dir)
		}
	}
	return nil
}

// unusedBackup is where a recording as it was found can be moved.
func unusedBackup(dir string) string {
	i := 1
	for exists(backupName(dir, i)) {
		i++
	}
	return backupName(dir, i)
}

// backupName is the i-th name for a recording as it was found.
func backupName(dir string, i int) string {
	if i == 1 {
		return dir + ".damaged"
	}
	return fmt.Sprintf("%s.damaged%d", dir, i)
}

// copyWhole records again what check lets through.
func copyWhole(ctx context.Context, dir, fresh string, decode Decoder, report *RepairReport) error {
	w, err := Create(fresh, Options{SyncEvery: -1})
	if err != nil {
		return err
	}
	file := 0
	_, err = check(ctx, dir, decode, nil, func(m *Message) error {
		if m.at.file != file {
			file = m.at.file
			if err := w.Split(); err != nil {
				return err
			}
		}
		if m.Topic.IsTransition() {
			report.Kept++
		}
		t := *m.Topic
		if t.Schema == "" && t.IsCDR() {
			if known, err := NewTopic(t.Name, t.Type); err == nil {
				t.Schema = known.Schema
			}
		}
		if err := w.AddTopic(t); err != nil {
			return err
		}
		return w.WriteRaw(t.Name, m.Received, m.Published, m.Data)
	})
	return errors.Join(err, w.Close())
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// ErrInUse: another Writer is making the recording that was to be continued or recovered.
var ErrInUse = errors.New("another recorder is recording there; end it first")

// Recover makes the recording at dir whole if all that is wrong with it is what a kill leaves. Then
// it has every acknowledged transition, and the report's Notes say where the recording as it was
// found is. The error wraps a Fault if anything else is wrong, as only people can decide to go on
// without what is lost. It wraps fs.ErrNotExist if nothing had been recorded; then dir is free.
func Recover(ctx context.Context, dir string) (*Report, error) {
	report, lock, err := recovered(ctx, dir)
	if err == nil {
		err = lock.Close()
	}
	return report, err
}

// recovered is Recover that leaves dir locked.
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

// worst is the first fault other than a missing metadata.yaml, which by itself does no harm.
func worst(r *Report) *Fault {
	if len(r.Faults) > 1 && r.Faults[0].File == metadataName {
		return r.Faults[1]
	}
	return r.Faults[0]
}

// aside moves away what a recorder left that was killed before it recorded anything.
func aside(dir string, report *Report) (*Report, error) {
	backup := unusedBackup(dir)
	if err := os.Rename(dir, backup); err != nil {
		return report, err
	}
	report.Notes = append(report.Notes, "nothing had been recorded in it yet; as it was found it is "+
		backup)
	return report, &fs.PathError{Op: "recover", Path: dir, Err: fs.ErrNotExist}
}

// onlyReserved says whether a Writer was killed before it began a data file.
func onlyReserved(dir string) bool {
	entries, err := os.ReadDir(dir)
	return err == nil && (len(entries) == 0 || len(entries) == 1 && entries[0].Name() == reserveName)
}

// lockDir keeps other Writers from a recording until the lock is closed or the process ends. On a
// file system that cannot lock a folder, nothing does.
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

// killed says whether all faults are what a kill leaves: metadata.yaml is missing, and the last
// file with anything in it ends early.
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
