package main

import (
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// prefix is a fake installation for all tests of the package.
var prefix string

func TestMain(m *testing.M) {
	os.Exit(func() int {
		dir, err := os.MkdirTemp("", "fakercl")
		if err != nil {
			panic(err)
		}
		defer os.RemoveAll(dir)
		if err := install(dir); err != nil {
			panic(err)
		}
		prefix = dir
		return m.Run()
	}())
}

// sourced runs a shell command in the module's root with what `make ros-env` prints for an
// installation.
func sourced(t *testing.T, prefix, command string) string {
	t.Helper()
	cmd := exec.Command("bash", "-euc", `eval "$(make -s ros-env)"; `+command)
	cmd.Dir = filepath.Join("..", "..")
	cmd.Env = append(os.Environ(), "AMENT_PREFIX_PATH="+prefix)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%s: %v\n%s", command, err, out)
	}
	return string(out)
}

// buildIDs maps each package that is compiled with cgo to its build ID, which is the name of its
// result in Go's cache.
func buildIDs(t *testing.T, list string) map[string]string {
	t.Helper()
	ids := map[string]string{}
	for line := range strings.Lines(list) {
		if path, id, ok := strings.Cut(strings.TrimSpace(line), " "); ok {
			ids[path] = id
		}
	}
	if len(ids) == 0 {
		t.Fatalf("no build IDs in %q", list)
	}
	return ids
}

// `make ros` compiles gocv and the other packages with cgo again for nothing: their build IDs are
// those of every day. rclgo itself is compiled for the ROS 2 that is sourced.
func TestBuildIDsAreKept(t *testing.T) {
	const list = `go list -export -deps -f '{{if .CgoFiles}}{{.ImportPath}} {{.BuildID}}{{end}}' `
	out, err := exec.Command("bash", "-c", list+"stripswm/nodes/...").Output()
	if err != nil {
		t.Fatal(err)
	}
	usual := buildIDs(t, string(out))
	if usual["gocv.io/x/gocv"] == "" {
		t.Fatalf("gocv is not among %v", usual)
	}
	ros := buildIDs(t, sourced(t, prefix, list+"stripswm/nodes/..."))
	for path := range maps.Keys(usual) {
		if id, ok := ros[path]; ok && id != usual[path] {
			t.Errorf("%s is compiled again for ROS 2: build ID %s, usually %s", path, id, usual[path])
		}
	}
	const rclgo = "github.com/tiiuae/rclgo/pkg/rclgo"
	link := filepath.Join(t.TempDir(), "other")
	if err := os.Symlink(prefix, link); err != nil {
		t.Fatal(err)
	}
	if other := buildIDs(t, sourced(t, link, list+rclgo)); ros[rclgo] == "" ||
		other[rclgo] == ros[rclgo] {
		t.Errorf("rclgo is not compiled again for another ROS 2: build ID %q and %q", other[rclgo],
			ros[rclgo])
	}
}

// The adapter's own tests, which are built with the tag rclgo alone.
func TestAdapter(t *testing.T) {
	t.Log(sourced(t, prefix, "go test -vet=off -count=1 -timeout 5m ./nodes/ros/rclgo"))
}
