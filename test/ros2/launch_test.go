package ros2

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"stripswm/nodes/sim"
	"stripswm/nodes/sim/scene"
	"stripswm/nodes/sim/sdf"
	"stripswm/test/internal/process"
)

// quick is a parameter file of a rig whose skills take no time.
func quick(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "rig.yaml")
	const text = "simrig: {ros__parameters: {skill_duration: 0.1, settling: 0.0}}\n"
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// bundle is a learned one.
func bundle(t *testing.T) string {
	t.Helper()
	path, err := filepath.Abs("../launch/testdata/bundle")
	if err != nil {
		t.Fatal(err)
	}
	return path
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
			{"planner", "plan.launch.py", []string{"bundle:=" + bundle(t)}, true},
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

// TestLaunchGazebo has a program in Gazebo's place, which shows the rig's world on gz-transport.
func TestLaunchGazebo(t *testing.T) {
	world, err := sim.New("blocksworld")
	if err != nil {
		t.Fatal(err)
	}
	poses, err := sdf.Poses(world, 0, scene.NewJitter(0, 0))
	if err != nil {
		t.Fatal(err)
	}
	program := "#!/bin/sh\n" + process.IgnitionWorld(t, "../interop/ignition") + " blocksworld"
	for _, p := range poses {
		program += " '" + p.Model + "'"
	}
	program += " &\ntrap 'kill $!; wait; exit 0' INT TERM\nwait\n" // Gazebo too ends with 0
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "ign"), []byte(program), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir+":"+os.Getenv("PATH"))
	t.Setenv("GZ_PARTITION", filepath.Base(dir)+fmt.Sprint(os.Getpid()))
	t.Setenv("IGN_PARTITION", os.Getenv("GZ_PARTITION"))
	each(t, func(g graph) {
		up := g.launch("gazebo.launch.py", "gz:=fortress", "bundle:="+bundle(t))
		g.await("active [3]", "lifecycle", "get", "/planner")
		g.await("encoding: rgb8", "topic", "echo", "--once", "--no-arr", "/camera/image_raw")
		g.interrupt(up)
	})
}
