package execute_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"stripswm/models/planner"
	"stripswm/models/strips"
	"stripswm/nodes/execute"
)

// Four places in a row.
var places = []string{"1000", "0100", "0010", "0001"}

func place(i int) strips.State {
	return must(strips.ParseState(places[(i+4)%4]))
}

// corridor is the model: steps to the right (actions 1 to 3), steps to the left
// (4 to 6), and a jump from the first place to the third (7).
func corridor() *strips.Model {
	m := &strips.Model{Predicates: 4}
	move := func(name string, from, to int) {
		m.Operators = append(m.Operators, strips.Operator{
			Action: strips.ActionID(len(m.Operators) + 1), Name: name,
			PrePos: []strips.Predicate{strips.Predicate(from)},
			Add:    []strips.Predicate{strips.Predicate(to)}, Del: []strips.Predicate{
				strips.Predicate(from)},
		})
	}
	for i := range 3 {
		move(fmt.Sprintf("right %d", i), i, i+1) // actions 1 to 3
	}
	for i := range 3 {
		move(fmt.Sprintf("left %d", i+1), i+1, i) // actions 4 to 6
	}
	move("jump", 0, 2) // action 7
	for i := range places {
		m.States = append(m.States, strips.Known{Node: strips.StateID(i), Code: place(i)})
	}
	return m
}

// table is the world: a place, a clock, and what goes wrong.
type table struct {
	model  *strips.Model
	at     strips.State
	now    time.Time
	skills int // executed
	images int

	fails    map[int]execute.Outcome  // skill by number, from 1: ends so, nothing moved
	broken   map[strips.ActionID]bool // never does anything, and says so
	lies     map[int]execute.Outcome  // skill by number: works, but reports so
	moved    map[int]int              // after skill by number: place that a hand moves to
	foggy    map[int]bool             // images by number, from 1: not recognized
	near     map[int]bool             // images by number: near, but not recognized
	noImage  map[int]bool             // images by number: no image
	hang     map[int]bool             // skill by number: does not end
	onSkill  func()
	unserved bool // no skill executor
}

// images are those from one number to another.
func images(from, to int) map[int]bool {
	all := map[int]bool{}
	for n := from; n <= to; n++ {
		all[n] = true
	}
	return all
}

func at(i int) *table {
	return &table{model: corridor(), at: place(i), now: time.Unix(1000, 0)}
}

func (w *table) Now() time.Time { return w.now }

func (w *table) Observe(ctx context.Context, notBefore time.Time) (execute.Observation, error) {
	w.images++
	if w.noImage[w.images] {
		<-ctx.Done()
		return execute.Observation{}, ctx.Err()
	}
	if w.now.Before(notBefore) {
		w.now = notBefore
	}
	o := execute.Observation{Taken: w.now, Code: w.at, Node: planner.Locate(w.model, w.at).Nodes[0]}
	if w.foggy[w.images] {
		o.Reason = "p2=0.51"
	}
	if w.near[w.images] {
		o.Reason, o.Near = "1.1 times as far", true
	}
	return o, ctx.Err()
}

func (w *table) Execute(ctx context.Context, a strips.ActionID) (execute.Report, error) {
	w.skills++
	if w.onSkill != nil {
		w.onSkill()
	}
	if w.unserved {
		return execute.Report{}, errors.New("no server")
	}
	if w.hang[w.skills] || ctx.Err() != nil {
		<-ctx.Done()
		return execute.Report{}, ctx.Err()
	}
	w.now = w.now.Add(time.Second)
	report := execute.Report{Outcome: execute.Succeeded}
	next, ok := w.model.Successor(w.at, a)
	switch outcome, fails := w.fails[w.skills]; {
	case fails:
		report.Outcome, report.Message = outcome, "slipped"
	case w.broken[a]:
		report.Outcome = execute.Failed
	case !ok:
		report.Outcome = execute.Refused
	default:
		w.at = next
	}
	if outcome, lies := w.lies[w.skills]; lies {
		report.Outcome = outcome
	}
	if to, moved := w.moved[w.skills]; moved {
		w.at = place(to)
	}
	return report, nil
}

// executor panics if the test has made a model that cannot be searched.
func (w *table) executor(p execute.Policy) *execute.Executor {
	search := must(execute.NewModelSearch(w.model, planner.Limits{}))
	return &execute.Executor{Recognizer: w, Skills: w, Search: search, Clock: w, Policy: p}
}

// quick is the default policy with short waits.
func quick() execute.Policy {
	p := execute.DefaultPolicy()
	p.MaxImages, p.FrameTime, p.SkillTime = 3, time.Millisecond, time.Millisecond
	return p
}

func stubborn() execute.Policy { p := quick(); p.Replan = false; return p }

func once() execute.Policy { p := stubborn(); p.Retries = 0; return p }

// diary writes down what the hooks are told.
func diary(lines *[]string) execute.Hooks {
	add := func(format string, args ...any) { *lines = append(*lines, fmt.Sprintf(format, args...)) }
	return execute.Hooks{
		Planned: func(_ execute.Observation, r planner.Result) { add("plan %v", r.Plan) },
		Stepped: func(s execute.Step) {
			if len(s.Differing) > 0 {
				add("%d %s, %v differ: %s", s.Action, s.Report.Outcome, s.Differing, s.Decision)
				return
			}
			add("%d %s: %s", s.Action, s.Report.Outcome, s.Decision)
		},
	}
}

func reason(err error) execute.Reason {
	var s *execute.Stop
	if errors.As(err, &s) {
		return s.Reason
	}
	return 0
}

func sameLines(t *testing.T, got, want []string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("went:\n%q\nwant:\n%q", got, want)
	}
}

// must is for what fails in no test.
func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}
