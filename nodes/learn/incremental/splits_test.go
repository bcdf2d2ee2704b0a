package incremental_test

import (
	"context"
	"testing"

	"stripswm/models/identity"
	"stripswm/nodes/learn/incremental"
)

// alias gives two states of a stroll one code.
func alias(attempts []incremental.CodeAttempt, a, b identity.Code) {
	for i := range attempts {
		for _, c := range []*identity.Code{&attempts[i].Before, &attempts[i].After} {
			if *c == b {
				*c = a
			}
		}
	}
}

func observeAll(t *testing.T, labels []string, attempts []incremental.CodeAttempt,
	o incremental.Options,
) incremental.Update {
	t.Helper()
	l := incremental.New(labels, o)
	for _, a := range attempts {
		if err := l.Observe(a); err != nil {
			t.Fatal(err)
		}
	}
	u, err := l.Learn(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return u
}

// TestCodeOfTwoStatesIsSplit has an encoder that gives two of sixteen states one code:
// a long trajectory shows that, and what one has shown is known on another from the beginning.
func TestCodeOfTwoStatesIsSplit(t *testing.T) {
	labels, attempts := stroll(t, "blocksworld", 3000)
	alias(attempts, "4", "9")
	long := observeAll(t, labels, attempts, incremental.Options{MinSupport: 0.1})
	if long.States != 16 || long.Eta != 0 || long.SplitCodes != 1 {
		t.Fatalf("after a long trajectory %+v, want 16 states, one code split", long)
	}
	short := attempts[:150]
	if alone := observeAll(t, labels, short, incremental.Options{}); alone.States >= 16 {
		t.Errorf("a short trajectory shows %d states by itself: too short to know the splits from",
			alone.States)
	}
	u := observeAll(t, labels, short, incremental.Options{Splits: identity.SplitsOf(long.Graph)})
	if u.States != 16 || u.SplitCodes != 1 || len(u.Graph.Nondeterministic()) != 0 {
		t.Errorf("with the splits known %+v, %d nondeterministic pairs: want 16 states, none", u,
			len(u.Graph.Nondeterministic()))
	}
}
