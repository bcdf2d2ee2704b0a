package main

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// root is the folder of package msgs.
var root = filepath.Join("..", "..")

func TestGeneratedFilesAreUpToDate(t *testing.T) {
	files, err := generate(root)
	if err != nil {
		t.Fatal(err)
	}
	onDisk, err := filepath.Glob(filepath.Join(root, "gen_*.go"))
	if err != nil || len(onDisk) != len(files) {
		t.Errorf("%d generated files on disk, %d generated, %v", len(onDisk), len(files), err)
	}
	for name, want := range files {
		got, err := os.ReadFile(filepath.Join(root, name))
		if err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s is not what the definitions say; run go generate ./msgs (%v)", name, err)
		}
	}
}

// What CMakeLists.txt lists is what colcon builds.
func TestCMakeListsNamesEveryInterface(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(root, "CMakeLists.txt"))
	if err != nil {
		t.Fatal(err)
	}
	listed := regexp.MustCompile(`"((?:msg|srv|action)/\w+\.\w+)"`).FindAllStringSubmatch(string(text), -1)
	var got, want []string
	for _, m := range listed {
		got = append(got, m[1])
	}
	for _, kind := range []string{"msg", "srv", "action"} {
		paths, err := filepath.Glob(filepath.Join(root, kind, "*."+kind))
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range paths {
			want = append(want, kind+"/"+filepath.Base(p))
		}
	}
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("CMakeLists.txt lists %v, the folders hold %v", got, want)
	}
}

// rosidl refuses packages whose dependencies package.xml does not declare.
func TestPackageDeclaresItsDependencies(t *testing.T) {
	xml, err := os.ReadFile(filepath.Join(root, "package.xml"))
	if err != nil {
		t.Fatal(err)
	}
	defs, err := loadPackage("strips_wm_msgs", root)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range defs {
		for _, f := range d.Fields {
			pkg, _, compound := strings.Cut(f.Base, "/")
			if compound && pkg != "strips_wm_msgs" && !strings.Contains(string(xml), "<depend>"+pkg+
				"</depend>") {
				t.Errorf("%s uses %s, which package.xml does not declare", d.ROSType(), f.Base)
			}
		}
	}
}

func TestParse(t *testing.T) {
	d, err := parse("p_msgs", "msg", "M", strings.Join([]string{
		"# a comment", "", "uint8 ON=1  # a constant", `string NAME = "x y"`, "uint8 state",
		"Other[] others", "q_msgs/Thing[<=3] few", "float64[9] k", "string<=10 label",
		"string[] names # more",
	}, "\n"))
	if err != nil {
		t.Fatal(err)
	}
	if want := []constant{{"uint8", "ON", "1"}, {"string", "NAME", `"x y"`}}; !slices.Equal(d.Constants, want) {
		t.Errorf("constants %v", d.Constants)
	}
	want := []field{
		{Name: "state", Base: "uint8"},
		{Name: "others", Base: "p_msgs/Other", Array: sequence},
		{Name: "few", Base: "q_msgs/Thing", Array: sequence, Size: 3},
		{Name: "k", Base: "float64", Array: fixed, Size: 9},
		{Name: "label", Base: "string", StrSize: 10},
		{Name: "names", Base: "string", Array: sequence},
	}
	if !slices.Equal(d.Fields, want) {
		t.Errorf("fields %v", d.Fields)
	}
}

func TestParseRefuses(t *testing.T) {
	for text, want := range map[string]string{
		"uint8":            "neither a field nor a constant",
		"uint8 Camel":      "field name",
		"uint8 x 3":        "no default value",
		"uint8<=3 x":       "only strings have bounds",
		"uint8[0] x":       "bad array length",
		"uint8[ x":         "not understood",
		"Thing CONSTANT=1": "not a primitive",
	} {
		_, err := parse("p", "msg", "M", "\n"+text)
		if err == nil || !strings.Contains(err.Error(), want) ||
			!strings.Contains(err.Error(), "p/msg/M line 2") {
			t.Errorf("%q: got %v, want %q", text, err, want)
		}
	}
	for kind, text := range map[string]string{"srv": "bool a\n", "action": "bool a\n---\nbool b\n"} {
		if _, err := parseFile("p", kind, "X", text); err == nil {
			t.Errorf("a %s with too few parts passes", kind)
		}
	}
}

func TestNames(t *testing.T) {
	for in, want := range map[string]string{"frame_id": "FrameID", "d": "D",
		"SendGoal_Request": "SendGoalRequest", "uuid": "UUID", "x_offset": "XOffset"} {
		if got := camel(in); got != want {
			t.Errorf("camel(%q) = %q, want %q", in, got, want)
		}
	}
	if got := constName("GoalStatus", "STATUS_ABORTED"); got != "GoalStatusAborted" {
		t.Error(got)
	}
	if got := constName("Transition", "SUCCEEDED"); got != "TransitionSucceeded" {
		t.Error(got)
	}
}

func FuzzParse(f *testing.F) {
	f.Add("uint8[<=3] x\nstring<=4 y\nuint8 A=1 # c")
	f.Fuzz(func(t *testing.T, text string) {
		if d, err := parse("p", "msg", "M", text); err == nil && d.Text != text {
			t.Error("the text was changed")
		}
	})
}
