package record_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"stripswm/models/strips"
	"stripswm/nodes/sim"
	"stripswm/nodes/sim/record"
)

// TestAContinuedRigIsOneThatNeverStopped compares the images and outcomes of both, attempt by
// attempt.
func TestAContinuedRigIsOneThatNeverStopped(t *testing.T) {
	w, o := blocks(t), small(0, 1)
	whole := must(t)(record.OpenRig(w, filepath.Join(t.TempDir(), "bag"), o))
	dir := filepath.Join(t.TempDir(), "bag")
	rig := must(t)(record.OpenRig(w, dir, o))
	for i := range 60 {
		if i%20 == 19 {
			if err := rig.Close(); err != nil {
				t.Fatal(err)
			}
			rig = must(t)(record.ContinueRig(t.Context(), w, dir, o))
		}
		if i == 30 { // both: only what is recorded can be gone on with
			rig.Reset(w.Initial())
			whole.Reset(w.Initial())
		}
		a := strips.ActionID(1 + i*7%w.NumActions())
		before, after, ok, err := rig.Try(a)
		wantBefore, wantAfter, wantOK, wantErr := whole.Try(a)
		if err != nil || wantErr != nil || ok != wantOK {
			t.Fatalf("attempt %d: %t, %v, want %t, %v", i, ok, err, wantOK, wantErr)
		}
		if !bytes.Equal(before.Data, wantBefore.Data) || !bytes.Equal(after.Data, wantAfter.Data) ||
			before.Header != wantBefore.Header || after.Header != wantAfter.Header {
			t.Fatalf("attempt %d: other images", i)
		}
	}
	if len(rig.Visited()) != len(whole.Visited()) {
		t.Errorf("was in %v, want %v", rig.Visited(), whole.Visited())
	}
	for _, r := range []*record.Rig{rig, whole} {
		if err := r.Close(); err != nil {
			t.Error(err)
		}
	}
}

func TestOtherRecordingsAreNotContinued(t *testing.T) {
	w, o, dir := blocks(t), small(0, 1), filepath.Join(t.TempDir(), "bag")
	if err := must(t)(record.OpenRig(w, dir, o)).Close(); err != nil {
		t.Fatal(err)
	}
	otherSeed := o
	otherSeed.Seed++
	if _, err := record.ContinueRig(t.Context(), w, dir, otherSeed); !errors.Is(err, record.ErrOther) {
		t.Errorf("another seed: %v", err)
	}
	other, err := sim.New("lamps")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := record.ContinueRig(t.Context(), other, dir, o); !errors.Is(err, record.ErrOther) {
		t.Errorf("another world: %v", err)
	}
	if _, err := record.ContinueRig(t.Context(), w, filepath.Join(t.TempDir(), "none"),
		o); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("none: %v", err)
	}
}

func must(t *testing.T) func(*record.Rig, error) *record.Rig {
	return func(r *record.Rig, err error) *record.Rig {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
}
