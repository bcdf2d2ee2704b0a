package ros2

import (
	"path/filepath"
	"strings"
	"testing"
)

// TestCamera has the recorder, which lives in the time of an rclpy clock, record all images of an
// rclpy camera. Programs of others find them in the recording as they were sent.
func TestCamera(t *testing.T) {
	dir := t.TempDir()
	each(t, func(g graph) {
		bag := filepath.Join(dir, g.transport+g.rmw)
		recorder := g.start("recorder", "-p", "use_sim_time:=true", "-p", "frames:=all",
			"-p", "directory:="+bag, "-p", "min_free:=1")
		sent := strings.TrimSpace(g.succeeds(g.command("python3", "testdata/camera.py")))
		g.end(recorder)
		if said := recorder.Err.String(); !strings.Contains(said,
			"a publisher on /scene_reset has incompatible QoS") {
			g.t.Errorf("of a publisher that it does not hear the recorder says %s", said)
		}
		said := g.succeeds(g.command("python3", "testdata/bag.py", bag))
		for _, reader := range []string{"rosbags", "mcap-ros2-support"} {
			if want := reader + ": " + sent + ", from 100"; !strings.Contains(said, want) {
				g.t.Errorf("no %q among %s", want, said)
			}
		}
	})
}
