package bags

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

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

// Repair makes a whole recording of all that is whole in the one at dir: messages before and after
// damaged chunks, images that decode, transitions whose images are there. The recording as it was
// found is kept beside it, under the name in the report. A recording in several files stays one. An
// intact recording is left alone. At every instant dir is as it was, or whole.
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
	// A first pass finds out whether there is anything to do: most recordings are intact.
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

// undo puts a recording back to dir that an earlier repair had moved away when it was killed, on a
// file system where files.Exchange takes two steps.
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
