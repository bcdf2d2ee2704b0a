package node

import (
	"fmt"
	"math"
	"time"

	"stripswm/bags/recording"
	"stripswm/msgs"
	"stripswm/nodes/camera"
)

// tally is what was counted up to a point in time.
type tally struct {
	at           time.Time
	frames, lost int
	seen, disk   int64 // bytes
}

// A pace is a tally per second.
type pace struct {
	frames, lost float64
	seen, disk   float64 // bytes
}

// lostImages are those that were published and not recorded: by the publisher's numbers, or else by
// the stamps.
func lostImages(r *recording.Report) int {
	if c := &r.Cadence; c.Numbered < c.Frames {
		return c.Missing + int(r.Dropped)
	}
	return r.Cadence.Lost
}

// since is the pace since it was last called.
func (t *tally) since(now time.Time, r *recording.Report) (p pace) {
	next := tally{now, r.Cadence.Frames, lostImages(r), r.Cadence.Bytes, r.Bytes}
	if elapsed := now.Sub(t.at).Seconds(); !t.at.IsZero() && elapsed > 0 && next.frames >= t.frames {
		p = pace{float64(next.frames-t.frames) / elapsed, float64(next.lost-t.lost) / elapsed,
			float64(next.seen-t.seen) / elapsed, float64(next.disk-t.disk) / elapsed}
	}
	*t = next
	return p
}

// tooFast says what to do if too many of the camera's images are lost; "" if not.
func (p pace) tooFast() string {
	sent := p.frames + p.lost
	if p.frames < 1 || p.lost < tooMany*sent {
		return ""
	}
	size := p.seen / p.frames / 1e6
	return fmt.Sprintf(
		"%.0f of the camera's %.0f images a second are lost, of %.1f MB each; it takes some %.0f a "+
			"second: set the camera to fewer, smaller or compressed ones", p.lost, sent, size,
		math.Floor(p.frames))
}

// diagnose says once a second how the recording stands. Before that attempts that wait for too long
// are given up.
func (r *Node) diagnose(now time.Time, status *msgs.DiagnosticStatus) {
	r.recorder.Tick(now)
	report, recording := r.recorder.Report()
	r.end(report.Reason)
	pace := r.level.since(now, &report)
	status.HardwareID = r.camera.Topic()
	latest, ever := r.camera.Since()
	status.Level, status.Message = r.assess(&report, recording, pace, latest)
	if latest.Err != nil {
		r.node.Log().Warn("images cannot be read", "images", latest.Unreadable, "error", latest.Err)
	}
	if report.Directory != "" {
		status.Add("bag", "%s", report.Directory)
		status.Add("files", "%d", report.Files)
	}
	status.Add("transitions", "%d", report.Transitions())
	status.Add("refused", "%d", report.Outcomes.Refused)
	status.Add("failed", "%d", report.Outcomes.Failed)
	status.Add("attempts lost", "%d", report.Lost+report.Unwritten)
	if report.Loss != "" {
		status.Add("last attempt lost", "%s", report.Loss)
	}
	status.Add("resets", "%d", report.Resets)
	status.Add("messages that do not decode", "%d", r.malformed())
	status.Add("images that cannot be read", "%d", ever.Unreadable)
	status.Add("image rate (Hz)", "%.1f", pace.frames)
	status.Add("images received", "%d", report.Cadence.Frames)
	status.Add("usual image interval (ms)", "%.2f", 1e3*report.Cadence.Interval.Seconds())
	status.Add("images dropped", "%d", report.Dropped)
	if report.Cadence.Numbered == report.Cadence.Frames {
		status.Add("images published and not received or not taken", "%d", report.Cadence.Lost)
	}
	status.Add("images missing by their stamps, at least", "%d", report.Cadence.Missing)
	status.Add("images missing by their stamps, at most", "%d",
		report.Cadence.Missing+report.Cadence.Unclear)
	status.Add("images kept (s)", "%.2f", report.Kept.Seconds())
	status.Add("image latency (ms)", "%.2f", 1e3*report.Cadence.Latency.Seconds())
	status.Add("largest image latency (ms)", "%.2f", 1e3*report.Cadence.MaxLatency.Seconds())
	status.Add("camera delay, at least (ms)", "%.2f", 1e3*report.CameraDelay.Seconds())
	status.Add("skill status delay, at least (ms)", "%.2f", 1e3*report.ExecutorDelay.Seconds())
	status.Add("images without a stamp", "%d", report.Unstamped)
	status.Add("disk rate (MB/s)", "%.2f", pace.disk/1e6)
	status.Add("bag size (MB)", "%.1f", float64(report.Bytes)/1e6)
	if free, err := r.recorder.Free(); err == nil {
		status.Add("disk free (MB)", "%d", free>>20)
	}
	if report.Known > 0 {
		status.Add("actions never tried", "%v", report.Untried())
	}
	if r.coverage != nil {
		r.coverage.tell(status)
	}
}

// malformed counts messages that do not decode.
func (r *Node) malformed() uint64 {
	count := r.camera.Malformed()
	for _, s := range r.heard {
		count += s.Malformed()
	}
	return count
}

func (r *Node) assess(report *recording.Report, recording bool, p pace,
	latest camera.Capture,
) (level uint8, text string) {
	absent, fast, dark := r.camera.Absent(), p.tooFast(), r.dark()
	switch {
	case !recording && report.Reason != "":
		return msgs.DiagnosticStatusError, "recording ended: " + report.Reason
	case latest.Err != nil && latest.Read == 0:
		return msgs.DiagnosticStatusError, "no image can be read: " + latest.Err.Error()
	case !recording:
		return msgs.DiagnosticStatusOk, "not recording"
	case absent != "":
		return msgs.DiagnosticStatusError, "no images: " + absent
	case p.frames == 0:
		return msgs.DiagnosticStatusWarn, "no images"
	case fast != "":
		return msgs.DiagnosticStatusWarn, "recording; " + fast
	case report.Clocks != "":
		return msgs.DiagnosticStatusWarn, "recording; " + report.Clocks
	case report.Lost > 0:
		return msgs.DiagnosticStatusWarn, "recording; the last attempt lost: " + report.Loss
	case latest.Err != nil:
		return msgs.DiagnosticStatusWarn, "recording; some images cannot be read: " + latest.Err.Error()
	case dark != "":
		return msgs.DiagnosticStatusWarn, "recording; " + dark
	}
	return msgs.DiagnosticStatusOk, "recording"
}

// dark says what to do if samples of 16 bits use little of their scale, or more than the parameter
// bits says; "" if neither is so.
func (r *Node) dark() string {
	used, bits := int(r.used.Load()), r.settings.camera.Bits
	switch {
	case bits == 0 && used > 0 && used <= darkBits:
		return fmt.Sprintf(
			"samples of 16 bits use %d of them so far, which makes nearly black images; set bits to those "+
				"of the sensor", used)
	case bits != 0 && used > bits:
		return fmt.Sprintf("samples use %d bits, and bits is %d: what is brighter is white", used, bits)
	}
	return ""
}
