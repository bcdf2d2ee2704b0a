package recording_test

import (
	"fmt"
	"os"
	"path/filepath"
	"time"

	"stripswm/bags/pairing"
	"stripswm/bags/recording"
	"stripswm/msgs"
)

func Example() {
	dir := must(os.MkdirTemp("", "recording-*"))
	defer os.RemoveAll(dir)
	r := recording.New(recording.Options{
		StatusTopic: "/skill_status",
		Acknowledged: func(m *msgs.Transition, _ pairing.RecordedAttempt) {
			fmt.Println("on disk: action", m.Action)
		},
	})
	now := time.Unix(1000, 0)
	must(r.Start(filepath.Join(dir, "bag"), now))
	for i := range 30 {
		stamp := now.Add(time.Duration(i) * 50 * time.Millisecond)
		image := &msgs.Image{Header: msgs.Header{Stamp: msgs.TimeFrom(stamp)}, Width: 2, Height: 1,
			Step: 2, Encoding: "mono8", Data: []byte{0, 255}}
		payload, _ := msgs.Marshal(image)
		r.Frame(&pairing.Frame{Stamp: stamp, Received: stamp, Topic: "/camera/image_raw",
			Type: image.ROSType(), Payload: payload, Thumbnail: func() (pairing.View, error) {
				return pairing.ViewOf([]uint8{0, 0, 0, 255, 255, 255}, 2, 1), nil
			}})
		if phase := map[int]uint8{10: msgs.SkillStatusStarted,
			15: msgs.SkillStatusSucceeded}[i]; phase != 0 {
			r.Status(&msgs.SkillStatus{Header: image.Header, Action: 7, Phase: phase, ExecutionID: msgs.UUID{
				UUID: [16]uint8{1}}}, stamp)
		}
		now = stamp
	}
	report, err := r.Stop(now)
	fmt.Println(report.Transitions(), "transition,", report.Cadence.Frames, "frames", err)
	// Output:
	// on disk: action 7
	// 1 transition, 30 frames <nil>
}
