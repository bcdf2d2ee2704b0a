package exploration

import (
	"fmt"
	"math/bits"
	"testing"

	"stripswm/bags"
	"stripswm/models/identity"
	"stripswm/models/imageplan"
	"stripswm/models/pixels"
	"stripswm/models/policy"
	"stripswm/models/strips"
	"stripswm/models/taskgraph"
	"stripswm/nodes/sim"
)

// table is a world whose images are a pixel that says which state it is.
type table struct {
	sim.World
	state sim.State
}

func tableOf(t *testing.T, name string) *table {
	t.Helper()
	w, err := sim.New(name)
	if err != nil {
		t.Fatal(err)
	}
	return &table{w, w.Initial()}
}

func (w *table) labels() []string {
	var all []string
	for a := 1; a <= w.NumActions(); a++ {
		all = append(all, w.ActionName(strips.ActionID(a)))
	}
	return all
}

func (w *table) image() pixels.RGB {
	return pixels.RGB{Width: 1, Height: 1, Pix: []uint8{uint8(w.state), uint8(w.state >> 8), 0}}
}

func (w *table) try(a strips.ActionID) ImageAttempt {
	attempt := ImageAttempt{Action: a, Before: w.image(), Outcome: bags.Refused}
	next, ok := w.Apply(w.state, a)
	if ok {
		w.state, attempt.Outcome = next, bags.Succeeded
	}
	attempt.After = w.image()
	return attempt
}

// sharp recognizes a table's pixel; half shut it confuses all odd states.
type sharp struct{ half bool }

func (e sharp) RecognizeSquare(p pixels.RGB) (r imageplan.Recognition, err error) {
	if r.EncoderCode = codeOf(p.Pix[0]); e.half && p.Pix[0]%2 == 1 {
		r.EncoderCode = "odd"
	}
	return r, nil
}

func codeOf(state uint8) identity.Code { return identity.Code(rune('A' + int(state))) }

func (sharp) Close() error { return nil }

// recognizers here know no graph: a state is named by its code.
func recognizer(c sharp) *Recognizer { return NewRecognizer(c, &taskgraph.Graph{}) }

var frame = pixels.Frame{Side: 1, Fit: pixels.Letterbox}

