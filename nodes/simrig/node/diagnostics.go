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
		status.Level, status.Message, status.Values = r.stage.health(before, count)
		status.Add("images published", "%d", count.Sent)
		before = count
		r.report("diagnostics",
			pub.Publish(&msgs.DiagnosticArray{Header: msgs.Header{Stamp: msgs.TimeFrom(now)},
				Status: []msgs.DiagnosticStatus{status}}))
	})
	return nil
}

func (own) health(before,
	now workcell.TickCount,
) (level uint8, message string, values []msgs.KeyValue) {
	values = []msgs.KeyValue{{Key: "ticks skipped", Value: fmt.Sprint(now.Skipped)}}
	if now.Skipped > before.Skipped {
		return msgs.DiagnosticStatusWarn, "ticks were skipped: the machine is too busy for the rate",
			values
	}
	return msgs.DiagnosticStatusOk, "in time", values
}

func (b *bridged) health(_,
	_ workcell.TickCount,
) (level uint8, message string, values []msgs.KeyValue) {
	if b.move.Ready() {
		return msgs.DiagnosticStatusOk, "the bridge is there", nil
	}
	return msgs.DiagnosticStatusError, "nobody serves " + b.move.Name() +
		": start gazebo and ros_gz_bridge", nil
}

// health of a link has the time of Gazebo's world, whose pace beside the clock's is the real-time
// factor.
func (l *linked) health(before,
	now workcell.TickCount,
) (level uint8, message string, values []msgs.KeyValue) {
	l.mu.Lock()
	values = []msgs.KeyValue{{Key: "gazebo's time", Value: fmt.Sprintf("%.3f", l.last.Time.Seconds())}}
	l.mu.Unlock()
	switch err := l.link.Err(); {
	case err != nil:
		return msgs.DiagnosticStatusError, err.Error(), values
	case now.Sent == before.Sent:
		return msgs.DiagnosticStatusWarn, "gazebo sends no images", values
	}
	return msgs.DiagnosticStatusOk, "gazebo sends images", values
}
