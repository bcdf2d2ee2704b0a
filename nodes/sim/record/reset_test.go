package record_test

import (
	"context"
	"path/filepath"
	"testing"

	"stripswm/bags"
	"stripswm/nodes/sim"
	"stripswm/nodes/sim/record"
)

// TestResetsAreMarked holds a recording against the policy, and one that does not say what happened
// against both.
func TestResetsAreMarked(t *testing.T) {
	o := small(60, 3)
	o.Resets = 0.2
	marked, s := attempts(t, o)
	o.Unmarked = true
	unmarked, silent := attempts(t, o)
	s.Seconds, s.Bytes, silent.Seconds, silent.Bytes = 0, 0, 0, 0
	if s != silent {
		t.Errorf("marked %+v, unmarked %+v", s, silent)
	}
	trajectory, err := sim.RunPolicy(blocks(t), o.Policy, o.Seed, o.Transitions, o.Faults)
	if err != nil {
		t.Fatal(err)
	}
	i, resets := 0, 0
	for step := range trajectory {
		got, want := unmarked[i], marked[i]
		if want.action != uint32(step.Action) || (want.outcome == bags.Succeeded) != step.OK ||
			want.reset != step.Reset {
			t.Errorf("attempt %d is %d %s, reset %t, the policy has %+v", i, want.action, want.outcome,
				want.reset, step)
		}
		if want.reset = false; got != want {
			t.Errorf("attempt %d differs where resets are not marked: action %d and %d, reset %t", i,
				want.action, got.action, got.reset)
		}
		if i++; step.Reset {
			resets++
		}
	}
	if i != len(marked) || len(unmarked) != len(marked) || resets == 0 || s.Resets != resets {
		t.Errorf("%d attempts walked, %d and %d recorded; %d resets, the summary says %d", i, len(marked),
			len(unmarked), resets, s.Resets)
	}
}

// TestUntilTheFirstResetNothingChanges compares recordings with and without resets, with their
// images.
func TestUntilTheFirstResetNothingChanges(t *testing.T) {
	calm, _ := attempts(t, small(40, 2))
	o := small(40, 2)
	o.Resets = 0.05
	disturbed, s := attempts(t, o)
	if s.Resets == 0 {
		t.Fatal("nobody resets the scene")
	}
	for i, got := range disturbed {
		if got.reset {
			if i == 0 {
				t.Error("a reset before anything else compares nothing: choose another seed")
			}
			return
		}
		if got != calm[i] {
			t.Errorf("attempt %d differs before the first reset: action %d and %d", i, got.action,
				calm[i].action)
		}
	}
}

func TestImpossibleResets(t *testing.T) {
	o := small(3, 1)
	o.Resets = 1.5
	if _, err := record.Run(context.Background(), blocks(t), filepath.Join(t.TempDir(), "bag"),
		o); err == nil {
		t.Error("share 1.5 is taken")
	}
}

// TestFailedAttempts holds a recording in which skills fail against the policy.
func TestFailedAttempts(t *testing.T) {
	o := small(60, 3)
	o.Failures = 0.3
	recorded, s := attempts(t, o)
	trajectory, err := sim.RunPolicy(blocks(t), o.Policy, o.Seed, o.Transitions, o.Faults)
	if err != nil {
		t.Fatal(err)
	}
	i, failed := 0, 0
	for step := range trajectory {
		want := bags.Refused
		if step.OK {
			want = bags.Succeeded
		} else if step.Failed {
			want = bags.Failed
			failed++
		}
		if got := recorded[i]; got.action != uint32(step.Action) || got.outcome != want {
			t.Errorf("attempt %d is %d %s, the policy has %+v", i, got.action, got.outcome, step)
		}
		i++
	}
	if i != len(recorded) || failed == 0 || s.Failed != failed || s.Transitions != o.Transitions {
		t.Errorf("%d attempts, %d failed; recorded %d, the summary says %+v", i, failed, len(recorded), s)
	}
}
