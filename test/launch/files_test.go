package launch

import (
	"encoding/json"
	"errors"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"gopkg.in/yaml.v3"

	"stripswm/msgs"
	"stripswm/nodes/ros/rostest"
)

const launchDir = "../../launch"

// TestParameterFiles starts each node with its parameter file: all of the file's
// parameters must be ones that the node declares, of the right type, and with the values that the
// node has without the file.
func TestParameterFiles(t *testing.T) {
	t.Parallel()
	for name, params := range map[string][]string{
		"simrig": nil, "planner": {"autostart:=false"}, "recorder": {"autostart:=false"}, "learner": nil,
		"explorer": nil,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			file := filepath.Join(launchDir, "config", name+".yaml")
			data := must(os.ReadFile(file))
			var wanted map[string]map[string]map[string]any
			must(0, yaml.Unmarshal(data, &wanted))
			s := newSystem(t)
			node := s.startWith(name, []string{"--ros-args", "--params-file", file}, params...)
			names := slices.Sorted(maps.Keys(wanted[name]["ros__parameters"]))
			with := values(t, s, name, names)
			bare := newSystem(t)
			bare.startWith(name, []string{"--ros-args"}, params...)
			for i, without := range values(t, bare, name, names) {
				if without.Type == msgs.ParameterTypeParameterNotSet {
					t.Errorf("%s: %s declares no parameter %s", file, name, names[i])
				} else if !reflect.DeepEqual(with[i], without) {
					t.Errorf("%s: %s is %+v, the default of %s is %+v", file, names[i], with[i], name, without)
				}
			}
			if said := node.Out.String() + node.Err.String(); strings.Contains(said, "no such parameter") {
				t.Errorf("%s: %s", file, said)
			}
		})
	}
}

// values are those of a node's parameters.
func values(t *testing.T, s *system, node string, names []string) []msgs.ParameterValue {
	t.Helper()
	res := rostest.Call[*msgs.GetParametersResponse](s.node, "/"+node+"/get_parameters",
		&msgs.GetParametersRequest{Names: names})
	if len(res.Values) != len(names) {
		t.Fatalf("%s: %d values of %d", node, len(res.Values), len(names))
	}
	return res.Values
}

// TestLaunchFiles checks what can be checked without ROS: the launch files describe a launch
// with stand-ins for ROS's modules, and the layout is one.
func TestLaunchFiles(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(launchDir, "*.launch.py"))
	if err != nil || len(files) < 3 {
		t.Fatalf("launch files %v, %v", files, err)
	}
	if python, err := exec.LookPath("python3"); err == nil {
		for _, f := range files {
			out, err := exec.Command(python, "testdata/describe.py", f).CombinedOutput()
			if err != nil || !strings.Contains(string(out), "Node strips_wm ") {
				t.Errorf("%s: %v\n%s", f, err, out)
			}
		}
	}
	data := must(os.ReadFile(filepath.Join(launchDir, "foxglove.json")))
	var layout struct {
		ConfigByID map[string]json.RawMessage `json:"configById"`
		Layout     json.RawMessage            `json:"layout"`
	}
	if err := json.Unmarshal(data, &layout); err != nil || len(layout.ConfigByID) == 0 ||
		layout.Layout == nil {
		t.Errorf("foxglove.json: %d panels, %v", len(layout.ConfigByID), err)
	}
}

// TestExamples compiles the skill executors in Python and C++, as far as that goes without ROS: the
// latter against declarations of what it uses.
func TestExamples(t *testing.T) {
	const dir = launchDir + "/examples/"
	for _, check := range [][]string{
		{"python3", "-c", "import ast, sys; ast.parse(open(sys.argv[1]).read())", dir + "robot.py"},
		{"g++", "-std=c++17", "-Wall", "-Wextra", "-Werror", "-fsyntax-only", "-I", "testdata/rclcpp",
			dir + "executor.cpp"},
	} {
		if out, err := exec.Command(check[0], check[1:]...).CombinedOutput(); errors.Is(err,
			exec.ErrNotFound) {
			t.Logf("not checked: %s: %v", check[len(check)-1], err)
		} else if err != nil {
			t.Errorf("%s: %v\n%s", check[len(check)-1], err, out)
		}
	}
}
