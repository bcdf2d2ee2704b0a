package bags_test

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"stripswm/bags"
)

// A faultyFile is a file on a disk with little room.
type faultyFile struct {
	*os.File
	room   int64 // bytes the disk holds
	others int64 // of them taken while the named file is there
	while  string
	short  bool // a full disk takes a part and says nothing
	syncs  int  // that succeed; negative: all
	synced int
}

func (f *faultyFile) WriteAt(p []byte, off int64) (int, error) {
	room := f.room
	if _, err := os.Stat(f.while); err == nil {
		room -= f.others
	}
	if off+int64(len(p)) <= room {
		return f.File.WriteAt(p, off)
	}
	n, _ := f.File.WriteAt(p[:max(0, room-off)], off)
	if f.short {
		return n, nil
	}
	return n, &os.PathError{Op: "write", Path: f.Name(), Err: syscall.ENOSPC}
}

func (f *faultyFile) Sync() error {
	if f.synced == f.syncs {
		return &os.PathError{Op: "sync", Path: f.Name(), Err: syscall.EIO}
	}
	f.synced++
	return nil
}

// onDisk is Options that record to the file, once it is made.
func onDisk(disk *faultyFile) bags.Options {
	return fixed(bags.Options{OpenFile: func(path string) (bags.File, error) {
		file, err := os.Create(path)
		disk.File = file
		return disk, err
	}})
}

// recordUntil writes attempts until one fails, and returns how many were acknowledged.
func recordUntil(w *bags.Writer, n int) (acknowledged int, err error) {
	if err := sees(0)(w); err != nil {
		return 0, err
	}
	for i := 1; i <= n; i++ {
		if err := errors.Join(sees(i)(w), does(uint32(i), i-1, i)(w)); err != nil {
			return i - 1, err
		}
	}
	return n, nil
}

func TestFullDiskLosesNothingAcknowledged(t *testing.T) {
	const n = 4
	for _, short := range []bool{false, true} {
		for room := int64(0); ; room += 397 {
			dir := filepath.Join(t.TempDir(), "run")
			w, err := bags.Create(dir, onDisk(&faultyFile{room: room, short: short, syncs: -1}))
			if err != nil {
				if room > 100 {
					t.Fatal(err)
				}
				continue
			}
			acknowledged, err := recordUntil(w, n)
			closed := w.Close()
			if err == nil && closed == nil {
				break // all fits
			}
			want := error(syscall.ENOSPC)
			if short {
				want = io.ErrShortWrite
			}
			if !errors.Is(errors.Join(err, closed), want) {
				t.Fatalf("room for %d bytes: %v, %v", room, err, closed)
			}
			report, err := bags.Repair(context.Background(), dir, decode, nil)
			if acknowledged == 0 && errors.Is(err, bags.ErrNothingToKeep) {
				continue
			}
			if err != nil || report.Kept < acknowledged {
				t.Fatalf("room for %d bytes: kept %d of %d acknowledged, %v", room, report.Kept, acknowledged,
					err)
			}
			if got, err := attempts(t, dir); err != nil || len(got) != report.Kept {
				t.Fatalf("room for %d bytes: read %d, %v", room, len(got), err)
			}
		}
	}
}

// TestFullDiskClosesInOrder lets the disk fill up at every point: the room that was reserved is
// enough to close.
func TestFullDiskClosesInOrder(t *testing.T) {
	const n, chunk = 4, 4096
	for room := int64(397); ; room += 397 {
		dir := filepath.Join(t.TempDir(), "run")
		kept := filepath.Join(dir, ".reserve")
		disk := &faultyFile{room: 1 << 30, syncs: -1, while: kept}
		o := onDisk(disk)
		o.ChunkSize = chunk
		w, err := bags.Create(dir, o)
		if err != nil {
			t.Fatal(err)
		}
		reserved, err := os.Stat(kept)
		if err != nil {
			t.Fatal(err)
		}
		disk.room, disk.others = room+reserved.Size(), reserved.Size()
		acknowledged, full := recordUntil(w, n)
		if err := w.Close(); err != nil {
			t.Fatalf("room for %d bytes: %v", room, err)
		}
		if report := check(t, dir); report.Class != bags.Intact || report.Transitions < acknowledged {
			t.Fatalf("room for %d bytes, %d acknowledged: %s", room, acknowledged, report)
		}
		if _, err := os.Stat(kept); !errors.Is(err, os.ErrNotExist) {
			t.Fatalf("room for %d bytes: the reserve stays: %v", room, err)
		}
		if full == nil {
			return // all fits
		}
		if !errors.Is(full, syscall.ENOSPC) {
			t.Fatalf("room for %d bytes: %v", room, full)
		}
	}
}

func TestRecordingGoesOnWhenThereIsRoomAgain(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run")
	disk := &faultyFile{room: 1 << 20, syncs: -1}
	w, err := bags.Create(dir, onDisk(disk))
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(sees(1)(w), sees(2)(w), does(7, 1, 2)(w), sees(3)(w)); err != nil {
		t.Fatal(err)
	}
	disk.room = w.Size() + 10
	if err := does(8, 2, 3)(w); !errors.Is(err, syscall.ENOSPC) {
		t.Fatalf("a full disk: %v", err)
	}
	if err := sees(4)(w); !errors.Is(err, syscall.ENOSPC) {
		t.Fatalf("still full: %v", err)
	}
	disk.room = 1 << 20
	// The same transition again: it counts once.
	if err := errors.Join(does(8, 2, 3)(w), sees(4)(w), does(9, 3, 4)(w), w.Close()); err != nil {
		t.Fatal(err)
	}
	if report := check(t, dir); report.Class != bags.Intact || report.Transitions != 3 {
		t.Errorf("%s", report)
	}
}

func TestFailedSyncIsFinal(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run")
	w, err := bags.Create(dir, onDisk(&faultyFile{room: 1 << 20, syncs: 1}))
	if err != nil {
		t.Fatal(err)
	}
	acknowledged, err := recordUntil(w, 3)
	if acknowledged != 1 || !errors.Is(err, syscall.EIO) {
		t.Fatalf("%d acknowledged, %v", acknowledged, err)
	}
	if err := w.Sync(); !errors.Is(err, syscall.EIO) {
		t.Errorf("a sync after it: %v", err)
	}
	if err := w.Close(); !errors.Is(err, syscall.EIO) {
		t.Errorf("close: %v", err)
	}
	if report := check(t, dir); report.Class != bags.Repairable || report.Transitions < acknowledged {
		t.Errorf("%s", report)
	}
}
