package rooms

import (
	"encoding/json"
	"errors"
	"io"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// A rule says which of our folders the packages of a room may import, beside the room
// itself. The first rule that fits a package holds.
type rule struct {
	room string
	may  []string
}

var rules = []rule{
	// The symbolic half knows nothing of images, recordings and robots.
	{"models/strips", nil},
	{"models/taskgraph", []string{"models/strips"}},
	{"models/planner", []string{"models/internal", "models/strips"}},
	{"models/operators", []string{"models/internal", "models/strips", "models/taskgraph"}},
	{"models/exploration", []string{"models"}},
	{"models/internal", nil}, // sets of numbers
	{"models", nil},
	{"msgs", nil},
	{"internal/files", nil}, // which every room may import
	{"internal/markdown", nil},
	{"internal/spread", nil},
	{"internal/clocks", []string{"msgs"}}, // which those may import that know messages
	{"bags", []string{"msgs"}},
	{"nodes/ros", []string{"msgs"}},
	{"nodes/cvbridge", []string{"models/pixels", "msgs"}},
	{"nodes/camera", []string{"models/pixels", "bags/pairing", "msgs", "nodes/cvbridge", "nodes/ros"}},
	{"nodes/sim", []string{"models/strips", "models/worlds", "bags", "msgs"}},
	{"nodes/execute", []string{"models", "msgs"}},
	{"nodes/skills", []string{"models/strips", "msgs", "nodes/ros", "nodes/execute"}},
	{"nodes/exploration", []string{"models", "bags", "msgs"}},
	{"nodes/learn", []string{"models", "bags", "msgs", "nodes/cvbridge"}},
	{"nodes/eval", []string{"models", "bags", "msgs", "nodes/cvbridge", "nodes/sim", "nodes/learn",
		"nodes/execute"}},
	// Nodes never import one another.
	{"nodes/recorder", []string{"models", "bags", "msgs", "nodes/camera", "nodes/cvbridge",
		"nodes/ros"}},
	{"nodes/learner", []string{"models", "bags", "msgs", "nodes/camera", "nodes/ros", "nodes/learn"}},
	{"nodes/planner", []string{"models", "bags", "msgs", "nodes/camera", "nodes/cvbridge", "nodes/ros",
		"nodes/execute", "nodes/skills"}},
	{"nodes/explorer", []string{"models", "bags", "msgs", "nodes/camera", "nodes/ros", "nodes/skills",
		"nodes/exploration"}},
	{"nodes/simrig", []string{"models", "bags", "msgs", "nodes/cvbridge", "nodes/ros", "nodes/sim"}},
	{"nodes/executor", []string{"msgs", "nodes/ros"}},
	{"nodes/stripswm", []string{"models", "bags", "msgs", "nodes/camera", "nodes/cvbridge",
		"nodes/ros", "nodes/sim", "nodes/execute", "nodes/exploration", "nodes/learn", "nodes/eval"}},
	{"test", []string{"internal", "models", "bags", "msgs", "nodes"}},
}

// extra is what the tests of a room may import as well: worlds and models to try it on.
var extra = map[string][]string{
	"models/exploration": {"nodes/sim"},
	"models/operators":   {"models/worlds/fixtures"},
	"models/planner":     {"models/taskgraph", "models/operators"},
	"nodes/stripswm":     {"internal/markdown"},
	"nodes/learn":        {"nodes/sim"},
	"nodes/planner":      {"nodes/sim"},
}

type pkg struct {
	ImportPath                         string
	Imports, TestImports, XTestImports []string
}

func packages(t *testing.T) []pkg {
	t.Helper()
	list := exec.Command("go", "list", "-json=ImportPath,Imports,TestImports,XTestImports",
		"stripswm/...")
	out, err := list.Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	var all []pkg
	for d := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p pkg
		if err := d.Decode(&p); errors.Is(err, io.EOF) {
			return all
		} else if err != nil {
			t.Fatal(err)
		}
		all = append(all, p)
	}
}

func TestArrowsPointInward(t *testing.T) {
	all := packages(t)
	if len(all) < 50 {
		t.Fatalf("only %d packages found", len(all))
	}
	for _, p := range all {
		path := strings.TrimPrefix(p.ImportPath, "stripswm/")
		i := slices.IndexFunc(rules, func(r rule) bool { return within(path, r.room) })
		if i < 0 {
			t.Errorf("%s is in no room", path)
			continue
		}
		may := append([]string{rules[i].room, "internal/files", "internal/spread"}, rules[i].may...)
		if slices.Contains(may, "msgs") {
			may = append(may, "internal/clocks")
		}
		exclude(t, path, p.Imports, may)
		exclude(t, path+" (test)", append(p.TestImports, p.XTestImports...),
			append(may, extra[rules[i].room]...))
	}
}

func exclude(t *testing.T, who string, imports, may []string) {
	t.Helper()
	for _, path := range imports {
		path, ours := strings.CutPrefix(path, "stripswm/")
		if ours && !slices.ContainsFunc(may, func(room string) bool { return within(path, room) }) {
			t.Errorf("%s imports %s: it may import %v", who, path, may)
		}
	}
}

func within(path, room string) bool { return path == room || strings.HasPrefix(path, room+"/") }
