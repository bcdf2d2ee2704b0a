package ros2

import (
	"maps"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// compiled is a command in the module's root, with what `make ros-env` prints.
func compiled(t *testing.T, rmw, command string) string {
	t.Helper()
	cmd := sourced("bash", "-euc", `eval "$(make -s --no-print-directory ros-env)"; `+command)
	cmd.Dir = root
	if rmw != "" {
		cmd.Env = append(cmd.Env, "RMW_IMPLEMENTATION="+rmw)
	}
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s: %v\n%s", command, err, out)
	}
	return string(out)
}

// TestAdapter runs the tests of the transport rclgo with each rmw.
func TestAdapter(t *testing.T) {
	for _, rmw := range rmws() {
		t.Run(rmw, func(t *testing.T) {
			compiled(t, rmw, "go test -vet=off -count=1 -timeout 5m ./nodes/ros/rclgo")
		})
	}
}

// `make ros` does not compile gocv and the other packages with cgo again: their build IDs are those
// of every day.
func TestBuildIDsAreKept(t *testing.T) {
	const list = `go list -export -deps -f '{{if .CgoFiles}}{{.ImportPath}} {{.BuildID}}{{end}}' ` +
		`stripswm/nodes/...`
	out := must(exec.Command("bash", "-c", list).Output())
	ids := func(list string) map[string]string {
		all := map[string]string{}
		for line := range strings.Lines(list) {
			if path, id, ok := strings.Cut(strings.TrimSpace(line), " "); ok {
				all[path] = id
			}
		}
		return all
	}
	usual, ros := ids(string(out)), ids(compiled(t, "", list))
	if usual["gocv.io/x/gocv"] == "" || ros["gocv.io/x/gocv"] == "" {
		t.Fatalf("gocv is not among %v and %v", usual, ros)
	}
	for path := range maps.Keys(usual) {
		if id, ok := ros[path]; ok && id != usual[path] {
			t.Errorf("%s is compiled again for ROS 2: build ID %s, usually %s", path, id, usual[path])
		}
	}
}
