package incremental_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"stripswm/models/identity"
	"stripswm/models/strips"
	"stripswm/nodes/learn/incremental"
	"stripswm/nodes/sim"
)

// code is the true state, in place of an encoder's code.
func code[S any](state S) identity.Code { return identity.Code(fmt.Sprint(state)) }

// blocks is a learner of BlocksWorld that has seen a policy, with true states for codes.
func blocks(t testing.TB, steps int) *incremental.Learner {
	t.Helper()
	w, err := sim.New("blocksworld")
	if err != nil {
		t.Fatal(err)
	}
	labels := make([]string, w.NumActions())
	for i := range labels {
		labels[i] = w.ActionName(strips.ActionID(i + 1))
	}
	l := incremental.New(labels, incremental.Options{MinSupport: 0.05})
	trajectory, err := sim.RunPolicy(w, sim.Balanced, 3, steps)
	if err != nil {
		t.Fatal(err)
	}
	for step := range trajectory {
		a := incremental.CodeAttempt{Before: code(step.State), Action: step.Action,
			After:   code(step.Next),
			Refused: !step.OK, Follows: true}
		if err := l.Observe(a); err != nil {
			t.Fatal(err)
		}
	}
	return l
}

func TestLearnsAsAttemptsArrive(t *testing.T) {
	for _, c := range []struct{ steps, states int }{{0, 0}, {3, 4}, {1000, 16}} {
		u, err := blocks(t, c.steps).Learn(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		if u.States > c.states || c.steps == 1000 && (u.States != 16 || len(u.Untried) != 0 ||
			u.Xi != 0 || u.Eta != 0) {
			t.Errorf("after %d steps: %+v", c.steps, u)
		}
		if c.steps == 3 && len(u.Untried) == 0 {
			t.Error("after 3 steps no action is untried")
		}
	}
}

func TestUnknownActionIsRefused(t *testing.T) {
	l := incremental.New([]string{"only"}, incremental.Options{})
	if err := l.Observe(incremental.CodeAttempt{Before: "0", Action: 2, After: "1"}); err == nil {
		t.Error("action 2 of 1 was taken")
	}
}

func TestFrameCodes(t *testing.T) {
	at := func(ms int) time.Time { return time.UnixMilli(int64(ms)) }
	frames := incremental.FrameCodes{Keep: time.Second, Near: 50 * time.Millisecond}
	for _, ms := range []int{0, 100, 300, 200} {
		frames.Add(at(ms), code(ms))
	}
	for ms, want := range map[int]identity.Code{100: "100", 110: "100", 160: "200", 320: "300",
		400: "", -60: ""} {
		if code, ok := frames.At(at(ms)); ok != (want != "") || ok && code != want {
			t.Errorf("at %d: %q %t, want %q", ms, code, ok, want)
		}
	}
	for ms := 400; ms < 5000; ms += 100 {
		frames.Add(at(ms), "later")
	}
	if _, ok := frames.At(at(100)); ok {
		t.Error("an old frame is still known")
	}
}

func ExampleLearner() {
	l := incremental.New([]string{"open", "close", "knock"}, incremental.Options{})
	l.Observe(incremental.CodeAttempt{Before: "shut", Action: 1, After: "ajar"})
	l.Observe(incremental.CodeAttempt{Before: "ajar", Action: 2, After: "shut"})
	l.Observe(incremental.CodeAttempt{Before: "ajar", Action: 1, Refused: true})
	u, err := l.Learn(context.Background())
	fmt.Println(u.States, "states, eta", u.Eta, "untried", u.Untried, err)
	// Output: 2 states, eta 0 untried [3] <nil>
}

func BenchmarkLearn(b *testing.B) {
	l := blocks(b, 1000)
	for b.Loop() {
		if _, err := l.Learn(context.Background()); err != nil {
			b.Fatal(err)
		}
	}
}
