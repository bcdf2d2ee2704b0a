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
	if n := len(all.Contradictions(right)); n < 20 {
		t.Fatalf("images contradict only %d attempts", n)
	}
	recording, found, result, err := Learn(right)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(all, recording); diff != "" || found != nil ||
		result.Report.Unexplained() > 0 {
		t.Errorf("a right record: %d contradictions, %d refusals unexplained, learned from others: %s",
			len(found), result.Report.Unexplained(), diff)
	}
	wrong, want := misfilm(t, w, 1000, 1)
	recording, found, result, err = Learn(wrong)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(Attempts(wrong).Without(found), recording); diff != "" ||
		len(found) != len(want) || result.Report.Unexplained() > 0 {
		t.Errorf("a wrong record: %d contradictions, want %d; %d refusals unexplained: %s", len(found),
			len(want), result.Report.Unexplained(), diff)
	}
}
