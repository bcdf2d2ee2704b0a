package ros

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"stripswm/msgs"
)

// levelFatal is above slog's levels, as ROS's FATAL is above ERROR.
const levelFatal = slog.LevelError + 4

// rosout is where a node's log goes: lines in ROS's form to a writer, and messages to /rosout.
type rosout struct {
	node  *Node
	name  string // the logger's: the node's name with dots
	level slog.Level

	mu        sync.Mutex
	out       io.Writer
	publisher atomic.Pointer[Publisher[*msgs.Log]]
}

func newRosout(n *Node, out io.Writer) *rosout {
	r := &rosout{node: n, out: out, name: strings.ReplaceAll(strings.TrimPrefix(n.name.String(), "/"),
		"/", ".")}
	if n.args.level != nil {
		r.level = *n.args.level
	}
	return r
}

func (r *rosout) advertise() error {
	p, err := Advertise[*msgs.Log](r.node, "/rosout", Rosout)
	r.publisher.Store(p)
	return err
}

func (r *rosout) handler() slog.Handler { return logHandler{rosout: r} }

// A logHandler is rosout with attributes that go before a record's own.
type logHandler struct {
	rosout *rosout
	attrs  string
	group  string
}

func (h logHandler) Enabled(_ context.Context, l slog.Level) bool { return l >= h.rosout.level }

func (h logHandler) WithAttrs(attrs []slog.Attr) slog.Handler {
	for _, a := range attrs {
		h.attrs += h.text(a)
	}
	return h
}

func (h logHandler) WithGroup(name string) slog.Handler {
	h.group += name + "."
	return h
}

func (h logHandler) text(a slog.Attr) string {
	v := a.Value.Resolve().String()
	if v == "" || strings.ContainsAny(v, " \t\n\"=") {
		v = fmt.Sprintf("%q", v)
	}
	return " " + h.group + a.Key + "=" + v
}

func (h logHandler) Handle(_ context.Context, rec slog.Record) error {
	text := rec.Message + h.attrs
	rec.Attrs(func(a slog.Attr) bool {
		text += h.text(a)
		return true
	})
	return h.rosout.write(rec, text)
}

func (r *rosout) write(rec slog.Record, text string) error {
	word, level := rosLevel(rec.Level)
	r.mu.Lock()
	_, err := fmt.Fprintf(r.out, "[%s] [%d.%09d] [%s]: %s\n", word, rec.Time.Unix(),
		rec.Time.Nanosecond(), r.name, text)
	r.mu.Unlock()

	p := r.publisher.Load()
	if p == nil || r.node.ctx.Err() != nil {
		return err
	}
	m := &msgs.Log{Stamp: msgs.TimeFrom(r.node.clock.Now()), Level: level, Name: r.name, Msg: text}
	if frame, _ := runtime.CallersFrames([]uintptr{rec.PC}).Next(); rec.PC != 0 {
		m.File, m.Function, m.Line = frame.File, frame.Function, uint32(frame.Line)
	}
	return p.Publish(m)
}

func rosLevel(l slog.Level) (word string, level uint8) {
	switch {
	case l < slog.LevelInfo:
		return "DEBUG", msgs.LogDebug
	case l < slog.LevelWarn:
		return "INFO", msgs.LogInfo
	case l < slog.LevelError:
		return "WARN", msgs.LogWarn
	case l < levelFatal:
		return "ERROR", msgs.LogError
	}
	return "FATAL", msgs.LogFatal
}

// Fatal logs at ROS's level FATAL. Ending the program is the caller's.
func Fatal(log *slog.Logger, text string, args ...any) {
	var pc [1]uintptr
	runtime.Callers(2, pc[:])
	rec := slog.NewRecord(time.Now(), levelFatal, text, pc[0])
	rec.Add(args...)
	_ = log.Handler().Handle(context.Background(), rec)
}
