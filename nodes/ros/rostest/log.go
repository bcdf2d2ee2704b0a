package rostest

import (
	"bytes"
	"strings"
	"sync"
)

// Log collects what nodes and programs say, and can be read while they go on.
type Log struct {
	mu   sync.Mutex
	text bytes.Buffer
}

// Write appends.
func (l *Log) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

// String is all that was said so far.
func (l *Log) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

// Has says whether a text was said.
func (l *Log) Has(text string) bool { return strings.Contains(l.String(), text) }
