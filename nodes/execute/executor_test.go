package execute_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"stripswm/models/operators"
	"stripswm/models/planner"
	"stripswm/models/strips"
	"stripswm/models/taskgraph"
	"stripswm/models/worlds/fixtures"
	"stripswm/nodes/execute"
)

func TestRun(t *testing.T) {
	type outcomes = map[int]execute.Outcome
	for name, c := range map[string]struct {
		table  *table
		faults func(*table)
		policy execute.Policy
		goal   int
		went   []string
		stop   execute.Reason
		says   string
	}{
		"there already": {at(1), nil, quick(), 1, []string{"plan []"}, 0, ""},
		"as planned": {at(0), nil, quick(), 3, []string{"plan [7 3]", "7 succeeded: advance",
			"3 succeeded: reached"}, 0, ""},
		"slipped once": {at(1), func(w *table) { w.fails = outcomes{1: execute.Failed} }, quick(), 2,
			[]string{"plan [2]", "2 failed, [1 2] differ: retry", "2 succeeded: reached"}, 0, ""},
		"wrong report": {at(1), func(w *table) { w.lies = outcomes{1: execute.Failed} }, quick(), 2,
			[]string{"plan [2]", "2 failed: reached"}, 0, ""},
		"false success": {at(1), func(w *table) { w.fails = outcomes{1: execute.Succeeded} }, quick(), 2,
			[]string{"plan [2]", "2 succeeded, [1 2] differ: retry", "2 succeeded: reached"}, 0, ""},
		"moved by hand": {at(0), func(w *table) { w.moved = map[int]int{1: 1} }, quick(), 3,
			[]string{"plan [7 3]", "7 succeeded, [1 2] differ: replan", "plan [2 3]", "2 succeeded: advance",
				"3 succeeded: reached"}, 0, ""},
		"moved to goal": {at(0), func(w *table) { w.moved = map[int]int{1: 3} }, quick(), 3,
			[]string{"plan [7 3]", "7 succeeded, [2 3] differ: reached"}, 0, ""},
		"way round": {at(0), func(w *table) { w.broken = map[strips.ActionID]bool{7: true} },
			quick(), 2, []string{"plan [7]", "7 failed, [0 2] differ: retry",
				"7 failed, [0 2] differ: retry", "7 failed, [0 2] differ: replan", "plan [1 2]",
				"1 succeeded: advance", "2 succeeded: reached"}, 0, ""},
		"no way round": {at(1), func(w *table) {
			w.broken = map[strips.ActionID]bool{2: true,
				4: true}
		}, quick(), 2, []string{"plan [2]", "2 failed, [1 2] differ: retry",
			"2 failed, [1 2] differ: retry", "2 failed, [1 2] differ: replan", "plan [4 7]",
			"4 failed, [0 1] differ: retry", "4 failed, [0 1] differ: retry",
			"4 failed, [0 1] differ: replan"}, execute.SkillFailed, "no plan does without it"},
		"told to stop": {at(0), func(w *table) { w.moved = map[int]int{1: 1} }, stubborn(), 3,
			[]string{"plan [7 3]", "7 succeeded, [1 2] differ: give up"}, execute.SkillFailed, "[1 2]"},
		"no second try": {at(1), func(w *table) { w.fails = outcomes{1: execute.Refused} }, once(), 2,
			[]string{"plan [2]", "2 refused, [1 2] differ: give up"}, execute.SkillFailed,
			"refused (slipped)"},
		"fog lifts": {at(1), func(w *table) { w.foggy = map[int]bool{1: true, 2: true} }, quick(), 2,
			[]string{"plan [2]", "2 succeeded: reached"}, 0, ""},
		"fog at start": {at(1), func(w *table) { w.foggy = map[int]bool{1: true, 2: true, 3: true} },
			quick(), 2, nil, execute.Unrecognized, "p2=0.51"},
		"fog after": {at(1), func(w *table) { w.foggy = map[int]bool{2: true, 3: true, 4: true} },
			quick(), 2, []string{"plan [2]"}, execute.Unrecognized, "after action 2"},
		"near after a skill": {at(1), func(w *table) { w.near = images(2, 4) }, quick(), 3,
			[]string{"plan [2 3]", "2 succeeded: advance", "3 succeeded: reached"}, 0, ""},
		"near after a skill that slipped": {at(1), func(w *table) {
			w.near, w.fails = images(2, 4), outcomes{1: execute.Failed}
		}, quick(), 2,
			[]string{"plan [2]", "2 failed, [1 2] differ: retry", "2 succeeded: reached"}, 0, ""},
		"near the goal": {at(1), func(w *table) { w.near = images(2, 4) }, quick(), 2,
			[]string{"plan [2]", "2 succeeded: leave", "plan [5 2]", "5 succeeded: advance",
				"2 succeeded: reached"}, 0, ""},
		"always near the goal": {at(1), func(w *table) { w.near = images(2, 100) }, quick(), 2,
			[]string{"plan [2]", "2 succeeded: leave", "plan [5 2]", "5 succeeded: advance",
				"2 succeeded: leave", "plan [5 2]"}, execute.Unrecognized, "after action 5"},
		"near at start": {at(1), func(w *table) { w.near = images(1, 3) }, quick(), 2, nil,
			execute.Unrecognized, "1.1 times"},
		"near another state": {at(1), func(w *table) {
			w.near, w.moved = images(2, 4), map[int]int{1: 0}
		}, quick(), 3, []string{"plan [2 3]"}, execute.Unrecognized, "after action 2"},
		"camera is gone": {at(1), func(w *table) { w.noImage = map[int]bool{2: true} }, quick(), 2,
			[]string{"plan [2]"}, execute.NoFrame, "camera"},
		"skill hangs": {at(1), func(w *table) { w.hang = map[int]bool{1: true} }, quick(), 2,
			[]string{"plan [2]"}, execute.SkillFailed, "did not end"},
		"no executor": {at(1), func(w *table) { w.unserved = true }, quick(), 2, []string{"plan [2]"},
			execute.SkillFailed, "no server"},
		"unsolvable": {at(1), func(w *table) {
			w.model.Operators[1].PrePos = []strips.Predicate{0, 1}
			w.model.Operators = w.model.Operators[:3]
		}, quick(), 2, nil, execute.Unsolvable, "0100"},
	} {
		t.Run(name, func(t *testing.T) {
			if c.faults != nil {
				c.faults(c.table)
			}
			var went []string
			r, err := c.table.executor(c.policy).Run(context.Background(), strips.GoalOf(place(c.goal)),
				diary(&went))
			sameLines(t, went, c.went)
			if reason(err) != c.stop || (err == nil) != (c.stop == 0) {
				t.Fatalf("error %v, want reason %v", err, c.stop)
			}
			if err != nil && !strings.Contains(err.Error(), c.says) {
				t.Errorf("%q does not say %q", err, c.says)
			}
			if err == nil && (c.table.at != place(c.goal) || r.Final.Code != place(c.goal)) {
				t.Errorf("claims success at %s, as %s", c.table.at, r.Final.Code)
			}
			if r.Attempts != c.table.skills {
				t.Errorf("counted %d attempts of %d", r.Attempts, c.table.skills)
			}
		})
	}
}

