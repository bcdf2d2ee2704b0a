//go:build rclgo

package rclgo

/*
#include "support.h"
*/
import "C"

import (
	"slices"
	"sync"
	"time"
	"unsafe"
)

// An executor is the one goroutine that waits for everything, and takes all there is of what is
// ready before it waits again: while something else takes long, the rmw's queue of a camera's last
// images would overflow.
//
// rclgo's own Spin takes one message a turn, knows no endpoint made after it began, and needs a new
// wait set to end.
type executor struct {
	waiter *C.struct_waiter
	inbox  *C.struct_inbox
	done   chan struct{}

	gate sync.Mutex // held by who wants the lock next, so that the loop does not take it again at once
	mu   sync.Mutex // held while the loop waits and takes, and while the list changes
	list []*waitable
	end  bool
}

// A waitable is something of rcl's that becomes ready.
type waitable struct {
	kind   C.enum_kind
	handle unsafe.Pointer
	take   func(*C.struct_inbox) bool // takes one; false when there is none left
}

func newExecutor(context unsafe.Pointer) (*executor, error) {
	x := &executor{done: make(chan struct{}), inbox: C.inbox_new()}
	if rc := C.waiter_new(context, &x.waiter); rc != 0 {
		C.inbox_free(x.inbox)
		return nil, failed("make a wait set", rc)
	}
	go x.run()
	return x, nil
}

// takeAtMost bounds how much of one endpoint is taken before the others have their turn.
const takeAtMost = 64

// respite is the time before a wait that failed begins again.
const respite = 100 * time.Millisecond

func (x *executor) run() {
	defer close(x.done)
	for {
		x.gate.Lock()
		x.mu.Lock()
		x.gate.Unlock()
		if x.end {
			x.mu.Unlock()
			return
		}
		ok := x.turn()
		x.mu.Unlock()
		if !ok {
			time.Sleep(respite)
		}
	}
}

// turn waits once and takes what is ready.
func (x *executor) turn() bool {
	all := make([]C.struct_waitable, len(x.list))
	for i, w := range x.list {
		all[i].kind, all[i].handle = w.kind, w.handle
	}
	if C.waiter_wait(x.waiter, unsafe.SliceData(all), C.size_t(len(all))) != 0 {
		return false
	}
	for i, w := range x.list {
		for n := 0; bool(all[i].ready) && n < takeAtMost && w.take(x.inbox); n++ {
		}
	}
	return true
}

// change runs f while nothing waits. It must not be called by what take calls.
func (x *executor) change(f func()) {
	x.gate.Lock()
	defer x.gate.Unlock()
	C.waiter_wake(x.waiter)
	x.mu.Lock()
	defer x.mu.Unlock()
	f()
}

func (x *executor) add(w *waitable) { x.change(func() { x.list = append(x.list, w) }) }

// remove returns when the waitables are not and will not be used.
func (x *executor) remove(gone ...*waitable) {
	x.change(func() {
		x.list = slices.DeleteFunc(x.list, func(w *waitable) bool { return slices.Contains(gone, w) })
	})
}

// close returns when the goroutine has ended.
func (x *executor) close() {
	x.change(func() { x.end = true })
	<-x.done
	C.waiter_free(x.waiter)
	C.inbox_free(x.inbox)
}

// takeWith makes a waitable's take of a function of support.c.
func takeWith(take func(*C.struct_inbox, *C.struct_taken) C.int, arrived func(payload []byte,
	t *C.struct_taken),
) func(*C.struct_inbox) bool {
	return func(in *C.struct_inbox) bool {
		var t C.struct_taken
		rc := take(in, &t)
		if rc == 0 {
			arrived(C.GoBytes(t.payload, C.int(t.size)), &t)
		}
		return rc == 0
	}
}
