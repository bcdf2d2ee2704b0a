package node

import (
	"fmt"
	"time"

	"stripswm/msgs"
	"stripswm/nodes/ros"
	"stripswm/nodes/sim/workcell"
)

// openDiagnostics tells once a second how the camera does.
func (r *Node) openDiagnostics() error {
	pub, err := ros.Advertise[*msgs.DiagnosticArray](r.node, "/diagnostics", ros.Default)
	if err != nil {
		return err
	}
	var before workcell.TickCount
	r.node.Every(r.node.Context(), time.Second, func(now time.Time) {
		count := r.ticks.Count()
		status := msgs.DiagnosticStatus{Name: r.node.Name().String() + ": camera"}
		status.Level, status.Message = r.stage.health(before, count)
		before = count
		for _, v := range []struct {
			key   string
			value int
		}{{"images published", count.Sent}, {"ticks skipped", count.Skipped}} {
			status.Values = append(status.Values, msgs.KeyValue{Key: v.key, Value: fmt.Sprint(v.value)})
		}
		r.report("diagnostics", pub.Publish(&msgs.DiagnosticArray{Header: msgs.Header{Stamp: msgs.TimeFrom(now)}, Status: []msgs.DiagnosticStatus{status}}))
	})
	return nil
}

func (own) health(before, now workcell.TickCount) (level uint8, message string) {
	if now.Skipped > before.Skipped {
		return msgs.DiagnosticStatusWarn, "ticks were skipped: the machine is too busy for the rate"
	}
	return msgs.DiagnosticStatusOk, "in time"
}

func (b *bridged) health(_, _ workcell.TickCount) (level uint8, message string) {
	if b.move.Ready() {
		return msgs.DiagnosticStatusOk, "the bridge is there"
	}
	return msgs.DiagnosticStatusError, "nobody serves " + b.move.Name() + ": start gazebo and ros_gz_bridge"
}

func (l *linked) health(before, now workcell.TickCount) (level uint8, message string) {
	switch err := l.link.Err(); {
	case err != nil:
		return msgs.DiagnosticStatusError, err.Error()
	case now.Sent == before.Sent:
		return msgs.DiagnosticStatusWarn, "gazebo sends no pictures"
	}
	return msgs.DiagnosticStatusOk, "gazebo sends pictures"
}
