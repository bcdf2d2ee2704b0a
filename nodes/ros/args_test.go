package ros

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"stripswm/msgs"
)

func TestArgsAreSplit(t *testing.T) {
	a, err := ParseArgs([]string{"--out", "x", "--ros-args", "--log-level", "node:=debug", "-p",
		"rate:=10", "--enable-rosout-logs", "--", "last"})
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{"--out", "x", "last"}; !slices.Equal(a.Rest, want) {
		t.Errorf("rest %q, want %q", a.Rest, want)
	}
	if a.level == nil || *a.level >= 0 || len(a.params) != 1 {
		t.Errorf("level %v, %d parameters", a.level, len(a.params))
	}
	for _, bad := range [][]string{{"-p"}, {"-p", "x"}, {"-r", "x"}, {"--log-level", "loud"},
		{"--params-file", "/nonexistent"}, {"--what", "x"}, {"-p", "x:={"}} {
		if _, err := ParseArgs(append([]string{"--ros-args"}, bad...)); err == nil {
			t.Errorf("%q was taken", bad)
		}
	}
}

func TestValuesAreReadAsYAML(t *testing.T) {
	for text, want := range map[string]msgs.ParameterValue{
		"true":          valueOf(true),
		"10":            valueOf(int64(10)),
		"1e-3":          valueOf(1e-3),
		"hello":         valueOf("hello"),
		"'10'":          valueOf("10"),
		"":              valueOf(""),
		"[1, 2]":        valueOf([]int64{1, 2}),
		"[1, 2.5]":      valueOf([]float64{1, 2.5}),
		"[a, b]":        valueOf([]string{"a", "b"}),
		"[true, false]": valueOf([]bool{true, false}),
		"[]":            valueOf([]string{}),
	} {
		o, err := parseParam("x:=" + text)
		if err != nil {
			t.Errorf("%q: %v", text, err)
			continue
		}
		if diff := cmp.Diff(want, o.value); diff != "" {
			t.Errorf("%q: %s", text, diff)
		}
	}
	for _, bad := range []string{"[1, a]", "[[1]]", "{a: 1}"} {
		if o, err := parseParam("x:=" + bad); err == nil {
			t.Errorf("%q became %v", bad, o.value)
		}
	}
}

const paramsFile = `
/**:
  ros__parameters:
    everywhere: 1
camera:
  ros__parameters:
    rate: 30.0
    lens: {focus: 2, names: [a, b]}
rig:
  camera:
    ros__parameters: {here: true}
/rig/*:
  ros__parameters: {wild: yes please}
/other/camera:
  ros__parameters: {elsewhere: 1}
`

func TestParameterFilesChooseNodesByName(t *testing.T) {
	all, err := parseParams([]byte(paramsFile))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, o := range all {
		if o.matches(NodeName{Namespace: "/rig", Name: "camera"}) {
			got = append(got, o.name)
		}
	}
	if want := []string{"everywhere", "rate", "lens.focus", "lens.names", "here",
		"wild"}; !slices.Equal(got, want) {
		t.Errorf("parameters %q, want %q", got, want)
	}
}

func TestParameterFilesSayWhereTheyAreWrong(t *testing.T) {
	for text, want := range map[string]string{
		"camera: 3":                                  "line 1",
		"camera:\n  ros__parameters: 3":              "line 2",
		"camera:\n  ros__parameters:\n    x: [1, a]": "parameter x",
		"a: b: c": "mapping",
	} {
		if _, err := parseParams([]byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v does not say %q", text, err, want)
		}
	}
}

func FuzzParameterFile(f *testing.F) {
	f.Add([]byte(paramsFile))
	f.Add([]byte("a: &x {ros__parameters: {b: 1}}\nc: *x"))
	f.Fuzz(func(t *testing.T, text []byte) {
		all, err := parseParams(text)
		if err != nil {
			return
		}
		for _, o := range all {
			o.matches(NodeName{Namespace: "/rig", Name: "camera"})
		}
	})
}

// FuzzArgs gives arbitrary command lines, an argument a line: what is outside the ROS part comes
// through as it is, and rules either make a name that a node can have or one that NewNode refuses.
func FuzzArgs(f *testing.F) {
	f.Add(
		"x\n--ros-args\n-r\n__ns:=/rig\n-r\ncamera:__node:=eye\n-p\nrate:=30\n--log-level\ndebug\n--\ny")
	f.Add("--ros-args\n-r\nimage:=/camera/image\n-p\nn:x:=[1, 2]\n--enclave\n/")
	f.Fuzz(func(t *testing.T, line string) {
		list := strings.Split(line, "\n")
		if slices.Contains(list, "--params-file") {
			return // of this machine
		}
		args, err := ParseArgs(list)
		if err != nil {
			return
		}
		if !slices.Contains(list, "--ros-args") && !slices.Equal(args.Rest, list) {
			t.Errorf("%q left %q", list, args.Rest)
		}
		name := args.rename(NodeName{Namespace: "/", Name: "camera"})
		if checkNodeName(name) != nil {
			return
		}
		if full, err := resolve("image", name, args.remaps); err == nil && !strings.HasPrefix(full, "/") {
			t.Errorf("%q: image is %q", list, full)
		}
		for _, o := range args.params {
			o.matches(name)
		}
	})
}
