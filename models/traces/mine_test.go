package traces

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"stripswm/models/strips"
)

// drawTrace draws attempts of few actions in a small world of its own: each action adds and deletes
// some of the facts, and succeeds only where that changes them.
func drawTrace(t *rapid.T) (int, [][]Attempt) {
	actions, facts := rapid.IntRange(2, 6).Draw(t, "actions"), rapid.IntRange(1, 3).Draw(t, "facts")
	var effects [][]int
	for range actions {
		effects = append(effects, rapid.SliceOfN(rapid.IntRange(-1, 1), facts, facts).Draw(t, "effects"))
	}
	var segments [][]Attempt
	for range rapid.IntRange(1, 3).Draw(t, "segments") {
		state := rapid.SliceOfN(rapid.Bool(), facts, facts).Draw(t, "state")
		var segment []Attempt
		for _, a := range rapid.SliceOfN(rapid.IntRange(0, actions-1), 0, 80).Draw(t, "attempts") {
			at := Attempt{Action: strips.ActionID(a + 1), Outcome: Succeeded}
			for f, e := range effects[a] {
				if e != 0 && state[f] == (e > 0) {
					at.Outcome = Refused
				}
			}
			for f, e := range effects[a] {
				if e != 0 && at.Outcome == Succeeded {
					state[f] = e > 0
				}
			}
			if n := len(segment); n > 0 && at.Outcome == Succeeded && segment[n-1].With == 0 &&
				segment[n-1].Outcome == Succeeded && segment[n-1].Action != at.Action &&
				rapid.IntRange(0, 4).Draw(t, "together") == 0 {
				segment[n-1] = Attempt{at.Action, Succeeded, segment[n-1].Action}
				continue
			}
			segment = append(segment, at)
		}
		segments = append(segments, segment)
	}
	return actions, segments
}

// enumerate tries all signs of all actions and returns the supports that alternate and contain no
// smaller one of two actions or more, those with enough evidence, as text.
func enumerate(tr *trace, given [][]Attempt) (minimal []string) {
	n := len(tr.ids)
	var bySize []map[string][]int8
	for range n + 1 {
		bySize = append(bySize, map[string][]int8{})
	}
	signs := make([]int8, n)
	var try func(a int)
	try = func(a int) {
		if a < n {
			for _, s := range []int8{0, 1, -1} {
				signs[a] = s
				if s == 0 || len(tr.occurs[a]) > 0 {
					try(a + 1)
				}
			}
			signs[a] = 0
			return
		}
		size, first := 0, int8(0)
		for _, s := range signs {
			if s != 0 {
				if size++; size == 1 {
					first = s
				}
			}
		}
		if size < 2 || first < 0 || alternates(tr, signs, given) < 0 {
			return
		}
		bySize[size][fmt.Sprint(signs)] = slices.Clone(signs)
	}
	try(0)
	for size := 2; size <= n; size++ {
	next:
		for key, s := range bySize[size] {
			for smaller := 2; smaller < size; smaller++ {
				for _, q := range bySize[smaller] {
					if covers(s, q) {
						continue next
					}
				}
			}
			if alternates(tr, s, given) > supports(n, size) {
				minimal = append(minimal, key)
			}
		}
	}
	slices.Sort(minimal)
	return minimal
}

func covers(s, q []int8) bool {
	for a := range s {
		if q[a] != 0 && s[a] == 0 {
			return false
		}
	}
	return true
}

// alternates returns the evidence of signs that alternate, in nats, -1 where they do not: ln 2 for
// each event whose sign the one before says, but for two events alone in a segment of which one is
// of an action that never succeeds twice between resets.
func alternates(tr *trace, signs []int8, given [][]Attempt) float64 {
	bySegment := make([][]int, len(tr.starts)-1)
	for e, ev := range tr.events {
		s := signs[ev.action]
		if s == 0 || ev.with != 0 && signs[tr.events[e+int(ev.with)].action] == -s {
			continue
		}
		of := &bySegment[tr.segment(int32(e))]
		if n := len(*of); n > 0 && signs[(*of)[n-1]] == s {
			return -1
		}
		*of = append(*of, int(ev.action))
	}
	nats := 0.0
	for _, of := range bySegment {
		if len(of) > 2 || len(of) == 2 && !rare(tr.ids[of[0]], given) && !rare(tr.ids[of[1]], given) {
			nats += float64(len(of)-1) * math.Ln2
		}
	}
	return nats
}

