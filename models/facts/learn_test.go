package facts

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Attempts that explain each other are learned from, whatever images say; where the record is
// wrong, what images contradict is left out.
func TestLearn(t *testing.T) {
	w := table{objects: 3, places: 4}
	right, _ := film(t, w, 600, 1)
	for i := 41; i+2 < right.Images(); i += 30 {
		copy(right.Image(i), right.Image(i-20)) // of another state, or of the same by chance
	}
	all := Attempts(right)
	if n := len(all.Contradictions(thumbnails(right))); n < 20 {
		t.Fatalf("images contradict only %d attempts", n)
	}
	l, err := Learn(t.Context(), right)
	if err != nil {
		t.Fatal(err)
	}
	recording, found, result := l.Recording, l.Contradictions, l.Result
	if diff := cmp.Diff(all, recording); diff != "" || found != nil ||
		result.Report.Unexplained() > 0 {
		t.Errorf("a right record: %d contradictions, %d refusals unexplained, learned from others: %s",
			len(found), result.Report.Unexplained(), diff)
	}
	wrong, want := misfilm(t, w, 1000, 1, false)
	if l, err = Learn(t.Context(), wrong); err != nil {
		t.Fatal(err)
	}
	recording, found, result = l.Recording, l.Contradictions, l.Result
	if diff := cmp.Diff(Attempts(wrong).Without(found), recording); diff != "" ||
		len(found) != len(want) || result.Report.Unexplained() > 0 {
		t.Errorf("a wrong record: %d contradictions, want %d; %d refusals unexplained: %s", len(found),
			len(want), result.Report.Unexplained(), diff)
	}
}

// Attempts that failed, and of which images show what they did, are learned from as if that had
// been reported.
func TestLearnFromFailures(t *testing.T) {
	d, _ := film(t, table{objects: 3, places: 4}, 600, 2)
	want := Attempts(d)
	all := d.Transitions
	d.Transitions = nil
	for i, tr := range all {
		if failed := i%5 == 3; failed {
			d.Failed = append(d.Failed, tr)
			continue
		}
		if i%5 == 4 {
			tr.Follows, tr.Resumes = false, true
		}
		d.Transitions = append(d.Transitions, tr)
	}
	l, err := Learn(t.Context(), d)
	if err != nil {
		t.Fatal(err)
	}
	got, found := l.Recording, l.Contradictions
	if diff := cmp.Diff(want, got); diff != "" || len(found) != len(d.Failed) {
		t.Errorf("%d of %d failed attempts are understood: %s", len(found), len(d.Failed), diff)
	}
}
