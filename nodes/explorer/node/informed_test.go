package node

import (
	"slices"
	"testing"

	"stripswm/msgs"
	"stripswm/nodes/exploration"
)

// Facts need no learner: nothing is asked of the one that there is.
func TestExploresByFacts(t *testing.T) {
	b := newTable(t)
	e := b.explorer("method:=traces", "names:=[on, back, nothing]", "budget:=30")
	s := b.end(b.run(e))
	if s.Reason != exploration.Spent || s.Attempts != 30 || len(b.tried) != 30 || len(b.encoders) > 0 {
		t.Errorf("ended with %+v, %d tried, %d trained", s, len(b.tried), len(b.encoders))
	}
	refused := len(slices.DeleteFunc(slices.Clone(b.tried), func(a uint32) bool { return a != 3 }))
	if refused == 0 || refused > 15 {
		t.Errorf("tried %d times what is always refused: %v", refused, b.tried)
	}
	if facts := e.status.Facts; facts == nil || facts.Succeeded == 0 || facts.Seconds == 0 {
		t.Errorf("status %+v", e.status)
	}
	b.diagnosed(e, msgs.DiagnosticStatusOk, "done: "+exploration.Spent)
}

// Where every skill is refused, somebody has to change the scene, and says so.
func TestFactsAskForAReset(t *testing.T) {
	b := newTable(t)
	b.stiff = true
	e := b.explorer("method:=traces", "actions:=3", "budget:=6")
	done := b.run(e)
	b.state(e, "waits for a reset: every skill was refused in this state: change the scene by hand")
	b.set(func() { b.stiff = false })
	b.somebody()
	if s := b.end(done); s.Resets != 1 || s.Attempts != 6 {
		t.Errorf("ended with %+v", s)
	}
}
