package work

import (
	"context"
	"math"
	"reflect"

	"github.com/go-air/gini"
)

// Work is how much may still be done: a number of steps, which is the same on any
// machine, and a context as the safety net. A step is about a propagation of the
// SAT solver.
type Work struct {
	ctx  context.Context
	left int64
	cut  bool
}

// New allows so many steps, until the context ends.
func New(ctx context.Context, steps int64) *Work { return &Work{ctx: ctx, left: steps} }

// UntilDone allows any number of steps until the context ends.
func UntilDone(ctx context.Context) *Work { return New(ctx, math.MaxInt64) }

// Left is how many steps may still be done.
func (w *Work) Left() int64 { return w.left }

// CutShort says that the context ended something while there were steps left.
func (w *Work) CutShort() bool { return w.cut }

// Spend takes steps off.
func (w *Work) Spend(steps int64) { w.left -= steps }

// Over says whether to stop.
func (w *Work) Over() bool {
	if w.left <= 0 {
		return true
	}
	if w.ctx.Err() != nil {
		w.cut = true
	}
	return w.cut
}

// Within allows a phase so many per cent of what is left; what it does not need
// stays for others.
func (w *Work) Within(percent int64, phase func()) {
	w.AtMost(w.left/100*percent, phase)
}

// Fork gives each of n phases that run at the same time all that is left.
func (w *Work) Fork(n int) []*Work {
	each := make([]*Work, n)
	for i := range each {
		each[i] = New(w.ctx, w.left)
	}
	return each
}

// Merge takes back what the longest of the phases left.
func (w *Work) Merge(forked []*Work) {
	for _, f := range forked {
		w.left = min(w.left, f.left)
		w.cut = w.cut || f.cut
	}
}

// Decide answers the solver's question: 1 yes, -1 no, 0 if the steps left do not
// suffice or the context ends; the solver is of no use then. The answer depends
// only on the steps: the solver is looked at now and then, at any time, but it
// counts how many propagations it had needed when it was done.
func (w *Work) Decide(solver *gini.Gini) int {
	if w.Over() {
		return 0
	}
	before := Propagations(solver)
	run := solver.GoSolve()
	for {
		answer, busy := run.Pause()
		used := Propagations(solver) - before
		ended := busy && w.ctx.Err() != nil
		if busy {
			run.Unpause()
		}
		if busy && (ended || used > w.left) {
			run.Stop()
		}
		switch {
		case used > w.left:
			w.left = 0
			return 0
		case ended:
			w.cut = true
			return 0
		case !busy:
			w.Spend(used)
			return answer
		}
	}
}

// AtMost allows a phase so many of the steps left.
func (w *Work) AtMost(steps int64, phase func()) {
	others := w.left - min(steps, w.left)
	w.left -= others
	phase()
	w.left += others
}

// Try is Decide with at most so many of the steps left.
func (w *Work) Try(solver *gini.Gini, steps int64) (answer int) {
	w.AtMost(steps, func() { answer = w.Decide(solver) })
	return answer
}

// props is the path to the solver's count of propagations, which gini keeps but
// does not export; its only limit of its own is the clock's.
var props = func() (path [][]int) {
	t := reflect.TypeFor[gini.Gini]()
	for _, name := range []string{"xo", "Trail", "Props"} {
		field, ok := t.FieldByName(name)
		if !ok {
			panic("work: this gini has no field " + name)
		}
		path = append(path, field.Index)
		if t = field.Type; t.Kind() == reflect.Pointer {
			t = t.Elem()
		}
	}
	return path
}()

// Propagations reads how many the solver, which must rest, has made in its life.
func Propagations(solver *gini.Gini) int64 {
	v := reflect.ValueOf(solver)
	for _, index := range props {
		v = v.Elem().FieldByIndex(index)
	}
	return v.Int()
}