// slipping is at the first place, from where nothing but the jump leads on, in
// three of ten attempts; the skill's numbers in lands say when it does, and where.
func slipping(lands map[int]int) *table {
	w := at(0)
	w.model.Operators[0].PreNeg = []strips.Predicate{0}
	w.model.Operators[0].PrePos = nil
	w.model.Nondeterministic = []strips.Nondeterminism{
		{Node: 0, Action: 7, Outcomes: []strips.Outcome{{Target: 0, Count: 6}, {Target: 1, Count: 1},
			{Target: 2, Count: 3}}}}
	w.moved = lands
	return w
}

// What is nondeterministic is tried as often as its odds ask for, whatever the
// policy says of surprises; then it is a skill that has no effect.
func TestRunCountsOnSensing(t *testing.T) {
	missed := func(n int) []string {
		return slices.Repeat([]string{"7 refused, [0 2] differ: retry"}, n)
	}
	for name, c := range map[string]struct {
		lands  map[int]int
		policy execute.Policy
		went   []string
		stop   execute.Reason
	}{
		"at last": {map[int]int{6: 2}, once(), slices.Concat([]string{"plan [7 3]"}, missed(5),
			[]string{"7 refused: advance", "3 succeeded: reached"}), 0},
		"elsewhere": {map[int]int{2: 1}, quick(), slices.Concat([]string{"plan [7 3]"},
			missed(1), []string{"7 refused, [1 2] differ: replan", "plan [2 3]", "2 succeeded: advance",
				"3 succeeded: reached"}), 0},
		// 0.7^13 < 0.01
		"never": {nil, quick(), slices.Concat([]string{"plan [7 3]"}, missed(14),
			[]string{"7 refused, [0 2] differ: replan"}), execute.SkillFailed},
		"told not to replan": {map[int]int{1: 1}, stubborn(),
			[]string{"plan [7 3]", "7 refused, [1 2] differ: give up"}, execute.SkillFailed},
	} {
		t.Run(name, func(t *testing.T) {
			var went []string
			r, err := slipping(c.lands).executor(c.policy).Run(context.Background(),
				strips.GoalOf(place(3)), diary(&went))
			sameLines(t, went, c.went)
			if reason(err) != c.stop || (err == nil) != (c.stop == 0) {
				t.Errorf("error %v, want reason %v", err, c.stop)
			}
			if err == nil && r.Final.Code != place(3) {
				t.Errorf("claims success at %s", r.Final.Code)
			}
		})
	}
}

