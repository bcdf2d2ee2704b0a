package exploration

import (
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"stripswm/models/identity"
	"stripswm/models/imageplan"
	"stripswm/models/pixels"
	"stripswm/models/policy"
	"stripswm/models/strips"
	"stripswm/models/taskgraph"
	"stripswm/nodes/sim"
)

// TestSkillsApplyInAStateOrDoNot: whatever a recognizer confuses, no state is one in which a skill
// both applied and was refused, or that a skill left as it was, and what is called two is not seen
// as one without reason.
func TestSkillsApplyInAStateOrDoNot(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		w := tableOf(t, rapid.SampledFrom([]string{"blocksworld", "keydoor", "lamps"}).Draw(rt, "world"))
		s := session(t, w, policy.Options{})
		s.recognizer = NewRecognizer(rapid.SampledFrom([]SquareRecognizer{sharp{}, sharp{half: true},
			twofold(w)}).Draw(rt, "recognizer"), &taskgraph.Graph{})
		robot := &traveller{table: *w, visited: map[sim.State]bool{}}
		for _, a := range rapid.SliceOfN(rapid.IntRange(1, w.NumActions()), 1, 120).Draw(rt, "actions") {
			attempt, _ := robot.Try(t.Context(), strips.ActionID(a))
			if err := s.Observe(t.Context(), attempt); err != nil {
				rt.Fatal(err)
			}
		}
		type tried struct {
			at     string
			action strips.ActionID
		}
		was := map[tried]try{}
		for _, x := range s.tries {
			at := tried{s.intervals[x.from].name, x.action}
			if before, again := was[at]; again && before.outcome != x.outcome {
				rt.Errorf("%v: %s, then %s", at, before.outcome, x.outcome)
			}
			if was[at] = x; x.from != x.to && s.intervals[x.from].name == s.intervals[x.to].name {
				rt.Errorf("%v leads to itself", at)
			}
		}
	})
}

// TestSharpRecognizerNeedsNoGuess: what recognizer distinguish is each a state, and nothing is left
// to be told.
func TestSharpRecognizerNeedsNoGuess(t *testing.T) {
	w := tableOf(t, "blocksworld")
	s := session(t, w, policy.Options{})
	attempts(t, s, w, 60)
	accept(t, s, recognizer(sharp{}))
	attempts(t, s, w, 300)
	if n := len(s.states.labeled); n != 16 || s.states.other != 1 {
		t.Errorf("%d states, %v guesses", n, s.states.other-1)
	}
}

// TestWhatTheRecognizerDoesNotTellIsNoSuccess: tried apart, known apart, but a plan goes by images.
func TestWhatTheRecognizerDoesNotTellIsNoSuccess(t *testing.T) {
	w := tableOf(t, "blocksworld")
	s := session(t, w, policy.Options{})
	s.recognizer = NewRecognizer(sharp{half: true}, &taskgraph.Graph{})
	attempts(t, s, w, 400)
	u := unseen(t, s)
	if u.States < 14 {
		t.Errorf("%d states are distinguished by what was tried", u.States)
	}
	if u.Surprise < 0.2 || u.Success() > 0.8 {
		t.Errorf("half of the states look like one, and %+v is expected", u)
	}
}

// uncertain recognizers refuse what they see while it is set.
type uncertain struct {
	sharp
	diagnostic *bool
}

func (e uncertain) RecognizeSquare(p pixels.RGB) (imageplan.Recognition, error) {
	r, err := e.sharp.RecognizeSquare(p)
	if r.Encoded = []strips.StateID{0}; *e.diagnostic {
		r.Refusal = imageplan.OutOfDistribution
	}
	return r, err
}

// TestWhatIsRefusedShowsWhereTheSkillLedBefore, and where it was never tried, a state that is new.
func TestWhatIsRefusedShowsWhereTheSkillLedBefore(t *testing.T) {
	w := tableOf(t, "blocksworld")
	s, diagnostic := session(t, w, policy.Options{}), false
	s.recognizer = NewRecognizer(uncertain{diagnostic: &diagnostic}, &taskgraph.Graph{})
	step := func(diagnosed bool, applies func(strips.ActionID) bool) (strips.ActionID, string) {
		for a := strips.ActionID(1); int(a) <= w.NumActions(); a++ {
			if _, ok := w.Apply(w.state, a); !ok || !applies(a) {
				continue
			}
			attempt := w.try(a)
			diagnostic = false
			if err := s.see(len(s.intervals)-1, attempt.Before); err != nil {
				t.Fatal(err)
			}
			diagnostic = diagnosed
			observe(t, s, attempt)
			return a, s.intervals[len(s.intervals)-1].name
		}
		t.Fatal("no such skill")
		return 0, ""
	}
	whichever := func(strips.ActionID) bool { return true }
	there, first := step(false, whichever)
	home := w.Initial()
	step(false, func(a strips.ActionID) bool { next, _ := w.Apply(w.state, a); return next == home })
	if _, again := step(true, func(a strips.ActionID) bool { return a == there }); again != first {
		t.Errorf("by the same skill it comes to %s, and then to %s", first, again)
	}
	if _, on := step(true, func(a strips.ActionID) bool {
		next, _ := w.Apply(w.state, a)
		return next != home
	}); on == first || on == s.intervals[0].name {
		t.Errorf("by a skill that was never tried there it comes to %s again", on)
	}
}

// twofold recognizers have two codes for each state; one static interval shows one of them, another
// the other.
func twofold(w *table) *pupil {
	p := &pupil{codes: map[int][]identity.Code{}}
	for i := range w.NumStates() {
		p.codes[i] = []identity.Code{identity.Code(fmt.Sprint(i)), identity.Code(fmt.Sprint(i, "'"))}
	}
	return p
}

// TestOneStateOfTwoCodes: what one skill leads to from one state is one state, however it is seen.
func TestOneStateOfTwoCodes(t *testing.T) {
	w := tableOf(t, "blocksworld")
	s := session(t, w, policy.Options{})
	s.recognizer = NewRecognizer(twofold(w), &taskgraph.Graph{})
	robot := &traveller{table: *w, visited: map[sim.State]bool{}}
	robot.state = sim.GroundTruth(w.World).Out(robot.state)[0].To // where several skills apply
	home, codes := robot.state, map[sim.State]map[identity.Code]bool{}
	for round := range 60 { // there and back
		var may []strips.ActionID
		for a := strips.ActionID(1); int(a) <= robot.NumActions(); a++ {
			if next, ok := robot.Apply(robot.state, a); ok && (robot.state == home || next == home) {
				may = append(may, a)
			}
		}
		attempt, err := robot.Try(t.Context(), may[round/2%len(may)])
		if err == nil {
			err = s.Observe(t.Context(), attempt)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	names := map[sim.State]string{}
	for i, m := range s.intervals[1:] {
		state := sim.State(stateIn(m.images[0]))
		if codes[state] == nil {
			codes[state], names[state] = map[identity.Code]bool{}, m.name
		}
		if codes[state][m.reading().code] = true; m.name != names[state] {
			t.Errorf("static interval %d of state %d is called %s, one before %s", i+1, state, m.name,
				names[state])
		}
	}
	if len(names) < 3 || len(s.states.labeled) <= len(names) {
		t.Errorf("%d states with %d names", len(names), len(s.states.labeled))
	}
	of := map[string]sim.State{}
	for state, name := range names {
		if other, taken := of[name]; taken {
			t.Errorf("states %d and %d are both called %s", state, other, name)
		}
		of[name] = state
	}
}
