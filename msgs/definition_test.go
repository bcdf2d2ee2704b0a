package msgs

import (
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// TestStructsFollowDefinitions compares each Go struct with its definition, which is what rosidl
// makes the type of everybody else from: names, order, types and bounds.
func TestStructsFollowDefinitions(t *testing.T) {
	defined := slices.Sorted(maps.Keys(definitions()))
	var inGo []string
	for rosType := range goTypes() {
		inGo = append(inGo, shortName(rosType))
	}
	slices.Sort(inGo)
	if !slices.Equal(defined, inGo) {
		t.Fatalf("defined are\n%v\nand in Go\n%v", defined, inGo)
	}
	for rosType, typ := range goTypes() {
		name := shortName(rosType)
		parsed, err := parseSchema(name, definitions()[name])
		if err != nil {
			t.Error(err)
			continue
		}
		var want, got []string
		for _, m := range parsed[name] {
			want = append(want, goField(m))
		}
		for i := range typ.NumField() {
			f := typ.Field(i)
			got = append(got, strings.TrimSpace(f.Name+" "+goElem(f.Type)+" "+string(f.Tag)))
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s is in Go\n%q\nwant\n%q", rosType, got, want)
		}
	}
}

// goField is what a member must be in Go: name, type with the short name of a message, and tag.
func goField(m member) string {
	typ := m.base
	if typ == "byte" || typ == "char" {
		typ = "uint8"
	}
	tag := ""
	switch {
	case m.array == fixed:
		typ = "[" + strconv.Itoa(m.size) + "]" + typ
	case m.array == sequence:
		typ = "[]" + typ
		if m.size > 0 {
			tag = ` max:"` + strconv.Itoa(m.size) + `"`
		}
	}
	return camel(m.name) + " " + typ + tag
}

func goElem(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Slice:
		return "[]" + goElem(t.Elem())
	case reflect.Array:
		return "[" + strconv.Itoa(t.Len()) + "]" + goElem(t.Elem())
	case reflect.Pointer:
		return goElem(t.Elem())
	case reflect.Struct:
		return shortName(reflect.New(t).Interface().(Message).ROSType())
	}
	return t.String()
}

// camel is FrameID of frame_id.
func camel(s string) string {
	var b strings.Builder
	for word := range strings.SplitSeq(s, "_") {
		if word == "id" || word == "uuid" {
			word = strings.ToUpper(word)
		}
		b.WriteString(strings.ToUpper(word[:1]) + word[1:])
	}
	return b.String()
}

// TestConstantsFollowDefinitions compares those that Go has, by the package's source, as there is
// no other list of them.
func TestConstantsFollowDefinitions(t *testing.T) {
	got := map[string]string{}
	for _, file := range []string{"strips_wm.go", "standard.go", "node.go"} {
		f, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(f, func(n ast.Node) bool {
			if spec, ok := n.(*ast.ValueSpec); ok && len(spec.Values) == 1 {
				if value, ok := spec.Values[0].(*ast.BasicLit); ok {
					got[spec.Names[0].Name] = spec.Type.(*ast.Ident).Name + " " + value.Value
				}
			}
			return true
		})
	}
	line := regexp.MustCompile(`(?m)^(\w+) ([A-Z][A-Z0-9_]*)\s*=\s*(\S+)`)
	for rosType, typ := range goTypes() {
		for _, m := range line.FindAllStringSubmatch(definitions()[shortName(rosType)], -1) {
			base := m[1]
			if base == "byte" || base == "char" {
				base = "uint8"
			}
			name := constantName(typ.Name(), m[2])
			if want := base + " " + m[3]; got[name] != "" && got[name] != want {
				t.Errorf("%s is %q, want %q (%s of %s)", name, got[name], want, m[2], rosType)
			}
			delete(got, name)
		}
	}
	for name := range got {
		t.Errorf("%s is a constant that no definition has", name)
	}
}

// constantName puts the type before the constant, once: GoalStatus and STATUS_ABORTED make
// GoalStatusAborted.
func constantName(typeName, constant string) string {
	first, rest, more := strings.Cut(strings.ToLower(constant), "_")
	if more && strings.HasSuffix(typeName, camel(first)) {
		return typeName + camel(rest)
	}
	return typeName + camel(strings.ToLower(constant))
}