// What nobody tried is tried where nothing else leads on; refused, it is done without.
func TestRunTriesTheUntried(t *testing.T) {
	for name, c := range map[string]struct {
		untried []strips.Untried
		broken  map[strips.ActionID]bool
		went    []string
		stop    execute.Reason
	}{
		"another way": {[]strips.Untried{{Node: 0, Action: 7}}, nil,
			[]string{"plan [1 2 3]", "1 succeeded: advance", "2 succeeded: advance", "3 succeeded: reached"},
			0},
		"it works": {[]strips.Untried{{Node: 0, Action: 7}, {Node: 0, Action: 1}}, nil,
			[]string{"plan [7 3]", "7 succeeded: advance", "3 succeeded: reached"}, 0},
		"another untried": {[]strips.Untried{{Node: 0, Action: 7}, {Node: 0, Action: 1}},
			map[strips.ActionID]bool{7: true}, []string{"plan [7 3]", "7 failed, [0 2] differ: retry",
				"7 failed, [0 2] differ: retry", "7 failed, [0 2] differ: replan", "plan [1 2 3]",
				"1 succeeded: advance", "2 succeeded: advance", "3 succeeded: reached"}, 0},
		"none of it works": {[]strips.Untried{{Node: 0, Action: 7}, {Node: 0, Action: 1}},
			map[strips.ActionID]bool{1: true, 7: true},
			[]string{"plan [7 3]", "7 failed, [0 2] differ: retry", "7 failed, [0 2] differ: retry",
				"7 failed, [0 2] differ: replan", "plan [1 2 3]", "1 failed, [0 1] differ: retry",
				"1 failed, [0 1] differ: retry", "1 failed, [0 1] differ: replan"}, execute.SkillFailed},
	} {
		t.Run(name, func(t *testing.T) {
			w, known := at(0), corridor()
			w.broken = c.broken
			known.Untried = c.untried
			e := w.executor(quick())
			e.Search = must(execute.NewModelSearch(known, planner.Limits{}))
			var went []string
			_, err := e.Run(context.Background(), strips.GoalOf(place(3)), diary(&went))
			sameLines(t, went, c.went)
			if reason(err) != c.stop || (err == nil) != (c.stop == 0) {
				t.Errorf("error %v, want reason %v", err, c.stop)
			}
		})
	}
}

