package node

import (
	"fmt"
	"time"

	"stripswm/msgs"
)

// progressPeriod is how often progress within one part of the work is told.
const progressPeriod = 200 * time.Millisecond

// report is the progress of package learn.
func (l *Learner) report(what string, done, total int, note string) {
	l.tell(msgs.DiagnosticStatus{Name: what, Message: note, Values: values("done", done, "total",
		total)}, done == total)
}

// tell publishes progress, not too often unless it must be known.
func (l *Learner) tell(s msgs.DiagnosticStatus, always bool) {
	now := time.Now()
	l.mu.Lock()
	always = always || s.Name != l.last.Name || now.Sub(l.told) >= progressPeriod
	l.last = s
	if always {
		l.told = now
	}
	l.mu.Unlock()
	if always {
		l.warn(l.progress.Publish(&s))
	}
}

// diagnose repeats the latest progress on /diagnostics.
func (l *Learner) diagnose(now time.Time) {
	l.mu.Lock()
	s := l.last
	l.mu.Unlock()
	s.Message = s.Name + ": " + s.Message
	s.Name = l.node.Name().String() + ": learner"
	l.warn(l.diagnostics.Publish(&msgs.DiagnosticArray{Header: msgs.Header{Stamp: msgs.TimeFrom(now)},
		Status: []msgs.DiagnosticStatus{s}}))
}

// values makes key values of names and numbers in turn.
func values(pairs ...any) []msgs.KeyValue {
	var list []msgs.KeyValue
	for i := 0; i+1 < len(pairs); i += 2 {
		list = append(list, msgs.KeyValue{Key: fmt.Sprint(pairs[i]), Value: fmt.Sprint(pairs[i+1])})
	}
	return list
}