// TestROSPackage holds CMakeLists.txt, which is what colcon builds, and package.xml, without whose
// dependencies rosidl refuses, against the definitions.
func TestROSPackage(t *testing.T) {
	text, err := os.ReadFile("CMakeLists.txt")
	if err != nil {
		t.Fatal(err)
	}
	var got, want []string
	listed := regexp.MustCompile(`"((?:msg|srv|action)/\w+\.\w+)"`)
	for _, m := range listed.FindAllStringSubmatch(string(text), -1) {
		got = append(got, m[1])
	}
	for _, kind := range []string{"msg", "srv", "action"} {
		paths, err := filepath.Glob(kind + "/*." + kind)
		if err != nil {
			t.Fatal(err)
		}
		want = append(want, paths...)
	}
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("CMakeLists.txt lists %v, the folders hold %v", got, want)
	}
	xml, err := os.ReadFile("package.xml")
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range definitions() {
		parsed, err := parseSchema(name, text)
		if err != nil || !strings.HasPrefix(name, "strips_wm_msgs/") {
			continue // TestStructsFollowDefinitions tells of errors
		}
		for _, m := range parsed[name] {
			pkg, _, _ := strings.Cut(m.base, "/")
			if m.nested() && pkg != "strips_wm_msgs" &&
				!strings.Contains(string(xml), "<depend>"+pkg+"</depend>") {
				t.Errorf("%s uses %s, which package.xml does not declare", name, m.base)
			}
		}
	}
}

func TestMembers(t *testing.T) {
	for typ, want := range map[string]struct {
		member
		description string
	}{
		"string<=255": {member{base: "string", chars: 255},
			`{"type_id": 21, "capacity": 0, "string_capacity": 255, "nested_type_name": ""}`},
		"float64[9]": {member{base: "float64", array: fixed, size: 9},
			`{"type_id": 59, "capacity": 9, "string_capacity": 0, "nested_type_name": ""}`},
		"float64[<=9]": {member{base: "float64", array: sequence, size: 9},
			`{"type_id": 107, "capacity": 9, "string_capacity": 0, "nested_type_name": ""}`},
		"uint8[]": {member{base: "uint8", array: sequence},
			`{"type_id": 147, "capacity": 0, "string_capacity": 0, "nested_type_name": ""}`},
		"string<=5[<=10]": {member{base: "string", array: sequence, size: 10, chars: 5},
			`{"type_id": 117, "capacity": 10, "string_capacity": 5, "nested_type_name": ""}`},
		"Point[]": {member{base: "geo/Point", array: sequence},
			`{"type_id": 145, "capacity": 0, "string_capacity": 0, "nested_type_name": "geo/msg/Point"}`},
		"other/Point": {member{base: "other/Point"},
			`{"type_id": 1, "capacity": 0, "string_capacity": 0, "nested_type_name": "other/msg/Point"}`},
	} {
		want.name = "x"
		got, err := parseMember("geo/Owner", typ, "x")
		if err != nil || got != want.member {
			t.Errorf("%s is %+v, %v", typ, got, err)
		}
		if got := got.describe(); got != `{"name": "x", "type": `+want.description+`}` {
			t.Errorf("%s is described by %s", typ, got)
		}
	}
	for _, typ := range []string{"int8{}", "uint8[", "uint8[0]"} {
		if m, err := parseMember("geo/Owner", typ, "x"); err == nil {
			t.Errorf("%s is no type, and was taken for %+v", typ, m)
		}
	}
}

// The hashes are those that ROS 2 Jazzy's own packages have.
func TestTypeHashes(t *testing.T) {
	const compressed, event = "sensor_msgs/msg/CompressedImage", "rcl_interfaces/msg/ParameterEvent"
	for want, rosType := range map[string]string{
		"df668c740482bbd48fb39d76a70dfd4bd59db1288021743503259e948f6b1a18": "std_msgs/msg/String",
		"f49fb3ae2cf070f793645ff749683ac6b06203e41c891e17701b1cb597ce6a01": "std_msgs/msg/Header",
		"d31d41a9a4c4bc8eae9be757b0beed306564f7526c88ea6a4588fb9582527d47": "sensor_msgs/msg/Image",
		"15640771531571185e2efc8a100baf923961a4d15d5569652e6cb6691e8e371a": compressed,
		"e28ce254ca8abc06abf92773b74602cdbf116ed34fbaf294fb9f81da9f318eac": "rcl_interfaces/msg/Log",
		"043e627780fcad87a22d225bc2a037361dba713fca6a6b9f4b869a5aa0393204": event,
	} {
		if got := TypeHash(rosType); got != "RIHS01_"+want {
			t.Errorf("%s: %s, want RIHS01_%s", rosType, got, want)
		}
	}
}