// Two nodes with one code may be two states: an observation cannot say whether this one is
// wanted.
func TestSharedCodeIsNoGoalToBeAt(t *testing.T) {
	w := at(1)
	w.model.States = append(w.model.States, strips.Known{Node: 4, Code: place(1)})
	_, err := w.executor(quick()).Run(context.Background(), strips.GoalOf(place(1)), execute.Hooks{})
	if reason(err) != execute.Unrecognized || !strings.Contains(err.Error(), "[1 4]") {
		t.Errorf("error %v, want that it cannot be told", err)
	}
}

func TestCancelIsPrompt(t *testing.T) {
	stopped := errors.New("enough")
	ctx, cancel := context.WithCancelCause(context.Background())
	w := at(0)
	w.onSkill = func() { cancel(stopped) }
	_, err := w.executor(quick()).Run(ctx, strips.GoalOf(place(3)), execute.Hooks{})
	if !errors.Is(err, stopped) || w.skills != 1 {
		t.Errorf("error %v after %d skills, want the cause after one", err, w.skills)
	}
	ctx, cancel = context.WithCancelCause(context.Background())
	cancel(stopped)
	w = at(0)
	_, err = w.executor(quick()).Run(ctx, strips.GoalOf(place(3)), execute.Hooks{})
	if !errors.Is(err, stopped) || w.skills != 0 {
		t.Errorf("error %v after %d skills, want the cause and none", err, w.skills)
	}
}

// TestSomeFactsAreTheGoal: the others may have any value.
func TestSomeFactsAreTheGoal(t *testing.T) {
	for name, c := range map[string]struct {
		start int
		goal  strips.Goal
		ends  int
		went  []string
	}{
		"there already": {2, strips.Goal{{Predicate: 0, Negated: true}}, 2, []string{"plan []"}},
		"elsewhere": {0, strips.Goal{{Predicate: 0, Negated: true}, {Predicate: 2, Negated: true}}, 1,
			[]string{"plan [1]", "1 succeeded: reached"}},
		"one place": {0, strips.Goal{{Predicate: 3}}, 3, []string{"plan [7 3]", "7 succeeded: advance",
			"3 succeeded: reached"}},
	} {
		t.Run(name, func(t *testing.T) {
			var went []string
			w := at(c.start)
			_, err := w.executor(quick()).Run(t.Context(), c.goal, diary(&went))
			sameLines(t, went, c.went)
			if err != nil || w.at != place(c.ends) {
				t.Errorf("at %s, %v; want %s", w.at, err, place(c.ends))
			}
		})
	}
}

// TestPlanReturnsWhatItDid: the result is that of the end, not of the beginning.
func TestPlanReturnsWhatItDid(t *testing.T) {
	goal := strips.GoalOf(place(2))
	r, err := at(1).executor(quick()).Plan(context.Background(), goal, execute.Hooks{})
	if err != nil || r.Final.Code != place(1) || len(r.Plan.Plan) != 1 || r.Attempts != 0 {
		t.Errorf("%+v, %v", r, err)
	}
}

func TestSearchLimit(t *testing.T) {
	w := at(0)
	e := w.executor(quick())
	e.Search.(*execute.ModelSearch).Limits.States = 1
	_, err := e.Plan(context.Background(), strips.GoalOf(place(3)), execute.Hooks{})
	if reason(err) != execute.LimitReached {
		t.Errorf("error %v, want the limit", err)
	}
}

// TestNeverClaimsFalsely throws faults of every kind at executions: whenever one
// ends without error the table is at the goal, and bounded policies end.
func TestNeverClaimsFalsely(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := at(rapid.IntRange(0, 3).Draw(t, "start"))
		skill := rapid.IntRange(1, 8)
		w.fails = rapid.MapOf(skill, rapid.SampledFrom([]execute.Outcome{execute.Succeeded,
			execute.Refused, execute.Failed})).Draw(t, "fails")
		w.moved = rapid.MapOf(skill, rapid.IntRange(0, 3)).Draw(t, "moved")
		w.foggy = rapid.MapOf(skill, rapid.Just(true)).Draw(t, "foggy")
		w.near = rapid.MapOf(skill, rapid.Just(true)).Draw(t, "near")
		goal := rapid.IntRange(0, 3).Draw(t, "goal")
		p := quick()
		p.Replan, p.Retries = rapid.Bool().Draw(t, "replan"), rapid.IntRange(0, 2).Draw(t, "retries")
		_, err := w.executor(p).Run(context.Background(), strips.GoalOf(place(goal)), execute.Hooks{})
		if err == nil && w.at != place(goal) {
			t.Fatalf("claims %s at %s", place(goal), w.at)
		}
	})
}