func session(t *testing.T, w *table, o policy.Options) *Session {
	t.Helper()
	s, err := New(w.labels(), frame, o)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func accept(t *testing.T, s *Session, e *Recognizer) {
	t.Helper()
	if better, err := s.Accept(t.Context(), e); err != nil || !better {
		t.Fatalf("not accepted: %t, %v", better, err)
	}
}

func attempts(t *testing.T, s *Session, w *table, n int) {
	t.Helper()
	for range n {
		observe(t, s, w.try(next(t, s).Action))
	}
}

func unseen(t *testing.T, s *Session) policy.Unseen {
	t.Helper()
	u, err := s.Unseen(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return u
}

// TestAcceptedRecognizerKnowsAllThatWasTried has recognizer come when some was tried: what is known
// then is what it would be with this recognizer from the beginning.
func TestAcceptedRecognizerKnowsAllThatWasTried(t *testing.T) {
	w := tableOf(t, "blocksworld")
	s := session(t, w, policy.Options{})
	attempts(t, s, w, 60)
	untrained := unseen(t, s)
	accept(t, s, recognizer(sharp{}))
	if known := unseen(t, s); known.States >= untrained.States || known.States < 2 {
		t.Errorf("%d states with recognizer, %d static intervals before", known.States, untrained.States)
	}
	attempts(t, s, w, 300)
	if u := unseen(t, s); u.States != 16 || u.Edges != 36 || u.Paths != 1 {
		t.Errorf("in the end %+v", u)
	}
}

// TestWorseRecognizerIsNotAccepted: neither those that confuse many states, nor those that see a
// new one every time.
func TestWorseRecognizerIsNotAccepted(t *testing.T) {
	w := tableOf(t, "blocksworld")
	s := session(t, w, policy.Options{})
	attempts(t, s, w, 60)
	accept(t, s, recognizer(sharp{}))
	attempts(t, s, w, 60)
	for _, worse := range []SquareRecognizer{sharp{half: true}, &restless{}} {
		if better, err := s.Accept(t.Context(), NewRecognizer(worse, &taskgraph.Graph{})); err != nil ||
			better {
			t.Errorf("%T: accepted %t, %v", worse, better, err)
		}
	}
	if u := unseen(t, s); u.States > 16 {
		t.Errorf("%+v", u)
	}
}

// TestSharperRecognizerIsAccepted in place of such as give a state two codes: ways join these, so
// that as much is known by either, but a plan goes by images.
func TestSharperRecognizerIsAccepted(t *testing.T) {
	w := tableOf(t, "blocksworld")
	s := session(t, w, policy.Options{})
	robot := &traveller{table: *w, visited: map[sim.State]bool{}}
	more := func(n int) {
		for range n {
			attempt, err := robot.Try(t.Context(), next(t, s).Action)
			if err != nil {
				t.Fatal(err)
			}
			observe(t, s, attempt)
		}
	}
	more(60)
	accept(t, s, NewRecognizer(double{}, &taskgraph.Graph{}))
	more(600)
	if u := unseen(t, s); u.States != 16 {
		t.Fatalf("%+v", u)
	}
	accept(t, s, recognizer(sharp{}))
}

// double sees each state as one of two, by the static interval.
type double struct{}

func (double) RecognizeSquare(p pixels.RGB) (imageplan.Recognition, error) {
	return imageplan.Recognition{
		EncoderCode: codeOf(p.Pix[0]) + codeOf(uint8(bits.OnesCount8(p.Pix[2])%2))}, nil
}

func (double) Close() error { return nil }

// restless gives every image another code.
type restless struct{ n int }

func (e *restless) RecognizeSquare(pixels.RGB) (imageplan.Recognition, error) {
	e.n++
	return imageplan.Recognition{EncoderCode: identity.Code(fmt.Sprint(e.n))}, nil
}

func (*restless) Close() error { return nil }

// TestAliasedStatesSurprise has a recognizer that confuses half of the states: attempts there come
// out otherwise than before, and success is not believed in.
func TestAliasedStatesSurprise(t *testing.T) {
	var surprise [2]float64
	for i, half := range []bool{false, true} {
		w := tableOf(t, "blocksworld")
		s := session(t, w, policy.Options{})
		s.recognizer = recognizer(sharp{half})
		attempts(t, s, w, 300)
		surprise[i] = unseen(t, s).Surprise
	}
	if surprise[0] > 0.05 || surprise[1] < 4*surprise[0] {
		t.Errorf("surprised by %.3f of what was tried before, and with half of the states alike by %.3f",
			surprise[0], surprise[1])
	}
}

// TestFailedSkillsTellNothing: the static interval after is another, and no edge leads there.
func TestFailedSkillsTellNothing(t *testing.T) {
	w := tableOf(t, "blocksworld")
	s := session(t, w, policy.Options{})
	for _, a := range []ImageAttempt{{Action: 1, Outcome: bags.Failed},
		{Action: 2, Outcome: bags.Refused,
			Reset: true}} {
		a.Before, a.After = w.image(), w.image()
		observe(t, s, a)
	}
	if u := unseen(t, s); u.Edges != 0 || len(s.intervals) != 3 {
		t.Errorf("%+v, %d static intervals", u, len(s.intervals))
	}
}

// TestFailedAfterAll marks attempts failed that were told as something else: what is known is what
// it is where that was known at once.
func TestFailedAfterAll(t *testing.T) {
	for _, told := range []bags.Outcome{bags.Succeeded, bags.Refused} {
		w := tableOf(t, "blocksworld")
		late, atOnce := session(t, w, policy.Options{}), session(t, w, policy.Options{})
		late.recognizer, atOnce.recognizer = recognizer(sharp{}), recognizer(sharp{})
		marked := 0
		for i := range 200 {
			tried := w.try(next(t, late).Action)
			observe(t, late, tried)
			if tried.Outcome == told && i%4 == 0 {
				late.Fail(i)
				late.Reset()
				tried.Outcome = bags.Failed
				marked++
			}
			observe(t, atOnce, tried)
			next(t, late)
			a, b := unseen(t, late), unseen(t, atOnce)
			// what is expected of untried pairs depends on when it was asked
			if a.States != b.States || a.Edges != b.Edges || a.Paths != b.Paths {
				t.Fatalf("attempt %d, %d of outcome %d marked: %+v, and %+v where it was known at once", i,
					marked, told, a, b)
			}
		}
		if marked < 5 {
			t.Errorf("%d of outcome %d marked", marked, told)
		}
	}
}

func next(t *testing.T, s *Session) policy.Choice {
	t.Helper()
	c, err := s.Next(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func observe(t *testing.T, s *Session, a ImageAttempt) {
	t.Helper()
	if err := s.Observe(t.Context(), a); err != nil {
		t.Fatal(err)
	}
}

// TestView has somebody move things, and put an arm before the camera.
func TestView(t *testing.T) {
	w := tableOf(t, "blocksworld")
	s := session(t, w, policy.Options{})
	attempts(t, s, w, 60)
	b := taskgraph.NewBuilder(w.labels())
	for _, state := range []int{int(w.state), 9, 10} {
		if err := b.Refuse(string(codeOf(uint8(state))), 1); err != nil {
			t.Fatal(err)
		}
	}
	accept(t, s, NewRecognizer(sharp{}, b.Graph()))
	for name, c := range map[string]struct {
		shown int
		want  View
	}{
		"as it was left": {int(w.state), AsLeft},
		"moved":          {(9 + btoi(int(w.state) == 9)), Moved},
		"an arm":         {200, Unclear},
	} {
		if got, err := s.View(pixels.RGB{Width: 1, Height: 1, Pix: []uint8{uint8(c.shown), 0,
			0}}); err != nil || got != c.want {
			t.Errorf("%s: %v, %v", name, got, err)
		}
	}
}

// TestTheFirstImageAfterAResetIsKept: it says where the scene is, without an attempt.
func TestTheFirstImageAfterAResetIsKept(t *testing.T) {
	w := tableOf(t, "blocksworld")
	s := session(t, w, policy.Options{})
	attempts(t, s, w, 60)
	accept(t, s, recognizer(sharp{}))
	before := unseen(t, s)
	s.Reset()
	w.state = w.Initial()
	if _, err := s.Next(t.Context()); err != nil { // of nothing it knows
		t.Fatal(err)
	}
	if view, err := s.View(w.image()); err != nil || view != AsLeft {
		t.Errorf("%v, %v", view, err)
	}
	c, err := s.Next(t.Context())
	if want := "code " + string(codeOf(uint8(w.Initial()))); err != nil || c.Kind == policy.Trial &&
		c.At != want {
		t.Errorf("%+v, %v, want something at %s, or on the way", c, err, want)
	}
	after := unseen(t, s)
	if after.Surprise > before.Surprise { // one static interval more that recognizer told
		t.Errorf("%v after %v", after.Surprise, before.Surprise)
	}
	if after.Surprise = before.Surprise; after != before {
		t.Errorf("a reset makes of %+v %+v", before, after)
	}
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}
