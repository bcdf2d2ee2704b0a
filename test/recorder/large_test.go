package recorder

import (
	"context"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"stripswm/msgs"
	"stripswm/nodes/ros"
	"stripswm/test/internal/process"
)

// TestLargeImages has a camera of 12 megapixels and 60 Hz, 720 MB a second: attempts are recorded
// all the same, in bounded memory, and /diagnostics says how many images a second are taken where
// that is not all of them.
func TestLargeImages(t *testing.T) {
	const width, height, hz = 4000, 3000, 60
	domain := process.Domain(t)
	rec := launch(t, domain, "recorder", "directory:="+filepath.Join(t.TempDir(), "bag"),
		"memory:=200000000", "queue:=4", "min_free:=1", "motion_window:=0.05")
	p := join(t, domain)
	camera := must(ros.Advertise[*msgs.Image](p.node, "camera/image_raw", ros.SensorData))
	status := must(ros.Advertise[*msgs.SkillStatus](p.node, "skill_status", ros.Default))
	must(0, camera.WaitForSubscribers(process.Soon(t), 1))
	must(0, status.WaitForSubscribers(process.Soon(t), 1))

	image := &msgs.Image{Width: width, Height: height, Step: width, Encoding: "bayer_rggb8",
		Data: make([]byte, width*height)}
	for i := range image.Data {
		image.Data[i] = uint8(i % width / 16)
	}
	ctx, stop := context.WithCancel(t.Context())
	sent := 0
	done := make(chan struct{})
	go func() {
		defer close(done)
		shots := time.NewTicker(time.Second / hz)
		defer shots.Stop()
		for ctx.Err() == nil {
			image.Header.Stamp = msgs.TimeFrom(<-shots.C)
			must(0, camera.Publish(image))
			sent++
		}
	}()
	began := time.Now()
	const attempts = 5
	for execution := range uint8(attempts) {
		time.Sleep(500 * time.Millisecond)
		for _, phase := range []uint8{msgs.SkillStatusStarted, msgs.SkillStatusSucceeded} {
			m := &msgs.SkillStatus{Header: msgs.Header{Stamp: msgs.TimeFrom(time.Now())}, Action: 1,
				Phase: phase}
			m.ExecutionID.UUID[0] = execution + 1
			must(0, status.Publish(m))
			time.Sleep(200 * time.Millisecond)
		}
		if m := p.recorded(); m.Outcome != msgs.TransitionSucceeded {
			t.Errorf("%+v", m)
		}
	}
	memory := residentMB(rec.PID())
	for len(p.diagnostics) > 0 {
		<-p.diagnostics
	}
	s := process.Receive(t, "diagnostics", p.diagnostics).Status[0]
	stop()
	<-done
	t.Logf("%.1f images of 12 MB a second sent, %d MB resident: %s, %v",
		float64(sent)/time.Since(began).Seconds(), memory, s.Message, s.Values)
	if memory > 1500 {
		t.Errorf("%d MB of memory, where images may take 200 and 4 may wait", memory)
	}
	if s.Message != "recording" && !strings.Contains(s.Message, "it takes some") &&
		!strings.Contains(s.Message, "it is slow") { // they may be under way for 50 ms
		t.Errorf("/diagnostics says %q", s.Message)
	}
	rec.Stop(syscall.SIGTERM)
}
