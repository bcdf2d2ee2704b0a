package install

import (
	"encoding/json"
	"fmt"
	"image/png"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"stripswm/nodes/sim"
	"stripswm/nodes/sim/camera"
	"stripswm/test/internal/process"
)

const bundle = "../launch/testdata/bundle"

// under returns the package, if it is for this machine as wanted.
func under(t *testing.T, native bool) string {
	t.Helper()
	path := os.Getenv("STRIPSWM_PACKAGE")
	if path == "" || strings.HasSuffix(path, "_"+runtime.GOARCH+".deb") != native {
		t.Skip("not tested: STRIPSWM_PACKAGE names no such package")
	}
	return path
}

// run runs a command that must end with 0, and returns what it prints.
func run(t *testing.T, arguments ...string) string {
	t.Helper()
	out := process.Run(t, exec.Command(arguments[0], arguments[1:]...))
	if out.Code != 0 {
		t.Fatalf("%q ends with %d: %s%s", arguments, out.Code, out.Stdout, out.Stderr)
	}
	return out.Stdout
}

func TestFreshTree(t *testing.T) {
	path := under(t, true)
	tree := filepath.Join(t.TempDir(), "tree")
	run(t, "mmdebstrap", "--quiet", "--variant=minbase", "--include=man-db,bash-completion,systemd",
		"--dpkgopt=path-include=/usr/share/man/*", "--customize-hook=copy-in "+path+" /",
		`--customize-hook=chroot "$1" apt-get install -y -qq --no-install-recommends ./`+
			filepath.Base(path), "bookworm", tree)
	run(t, "systemd-analyze", "verify", "--man=no", "--root="+tree, "strips-wm-recorder.service",
		"strips-wm-planner.service")
	for want, command := range map[string]string{
		"SYNOPSIS":              "man -P cat stripswm-plan",
		"__start_stripswm":      ". /usr/share/bash-completion/completions/stripswm; complete -p",
		"strips_wm/package.xml": "ls /usr/share/strips_wm/package.xml",
		"ready":                 "timeout 5 /usr/lib/strips_wm/simrig 2>&1; true",
		"report:": "stripswm demo --quiet --quick --transitions 300 --steps 200 --work 1 --queries 5 " +
			"--images 2 --out /tmp/demo",
	} {
		if said := run(t, "unshare", "--fork", "--pid", "--mount-proc",
			"--root="+tree, "bash", "-c", command); !strings.Contains(said, want) {
			t.Errorf("%s says no %q: %s", command, want, said)
		}
	}
}

func TestPlanOnArm64(t *testing.T) {
	path := under(t, false)
	dir := t.TempDir()
	run(t, "dpkg-deb", "-x", path, dir)
	world, err := sim.New("blocksworld")
	if err != nil {
		t.Fatal(err)
	}
	images := []string{filepath.Join(dir, "start.png"), filepath.Join(dir, "goal.png")}
	for i, path := range images {
		img, err := camera.New(128, 128).Render(world, sim.State(5*i), uint64(i))
		if err != nil {
			t.Fatal(err)
		}
		f, err := os.Create(path)
		if err != nil {
			t.Fatal(err)
		}
		if err := png.Encode(f, img); err != nil {
			t.Fatal(err)
		}
		f.Close()
	}
	const libraries = "/usr/lib/aarch64-linux-gnu"
	plan := []string{"plan", "--bundle", bundle, "--start", images[0], "--goal", images[1], "--json"}
	emulated := run(t, append([]string{"qemu-aarch64-static", "-L", "../../.deps/arm64", "-E",
		"LD_LIBRARY_PATH=" + libraries + "/blas:" + libraries + "/lapack:" + libraries,
		filepath.Join(dir, "usr/lib/strips_wm/stripswm")}, plan...)...)
	own := run(t, append([]string{"../../bin/stripswm"}, plan...)...)
	if actions(emulated) != actions(own) || actions(own) == "" {
		t.Errorf("on arm64: %s\nhere: %s", emulated, own)
	}
}

// actions are those of a plan in JSON.
func actions(text string) string {
	var said struct{ Plan []int }
	if err := json.Unmarshal([]byte(text), &said); err != nil || len(said.Plan) == 0 {
		return ""
	}
	return fmt.Sprint(said.Plan)
}
