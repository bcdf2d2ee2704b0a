package ros

import (
	"strings"
	"testing"
)

func TestNamesBecomeAbsolute(t *testing.T) {
	rig := NodeName{Namespace: "/rig", Name: "camera"}
	root := NodeName{Namespace: "/", Name: "camera"}
	for _, tt := range []struct {
		name string
		node NodeName
		want string
	}{
		{"image", rig, "/rig/image"},
		{"image", root, "/image"},
		{"/image", rig, "/image"},
		{"~/image", rig, "/rig/camera/image"},
		{"~", root, "/camera"},
		{"left/image_raw", rig, "/rig/left/image_raw"},
		{"plan/_action/send_goal", rig, "/rig/plan/_action/send_goal"},
	} {
		got, err := expandName(tt.name, tt.node)
		if err != nil || got != tt.want {
			t.Errorf("%q in %s is %q, %v; want %q", tt.name, tt.node, got, err, tt.want)
		}
	}
	for _, bad := range []string{"", "/", "a//b", "a/", "1a", "a b", "a-b", "a__b", "~a",
		strings.Repeat("a", 300)} {
		if got, err := expandName(bad, rig); err == nil {
			t.Errorf("%q is no name, and became %q", bad, got)
		}
	}
}

func TestRemapRules(t *testing.T) {
	node := NodeName{Namespace: "/rig", Name: "camera"}
	for _, tt := range []struct{ rule, name, want string }{
		{"image:=image", "image", "/rig/image"},
		{"/rig/image:=/other", "image", "/other"},
		{"~/image:=image", "~/image", "/rig/image"},
		{"camera:image:=image", "image", "/rig/image"},
		{"lidar:image:=image", "image", "/rig/image"},
		{"image:=image", "/image", "/image"},
		{"__node:=eye", "image", "/rig/image"},
	} {
		r, err := parseRemap(tt.rule)
		if err != nil {
			t.Fatal(err)
		}
		got, err := resolve(tt.name, node, []remap{r})
		if err != nil || got != tt.want {
			t.Errorf("%s: %q is %q, %v; want %q", tt.rule, tt.name, got, err, tt.want)
		}
	}
	for _, bad := range []string{"", "a", "a:=", ":=b"} {
		if _, err := parseRemap(bad); err == nil {
			t.Errorf("%q is no rule, and was taken", bad)
		}
	}
}

func TestRename(t *testing.T) {
	args, err := ParseArgs([]string{"--ros-args", "-r", "__node:=eye", "-r", "__ns:=/left", "-r",
		"other:__ns:=/right"})
	if err != nil {
		t.Fatal(err)
	}
	if got := args.rename(NodeName{Namespace: "/", Name: "camera"}).String(); got != "/left/eye" {
		t.Errorf("the node is %s, want /left/eye", got)
	}
}

func FuzzExpandName(f *testing.F) {
	f.Add("image")
	f.Add("~/a/b_1")
	f.Add("/a")
	f.Fuzz(func(t *testing.T, name string) {
		full, err := expandName(name, NodeName{Namespace: "/rig", Name: "camera"})
		if err == nil && (!strings.HasPrefix(full, "/") || strings.Contains(full, "//") ||
			len(full) > maxName) {
			t.Errorf("%q became %q", name, full)
		}
	})
}