// bench is a fixture whose states are read without error; those that nobody saw are
// not recognized.
type bench struct {
	fixture fixtures.Fixture
	codes   map[string]strips.State
	at      string
	now     time.Time
}

func (b *bench) Now() time.Time { return b.now }

func (b *bench) Observe(context.Context, time.Time) (execute.Observation, error) {
	b.now = b.now.Add(time.Second)
	if code, known := b.codes[b.at]; known {
		return execute.Observation{Taken: b.now, Code: code}, nil
	}
	return execute.Observation{Taken: b.now, Reason: "nobody saw this"}, nil
}

func (b *bench) Execute(_ context.Context, a strips.ActionID) (execute.Report, error) {
	outcome := execute.Refused
	if next, ok := b.fixture.Apply(b.at, a); ok {
		b.at, outcome = next, execute.Succeeded
	}
	return execute.Report{Outcome: outcome}, nil
}

// reached counts the pairs of states seen whose goal is reached, with the model that a
// trust makes of the graph, and those that have a path in the fixture.
func reached(t *testing.T, p fixtures.Fixture, g *taskgraph.Graph, trust operators.Trust) (n int) {
	r := must(operators.Learn(t.Context(), g, operators.Options{Trust: trust, Work: 1}))
	b := &bench{fixture: p, codes: map[string]strips.State{}}
	for s, node := range g.Nodes {
		b.codes[node.Code], _ = r.Model.Code(strips.StateID(s))
	}
	search := must(execute.NewModelSearch(r.Model, planner.Limits{States: 10_000}))
	e := &execute.Executor{Recognizer: b, Skills: b, Search: search, Clock: b, Policy: execute.Policy{
		Replan: true, Replans: 20, MaxImages: 1}}
	for from := range b.codes {
		for to, goal := range b.codes {
			b.at = from
			if _, err := e.Run(t.Context(), strips.GoalOf(goal), execute.Hooks{}); err == nil {
				if b.at != to {
					t.Errorf("%s: claims %s at %s", p.Name, to, b.at)
				}
				n++
			}
		}
	}
	return n
}

// TestUntriedReachesWhatNobodyTried carries plans out after short walks: what is left
// open where it was not seen reaches goals that are out of reach if whatever was not seen
// is taken not to be there, and costs none. (Where every action can be taken back, there
// is nothing to gain: a walk shows a way from each state that it sees to every other.)
func TestUntriedReachesWhatNobodyTried(t *testing.T) {
	closed, open := 0, 0
	for _, p := range []fixtures.Fixture{fixtures.KeyDoor(), fixtures.Carrier(2, 3), fixtures.Lamp()} {
		states := p.Graph().NumStates()
		for _, each := range []int{2, 4} { // attempts a state
			g := p.Graph(p.RunPolicy(each*states, 1)...)
			a, b := reached(t, p, g, operators.Trust{Policy: operators.TrustAll}), reached(t, p, g,
				operators.DefaultTrust(g))
			t.Logf("%s, %d attempts, %d of %d states: %d pairs reached, %d without what nobody tried",
				p.Name, each*states, g.NumStates(), states, b, a)
			if b < a {
				t.Errorf("%s, %d attempts: fewer are reached", p.Name, each*states)
			}
			closed, open = closed+a, open+b
		}
	}
	if open <= closed {
		t.Errorf("%d pairs are reached, %d without what nobody tried: want more", open, closed)
	}
}
