package dds

/*
#cgo pkg-config: CycloneDDS
#cgo CFLAGS: -std=gnu11 -Wall -Wextra -O2
#include "endpoint.h"
*/
import "C"

import "sync"

// A loop is the one goroutine that waits for everything: samples, and endpoints that do not fit. It
// calls the function that belongs to what happened.
type loop struct {
	waitset, stop C.dds_entity_t
	done          chan struct{}

	mu       sync.Mutex
	last     C.dds_attach_t
	handlers map[C.dds_attach_t]func()
}

// stopID is the attachment of the guard condition that ends the loop.
const stopID C.dds_attach_t = 0

func newLoop(participant C.dds_entity_t) (*loop, error) {
	l := &loop{done: make(chan struct{}), handlers: map[C.dds_attach_t]func(){}}
	l.waitset = C.dds_create_waitset(participant)
	if l.waitset < 0 {
		return nil, failed("make a waitset", l.waitset)
	}
	l.stop = C.dds_create_guardcondition(participant)
	if l.stop < 0 {
		return nil, failed("make a guard condition", l.stop)
	}
	if rc := C.dds_waitset_attach(l.waitset, l.stop, stopID); rc < 0 {
		return nil, failed("attach the guard condition", rc)
	}
	go l.run()
	return l, nil
}

func (l *loop) run() {
	defer close(l.done)
	var triggered [32]C.dds_attach_t
	for {
		n := C.dds_waitset_wait(l.waitset, &triggered[0], C.size_t(len(triggered)), C.INT64_MAX)
		if n < 0 {
			return
		}
		for _, id := range triggered[:min(int(n), len(triggered))] {
			if id == stopID {
				return
			}
			l.mu.Lock()
			handle := l.handlers[id]
			l.mu.Unlock()
			if handle != nil {
				handle()
			}
		}
	}
}

// add has handle called, until remove, whenever the entity is triggered.
func (l *loop) add(entity C.dds_entity_t, handle func()) (C.dds_attach_t, error) {
	l.mu.Lock()
	l.last++
	id := l.last
	l.handlers[id] = handle
	l.mu.Unlock()
	if rc := C.dds_waitset_attach(l.waitset, entity, id); rc < 0 {
		l.forget(id)
		return 0, failed("attach to the waitset", rc)
	}
	return id, nil
}

func (l *loop) remove(entity C.dds_entity_t, id C.dds_attach_t) {
	C.dds_waitset_detach(l.waitset, entity)
	l.forget(id)
}

func (l *loop) forget(id C.dds_attach_t) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.handlers, id)
}

// close returns when the goroutine has ended.
func (l *loop) close() {
	C.dds_set_guardcondition(l.stop, true)
	<-l.done
}
