package ros2

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"stripswm/test/internal/process"
)

// TestKeystores has nodes in enclaves of a keystore that `ros2 security` made. A client with a key
// calls them, and one without does not find them.
func TestKeystores(t *testing.T) {
	needs(t, "sros2")
	dir := t.TempDir()
	each(t, func(g graph) {
		if g.transport == "dds" && g.rmw == fastDDS {
			g.t.Skip("not tested: these do not call each other in an enclave")
		}
		store := filepath.Join(dir, g.transport+g.rmw) // for the graph's domain alone
		g.says("security", "create_keystore", store)
		for _, enclave := range []string{"/rig/camera", "/client"} {
			g.says("security", "create_enclave", store, enclave)
		}
		secured := []string{"ROS_SECURITY_ENABLE=true", "ROS_SECURITY_STRATEGY=Enforce",
			"ROS_SECURITY_KEYSTORE=" + store}
		rig := g.program("simrig", "--ros-args", "--enclave", "/rig/camera")
		rig.Env = append(rig.Env, secured...)
		p := process.Start(t, rig)
		p.Await("ready")

		call := g.ros2("service", "call", "/simrig/state", trigger)
		call.Env = append(call.Env, secured...)
		call.Env = append(call.Env, "ROS_SECURITY_ENCLAVE_OVERRIDE=/client")
		if out := process.Run(t, call); out.Code != 0 || !strings.Contains(out.Stdout, "success=True") {
			t.Errorf("a client with a key: ros2 service call ends with %d: %s%s", out.Code, out.Stdout,
				out.Stderr)
		}
		if said := g.says("node", "list", "--no-daemon", "--spin-time", "3"); strings.Contains(said,
			"/simrig") {
			t.Errorf("a client without a key sees %s", said)
		}
		p.Stop(os.Interrupt)
	})
}