// rare says whether an action succeeds in several of the segments, and never twice in one.
func rare(a strips.ActionID, given [][]Attempt) bool {
	segments := 0
	for _, segment := range given {
		n := 0
		for _, at := range segment {
			if at.Outcome == Succeeded && (at.Action == a || at.With == a) {
				n++
			}
		}
		if n > 1 {
			return false
		}
		segments += n
	}
	return segments > 1
}

// All minimal supports are found that an enumeration of all signs finds, and every mined region
// alternates.
func TestMiningIsComplete(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		actions, segments := drawTrace(t)
		err := valid(actions, segments, Options{})
		if err != nil {
			t.Fatal(err)
		}
		tr := readTrace(actions, segments, nil)
		m := newMiner(tr, steps{left: DefaultSteps})
		complete := m.mine(actions)
		found := slices.Concat(m.found, m.wide)
		if complete != actions {
			t.Fatalf("complete up to %d", complete)
		}
		var got []string
		for _, r := range found {
			signs := make([]int8, actions)
			for _, e := range r.effects {
				signs[e.action] = -1
				if e.adds {
					signs[e.action] = 1
				}
			}
			if alternates(tr, signs, segments) < 0 {
				t.Errorf("%v does not alternate", signs)
			}
			got = append(got, fmt.Sprint(signs))
		}
		for _, want := range enumerate(tr, segments) {
			if !slices.Contains(got, want) {
				t.Errorf("%s is missing of %v", want, got)
			}
		}
	})
}

// A region that every action changes is found in any segments, and each action has the sign that it
// has in the world.
func TestAlternating(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		adds := append([]bool{true, false}, rapid.SliceOfN(rapid.Bool(), 0, 10).Draw(t, "adds")...)
		var segments [][]Attempt
		for range rapid.IntRange(1, 8).Draw(t, "segments") {
			var segment []Attempt
			holds := rapid.Bool().Draw(t, "holds")
			for range rapid.IntRange(1, 8).Draw(t, "successes") {
				a := rapid.IntRange(0, len(adds)-1).Draw(t, "action")
				for adds[a] == holds {
					a = (a + 1) % len(adds)
				}
				holds = !holds
				segment = append(segment, Attempt{Action: strips.ActionID(a + 1), Outcome: Succeeded})
			}
			segments = append(segments, segment)
		}
		tr := readTrace(len(adds), segments, nil)
		found := alternating(tr)
		if len(found) == 0 {
			t.Fatal("none")
		}
		for _, r := range found {
			first := r.effects[0]
			for _, e := range r.effects {
				same := adds[tr.ids[e.action]-1] == adds[tr.ids[first.action]-1]
				if same != (e.adds == first.adds) {
					t.Errorf("action %d has the wrong sign", tr.ids[e.action])
				}
			}
		}
	})
}

// Any attempts give a result, and within an interval no predicate is both true and false.
func TestAnyAttempts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		attempt := rapid.Custom(func(t *rapid.T) Attempt {
			at := Attempt{Action: strips.ActionID(rapid.IntRange(1, 5).Draw(t, "action")),
				Outcome: Outcome(rapid.IntRange(1, 3).Draw(t, "outcome"))}
			if at.Outcome == Succeeded && at.Action < 5 && rapid.IntRange(0, 3).Draw(t, "with") == 0 {
				at.With = at.Action + 1
			}
			return at
		})
		segments := rapid.SliceOfN(rapid.SliceOfN(attempt, 0, 60), 0, 4).Draw(t, "segments")
		r, err := Learn(5, segments, Options{})
		if err != nil {
			t.Fatal(err)
		}
		for i, p := range r.regions {
			if p.holds.Meets(p.fails) {
				t.Errorf("predicate %d is true and false", i)
			}
		}
	})
}

// Every action occurs once: as many regions of two actions as there are pairs, none with evidence.
func TestManyActionsThatOccurOnce(t *testing.T) {
	var segment []Attempt
	for a := range 3000 {
		segment = append(segment, Attempt{Action: strips.ActionID(a + 1), Outcome: Succeeded})
	}
	r, err := Learn(len(segment), [][]Attempt{segment}, Options{Steps: 1_000_000})
	if err != nil || len(r.Report.Cut) == 0 {
		t.Errorf("cut %v, %v", r.Report.Cut, err)
	}
}
