package explore

import (
	"testing"

	"pgregory.net/rapid"

	"stripswm/models/explore"
	"stripswm/models/imageplan"
	"stripswm/models/pixels"
	"stripswm/models/strips"
	"stripswm/models/taskgraph"
)

// TestSkillsApplyInAStateOrDoNot: whatever eyes take for one, what is called a state is none in which a skill applied and was refused,
// or that a skill left as it was, and what is called two is not seen as one without reason.
func TestSkillsApplyInAStateOrDoNot(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		w := tableOf(t, rapid.SampledFrom([]string{"blocksworld", "keydoor", "lamps"}).Draw(rt, "world"))
		s := session(t, w, explore.Options{})
		s.eyes = NewEyes(sharp{half: rapid.Bool().Draw(rt, "half shut")}, &taskgraph.Graph{})
		for _, a := range rapid.SliceOfN(rapid.IntRange(1, w.NumActions()), 1, 120).Draw(rt, "actions") {
			if err := s.Observe(t.Context(), w.try(strips.ActionID(a))); err != nil {
				rt.Fatal(err)
			}
		}
		type tried struct {
			at     string
			action strips.ActionID
		}
		was := map[tried]try{}
		for _, x := range s.tries {
			at := tried{s.moments[x.from].name, x.action}
			if before, again := was[at]; again && before.outcome != x.outcome {
				rt.Errorf("%v: %s, then %s", at, before.outcome, x.outcome)
			}
			if was[at] = x; x.from != x.to && s.moments[x.from].name == s.moments[x.to].name {
				rt.Errorf("%v leads to itself", at)
			}
		}
	})
}

// TestSharpEyesNeedNoGuess: what eyes tell apart is each a state, and nothing is left to be told.
func TestSharpEyesNeedNoGuess(t *testing.T) {
	w := tableOf(t, "blocksworld")
	s := session(t, w, explore.Options{})
	attempts(t, s, w, 60)
	adopt(t, s, eyes(sharp{}))
	attempts(t, s, w, 300)
	if n := len(s.states.alike); n != 16 || s.states.other != 1 {
		t.Errorf("%d states, %v guesses", n, s.states.other-1)
	}
}

// TestWhatEyesDoNotTellIsNoSuccess: tried apart, known apart, but a plan goes by pictures.
func TestWhatEyesDoNotTellIsNoSuccess(t *testing.T) {
	w := tableOf(t, "blocksworld")
	s := session(t, w, explore.Options{})
	s.eyes = NewEyes(sharp{half: true}, &taskgraph.Graph{})
	attempts(t, s, w, 400)
	u := unseen(t, s)
	if u.States < 14 {
		t.Errorf("%d states are told apart by what was tried", u.States)
	}
	if u.Surprise < 0.2 || u.Success() > 0.8 {
		t.Errorf("half of the states look like one, and %+v is expected", u)
	}
}

// doubting eyes refuse what they see while they doubt.
type doubting struct {
	sharp
	doubt *bool
}

func (e doubting) RecognizeSquare(p pixels.RGB) (imageplan.Recognition, error) {
	r, err := e.sharp.RecognizeSquare(p)
	if r.Encoded = []strips.StateID{0}; *e.doubt {
		r.Refusal = imageplan.Unlike
	}
	return r, err
}

// TestWhatIsRefusedShowsWhereTheSkillLedBefore, and where it was never tried, a state that is new.
func TestWhatIsRefusedShowsWhereTheSkillLedBefore(t *testing.T) {
	w := tableOf(t, "blocksworld")
	s, doubt := session(t, w, explore.Options{}), false
	s.eyes = NewEyes(doubting{doubt: &doubt}, &taskgraph.Graph{})
	step := func(doubted bool, applies func(strips.ActionID) bool) (strips.ActionID, string) {
		for a := strips.ActionID(1); int(a) <= w.NumActions(); a++ {
			if _, ok := w.Apply(w.state, a); !ok || !applies(a) {
				continue
			}
			attempt := w.try(a)
			doubt = false
			if err := s.see(len(s.moments)-1, attempt.Before); err != nil {
				t.Fatal(err)
			}
			doubt = doubted
			if err := s.Observe(t.Context(), attempt); err != nil {
				t.Fatal(err)
			}
			return a, s.moments[len(s.moments)-1].name
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
	if _, on := step(true, func(a strips.ActionID) bool { next, _ := w.Apply(w.state, a); return next != home }); on == first || on == s.moments[0].name {
		t.Errorf("by a skill that was never tried there it comes to %s again", on)
	}
}
