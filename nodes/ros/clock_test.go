package ros_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"stripswm/msgs"
	"stripswm/nodes/ros"
)

func TestSimulatedTime(t *testing.T) {
	noLeaks(t)
	w := newWorld(t)
	n := w.node("n", "-p", "use_sim_time:=true")
	clock := must(ros.Advertise[*msgs.Clock](w.node("sim"), "/clock", ros.ClockQoS))
	at := func(sec int32) {
		clock.Publish(&msgs.Clock{Clock: msgs.Time{Sec: sec}})
		eventually(t, "the clock shows the time",
			func() bool { return n.Clock().Now().Unix() == int64(sec) })
	}
	if !n.Clock().Simulated() || n.Clock().Now().Unix() != 0 {
		t.Errorf("simulated %v, at %v", n.Clock().Simulated(), n.Clock().Now())
	}
	at(100)
	ticks := make(chan int64, 8)
	n.Every(context.Background(), 10*time.Second, func(now time.Time) { ticks <- now.Unix() })
	woken := make(chan error, 1)
	go func() { woken <- n.Clock().Sleep(soon(t), time.Minute) }()
	time.Sleep(10 * time.Millisecond) // lets both goroutines look at the clock
	at(110)
	if now := receive(t, ticks); now != 110 {
		t.Errorf("first tick at %d", now)
	}
	at(135)
	if now := receive(t, ticks); now != 135 {
		t.Errorf("late tick at %d", now)
	}
	at(140)
	if now := receive(t, ticks); now != 140 {
		t.Errorf("tick after a late one at %d", now)
	}
	at(161)
	if err := receive(t, woken); err != nil {
		t.Error(err)
	}
}

func TestTimersEndWithTheirContextAndNode(t *testing.T) {
	noLeaks(t)
	n := newWorld(t).node("n")
	ctx, cancel := context.WithCancel(context.Background())
	ticks := make(chan time.Time)
	n.Every(ctx, time.Millisecond, func(now time.Time) { ticks <- now })
	receive(t, ticks)
	receive(t, ticks)
	cancel()
	n.Every(context.Background(), time.Hour, func(time.Time) {})
	select { // a tick may be under way
	case <-ticks:
	case <-time.After(10 * time.Millisecond):
	}
}

func TestLogGoesToRosout(t *testing.T) {
	noLeaks(t)
	w := newWorld(t)
	n := w.node("n", "-r", "__ns:=/rig")
	got := make(chan *msgs.Log, 8)
	must(ros.Subscribe(w.node("tool"), "/rosout", ros.Rosout, func(m *msgs.Log, _ ros.Info) {
		got <- m
	}))
	n.Log().Debug("not shown")
	n.Log().With("bag", "a b").WithGroup("camera").Warn("disk is full", "free", 3)
	n.Log().Error("that was it")
	m := receive(t, got)
	if m.Level != msgs.LogWarn || m.Name != "rig.n" || m.Msg != `disk is full bag="a b" camera.free=3` || !strings.HasSuffix(m.File, "clock_test.go") || m.Line == 0 {
		t.Errorf("message %+v", m)
	}
	if m := receive(t, got); m.Level != msgs.LogError || !strings.HasSuffix(m.File, "clock_test.go") {
		t.Errorf("message %+v", m)
	}
	if log := w.log.String(); !strings.Contains(log, "[WARN] [") ||
		!strings.Contains(log, "[rig.n]: disk is full") || strings.Contains(log, "not shown") {
		t.Errorf("log\n%s", log)
	}
}
