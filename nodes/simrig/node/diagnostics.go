package node

import (
	"fmt"
	"time"

	"stripswm/msgs"
	"stripswm/nodes/ros"
	"stripswm/nodes/sim/workcell"
)

// openDiagnostics tells once a second how regularly the camera took pictures.
func (r *Node) openDiagnostics() error {
	pub, err := ros.Advertise[*msgs.DiagnosticArray](r.node, "/diagnostics", ros.Default)
	if err != nil {
		return err
	}
	var before workcell.TickCount
	r.node.Every(r.node.Context(), time.Second, func(now time.Time) {
		count := r.ticks.Count()
		status := msgs.DiagnosticStatus{Name: r.node.Name().String() + ": camera", Level: msgs.DiagnosticStatusOk, Message: "in time"}
		if count.Skipped > before.Skipped {
			status.Level, status.Message = msgs.DiagnosticStatusWarn, "ticks were skipped: the machine is too busy for the rate"
		}
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
