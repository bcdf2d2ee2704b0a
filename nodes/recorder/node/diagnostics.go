package node

import (
	"fmt"
	"time"

	"stripswm/bags/recording"
	"stripswm/msgs"
)

// speed turns counts into rates between two diagnostics.
type speed struct {
	at     time.Time
	frames int
	bytes  int64
}

func (s *speed) since(now time.Time, r *recording.Report) (frames, bytes float64) {
	elapsed := now.Sub(s.at).Seconds()
	if !s.at.IsZero() && elapsed > 0 && r.Cadence.Frames >= s.frames {
		frames, bytes = float64(r.Cadence.Frames-s.frames)/elapsed, float64(r.Bytes-s.bytes)/elapsed
	}
	*s = speed{now, r.Cadence.Frames, r.Bytes}
	return frames, bytes
}

// diagnose publishes how the recording stands, and returns why it has ended if nobody asked for that. It is called from
// one goroutine.
func (r *Node) diagnose(now time.Time) (ended string) {
	report, recording := r.recorder.Report()
	rate, disk := r.level.since(now, &report)
	status := msgs.DiagnosticStatus{Name: r.node.Name().String() + ": recording", HardwareID: r.settings.recording.ImageTopic}
	latest, ever := r.camera.since()
	status.Level, status.Message = judge(&report, recording, rate, latest, r.camera.absent())
	if latest.err != nil {
		r.node.Log().Warn("images cannot be read", "images", latest.unreadable, "error", latest.err)
	}
	value := func(key, format string, v ...any) {
		status.Values = append(status.Values, msgs.KeyValue{Key: key, Value: fmt.Sprintf(format, v...)})
	}
	if report.Directory != "" {
		value("bag", "%s", report.Directory)
		value("files", "%d", report.Files)
	}
	value("transitions", "%d", report.Transitions())
	value("refused", "%d", report.Outcomes.Refused)
	value("failed", "%d", report.Outcomes.Failed)
	value("attempts lost", "%d", report.Lost+report.Unwritten)
	if report.Loss != "" {
		value("last attempt lost", "%s", report.Loss)
	}
	value("resets", "%d", report.Resets)
	value("messages that do not decode", "%d", r.malformed())
	value("images that cannot be read", "%d", ever.unreadable)
	value("image rate (Hz)", "%.1f", rate)
	value("images received", "%d", report.Cadence.Frames)
	value("usual image interval (ms)", "%.2f", 1e3*report.Cadence.Interval.Seconds())
	value("images dropped", "%d", report.Dropped)
	value("images missing in gaps", "%d", report.Cadence.Missing)
	value("image latency (ms)", "%.2f", 1e3*report.Cadence.Latency.Seconds())
	value("largest image latency (ms)", "%.2f", 1e3*report.Cadence.MaxLatency.Seconds())
	value("skill status clock ahead of the camera's (s)", "%.2f", report.ClockAhead.Seconds())
	value("disk rate (MB/s)", "%.2f", disk/1e6)
	value("bag size (MB)", "%.1f", float64(report.Bytes)/1e6)
	if free, err := r.recorder.Free(); err == nil {
		value("disk free (MB)", "%d", free>>20)
	}
	if report.Known > 0 {
		value("actions never tried", "%v", report.Untried())
	}
	if r.coverage != nil {
		r.coverage.tell(value)
	}
	m := &msgs.DiagnosticArray{Header: msgs.Header{Stamp: msgs.TimeFrom(now)}, Status: []msgs.DiagnosticStatus{status}}
	if err := r.diagnostics.Publish(m); err != nil && r.node.Context().Err() == nil {
		r.node.Log().Warn("diagnostics", "error", err)
	}
	if !recording {
		return report.Reason
	}
	return ""
}

// malformed counts what no message could be made of.
func (r *Node) malformed() (count uint64) {
	for _, s := range r.heard {
		count += s.Malformed()
	}
	return count
}

// apart is how far two clocks may be from each other before somebody should know.
const apart = time.Second

func judge(report *recording.Report, recording bool, rate float64, latest sight, absent string) (level uint8, text string) {
	switch {
	case !recording && report.Reason != "":
		return msgs.DiagnosticStatusError, "recording ended: " + report.Reason
	case latest.err != nil && latest.read == 0:
		return msgs.DiagnosticStatusError, "no image can be read: " + latest.err.Error()
	case !recording:
		return msgs.DiagnosticStatusOk, "not recording"
	case absent != "":
		return msgs.DiagnosticStatusError, "no images: " + absent
	case rate == 0:
		return msgs.DiagnosticStatusWarn, "no images"
	case report.ClockAhead.Abs() > apart:
		return msgs.DiagnosticStatusWarn, fmt.Sprintf("recording; the skill statuses' clock is %.2f s ahead of the camera's: synchronize the two, or leave the stamps zero", report.ClockAhead.Seconds())
	case report.Lost > 0:
		return msgs.DiagnosticStatusWarn, "recording; the last attempt lost: " + report.Loss
	case latest.err != nil:
		return msgs.DiagnosticStatusWarn, "recording; some images cannot be read: " + latest.err.Error()
	case report.Dropped > 0:
		return msgs.DiagnosticStatusWarn, "recording; images were dropped"
	}
	return msgs.DiagnosticStatusOk, "recording"
}
