package ros2

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// quick is a parameter file of a rig whose skills take no time.
func quick(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "rig.yaml")
	const text = "simrig: {ros__parameters: {skill_duration: 0.1, settling: 0.0}}\n"
	must(0, os.WriteFile(path, []byte(text), 0o600))
	return path
}

// bundle is a learned one.
func bundle() string {
	return must(filepath.Abs("../launch/testdata/bundle"))
}

// TestLaunchFiles brings up each launch file until its node is active, or answers where it has no
// states, and ends it by ^C.
func TestLaunchFiles(t *testing.T) {
	dir := t.TempDir()
	each(t, func(g graph) {
		bag := filepath.Join(dir, g.transport+g.rmw)
		for _, c := range []struct {
			node, file string
			arguments  []string
			active     bool
		}{
			{"simrig", "sim.launch.py", nil, false},
			{"planner", "plan.launch.py", []string{"bundle:=" + bundle()}, true},
			{"recorder", "record.launch.py", []string{"directory:=" + bag}, false},
		} {
			p := g.launch(c.file, c.arguments...)
			if c.active {
				g.await("active [3]", "lifecycle", "get", "/"+c.node)
			} else {
				g.await("/"+c.node, "node", "list")
			}
			g.interrupt(p)
		}
	})
}

// TestLaunchExplore has the explorer of explore.launch.py try skills on the rig of sim.launch.py.
func TestLaunchExplore(t *testing.T) {
	dir := t.TempDir()
	each(t, func(g graph) {
		out := filepath.Join(dir, g.transport+g.rmw)
		rig := g.launch("sim.launch.py", "params_file:="+quick(t))
		g.await("/simrig", "node", "list")
		up := g.launch("explore.launch.py", "directory:="+out+"-bag", "actions:=18")
		g.await(`"attempts"`, "topic", "echo", "--once", "--full-length", "/explorer/status")
		for _, verb := range []string{"pause", "resume"} {
			if said := g.says("service", "call", "/explorer/"+verb, trigger); !strings.Contains(said,
				"success=True") {
				t.Errorf("/explorer/%s: %s", verb, said)
			}
		}
		g.interrupt(up)
		g.interrupt(rig)
	})
}

// Without Gazebo the launch file says so, and starts nothing.
func TestLaunchWithoutGazebo(t *testing.T) {
	if _, err := exec.LookPath("gz"); err == nil {
		t.Skip("not tested: Gazebo is installed")
	}
	p := newGraph(t, "rmw", rmws()[0]).launch("gazebo.launch.py")
	code := p.Wait()
	said := p.Out.String() + p.Err.String()
	if code == 0 || !strings.Contains(said, "Gazebo harmonic is not installed") ||
		strings.Contains(said, "Traceback") || strings.Contains(said, "process started") {
		t.Errorf("ros2 launch ends with %d: %s", code, said)
	}
}
