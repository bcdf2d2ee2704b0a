package bags_test

import (
	"context"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"

	"stripswm/bags"
)

// killedRecording is one whose recorder was killed after three transitions.
func killedRecording(t *testing.T) string {
	_, data, sizes := acknowledgedAt(t, bags.Options{}, 3)
	return damaged(t, "", data[:sizes[2]], false)
}

func repair(t *testing.T, dir string) *bags.RepairReport {
	t.Helper()
	report, err := bags.Repair(context.Background(), dir, decode, nil)
	if err != nil {
		t.Fatal(err)
	}
	return report
}

// TestARecordingIsAlwaysThere looks, all the time that it is repaired, whether it is at its path.
func TestARecordingIsAlwaysThere(t *testing.T) {
	for range 30 {
		dir := killedRecording(t)
		var ended atomic.Bool
		gone := make(chan bool)
		go func() {
			missing := false
			for !ended.Load() {
				_, err := os.Stat(dir)
				missing = missing || err != nil
			}
			gone <- missing
		}()
		report := repair(t, dir)
		ended.Store(true)
		if <-gone {
			t.Fatal("a kill at some instant would have left no recording")
		}
		if !report.Repaired || check(t, dir).Class != bags.Intact ||
			check(t, report.Backup).Class != bags.Repairable {
			t.Fatalf("%+v", report)
		}
	}
}

// TestRepairAfterAKilledRepair has a repair killed where two folders change places in two steps.
func TestRepairAfterAKilledRepair(t *testing.T) {
	dir := killedRecording(t)
	if err := os.Rename(dir, dir+".damaged.old"); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(dir+".damaged", 0o755); err != nil { // that it had made, whole
		t.Fatal(err)
	}
	if report := repair(t, dir); report.Kept != 3 || check(t, dir).Class != bags.Intact {
		t.Errorf("%+v", report)
	}
}

// TestRepairKeepsOtherFolders has folders of others at the names that repairs once used.
func TestRepairKeepsOtherFolders(t *testing.T) {
	dir := killedRecording(t)
	mine := []string{dir + ".repairing/thesis.tex", dir + ".damaged/thesis.tex"}
	for _, path := range mine {
		if err := os.Mkdir(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		rewrite(t, path, nil)
	}
	if report := repair(t, dir); report.Backup != dir+".damaged2" {
		t.Errorf("%+v", report)
	}
	for _, path := range mine {
		if _, err := os.Stat(path); err != nil {
			t.Error(err)
		}
	}
}

func TestReserveOfOthersIsKept(t *testing.T) {
	dir := killedRecording(t)
	mine := filepath.Join(dir, ".reserve")
	rewrite(t, mine, []byte("mine"))
	if _, err := bags.Repair(context.Background(), dir, decode, nil); err == nil ||
		string(contents(t, mine)) != "mine" {
		t.Errorf("%v", err)
	}
}
