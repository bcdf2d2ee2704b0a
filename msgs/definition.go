package msgs

import (
	"crypto/sha256"
	"embed"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
)

//go:embed msg srv action standard
var files embed.FS

// definitions are the texts of all messages by short name: of .msg files, and of the parts of .srv
// and .action files.
var definitions = sync.OnceValue(func() map[string]string {
	texts := map[string]string{}
	err := fs.WalkDir(files, ".", func(file string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := files.ReadFile(file)
		define(texts, file, string(text))
		return err
	})
	if err != nil {
		panic(err) // the files are a part of the program
	}
	return texts
})

// define adds the messages of a file, such as "msg/Transition.msg", which is of strips_wm_msgs, or
// "standard/std_srvs/srv/Trigger.srv".
func define(texts map[string]string, file, text string) {
	pkg := "strips_wm_msgs"
	if rest, standard := strings.CutPrefix(file, "standard/"); standard {
		pkg, _, _ = strings.Cut(rest, "/")
	}
	ext := path.Ext(file)
	name := pkg + "/" + strings.TrimSuffix(path.Base(file), ext)
	parts := strings.Split(text, "---\n")
	for i, suffix := range map[string][]string{".msg": {""}, ".srv": {"_Request", "_Response"},
		".action": {"_Goal", "_Result", "_Feedback"}}[ext] {
		texts[name+suffix] = parts[i]
	}
	if ext == ".action" { // as rosidl derives them
		const id = "unique_identifier_msgs/UUID goal_id\n"
		texts[name+"_SendGoal_Request"] = id + name + "_Goal goal\n"
		texts[name+"_SendGoal_Response"] = "bool accepted\nbuiltin_interfaces/Time stamp\n"
		texts[name+"_GetResult_Request"] = id
		texts[name+"_GetResult_Response"] = "int8 status\n" + name + "_Result result\n"
		texts[name+"_FeedbackMessage"] = id + name + "_Feedback feedback\n"
	}
}

// Schema returns the definition of the type and of all it contains, as MCAP's "ros2msg" encoding
// wants it, or false if this package has no such type.
func Schema(rosType string) (string, bool) {
	if _, ok := goTypes()[rosType]; !ok {
		return "", false
	}
	names := []string{shortName(rosType)}
	var b strings.Builder
	for i := 0; i < len(names); i++ { // names grows: what a definition names comes after it
		text := definitions()[names[i]]
		if i > 0 {
			fmt.Fprintf(&b, "%s\nMSG: %s\n", strings.Repeat("=", 80), names[i])
		}
		b.WriteString(text)
		members, err := parseSchema(names[i], text)
		if err != nil {
			return "", false
		}
		for _, m := range members[names[i]] {
			if m.nested() && !slices.Contains(names, m.base) {
				names = append(names, m.base)
			}
		}
	}
	return b.String(), true
}

// shortName is "std_msgs/String" of "std_msgs/msg/String": so definitions name types.
func shortName(rosType string) string {
	if strings.Count(rosType, "/") != 2 {
		return rosType // it is short already
	}
	return path.Join(path.Dir(path.Dir(rosType)), path.Base(rosType))
}

// A member is a field of a definition.
type member struct {
	name  string
	base  string // a primitive type, or the short name of a message
	array array
	size  int // length of a fixed array, or most elements of a sequence; 0 is no bound
	chars int // most bytes of a string; 0 is no bound
}

type array int

const (
	single array = iota
	fixed
	sequence
)

func (m member) nested() bool { return strings.Contains(m.base, "/") }

var (
	constantLine = regexp.MustCompile(`^\s*\S+\s+[A-Z][A-Z0-9_]*\s*=`)
	memberType   = regexp.MustCompile(`^([A-Za-z0-9_/]+)(?:<=(\d+))?(\[(?:(<=)?(\d+))?\])?$`)
)

// parseSchema returns the members of all messages of a schema by short name; root is that of the
// first one.
func parseSchema(root, schema string) (map[string][]member, error) {
	types := map[string][]member{root: nil}
	name := root
	for line := range strings.Lines(schema) {
		line, _, _ = strings.Cut(line, "#")
		words := strings.Fields(line)
		switch {
		case len(words) == 2 && words[0] == "MSG:":
			name = shortName(words[1])
			types[name] = nil
		case len(words) >= 2 && !constantLine.MatchString(line):
			m, err := parseMember(name, words[0], words[1])
			if err != nil {
				return nil, fmt.Errorf("definition of %s: field %s: %w", name, words[1], err)
			}
			types[name] = append(types[name], m)
		}
	}
	return types, nil
}

// parseMember reads a type such as "uint8", "string<=10", "float64[9]", "Range[<=1]" or
// "std_msgs/Header[]". A message without a package is of the owner's.
func parseMember(owner, typ, name string) (member, error) {
	parts := memberType.FindStringSubmatch(typ)
	if parts == nil {
		return member{}, fmt.Errorf("type %q is not understood", typ)
	}
	m := member{name: name, base: parts[1]}
	if _, primitive := typeIDs[m.base]; !primitive && !m.nested() {
		m.base = path.Dir(owner) + "/" + m.base
	}
	m.chars, _ = strconv.Atoi(parts[2])
	if parts[3] == "" {
		return m, nil
	}
	m.size, _ = strconv.Atoi(parts[5])
	m.array = sequence
	if parts[4] == "" && parts[5] != "" {
		m.array = fixed
		if m.size < 1 {
			return m, fmt.Errorf("array of length %q", parts[5])
		}
	}
	return m, nil
}

// typeIDs are the numbers of primitive types in type_description_interfaces/msg/FieldType.
var typeIDs = map[string]int{
	"int8": 2, "uint8": 3, "char": 3, "int16": 4, "uint16": 5, "int32": 6, "uint32": 7, "int64": 8,
	"uint64": 9, "float32": 10, "float64": 11, "bool": 15, "byte": 16, "string": 17, "wstring": 18,
}

// What FieldType adds to the number of a type for a bound or an array of it.
const (
	nestedID        = 1
	boundedString   = 4
	fixedArray      = 48
	boundedSequence = 96
	anySequence     = 144
)

// TypeHash returns the hash by which ROS 2 compares types from Iron on (REP 2016): "RIHS01_" and
// the SHA-256 of a JSON text that describes the type, of which every space counts. It is "" for a
// type that this package does not have, and for those of actions, whose parts contain one another,
// which schemas cannot name.
func TypeHash(rosType string) string {
	schema, ok := Schema(rosType)
	if !ok || strings.Contains(rosType, "/action/") {
		return ""
	}
	root := shortName(rosType)
	types, err := parseSchema(root, schema)
	if err != nil {
		return ""
	}
	own := describeType(rosType, types[root])
	delete(types, root)
	var others []string
	for name, members := range types {
		others = append(others, describeType(fullName(name), members))
	}
	slices.Sort(others) // by name, with which they begin
	return fmt.Sprintf("RIHS01_%x", sha256.Sum256(fmt.Appendf(nil,
		`{"type_description": %s, "referenced_type_descriptions": [%s]}`, own,
		strings.Join(others, ", "))))
}

// fullName is "std_msgs/msg/String" of "std_msgs/String".
func fullName(short string) string { return path.Dir(short) + "/msg/" + path.Base(short) }

func describeType(rosType string, members []member) string {
	if len(members) == 0 { // as rosidl has it
		members = []member{{name: "structure_needs_at_least_one_member", base: "uint8"}}
	}
	fields := make([]string, len(members))
	for i, m := range members {
		fields[i] = m.describe()
	}
	return fmt.Sprintf(`{"type_name": "%s", "fields": [%s]}`, rosType, strings.Join(fields, ", "))
}

func (m member) describe() string {
	id, nested := typeIDs[m.base], ""
	if m.nested() {
		id, nested = nestedID, fullName(m.base)
	}
	if m.chars > 0 {
		id += boundedString
	}
	switch {
	case m.array == fixed:
		id += fixedArray
	case m.array == sequence && m.size > 0:
		id += boundedSequence
	case m.array == sequence:
		id += anySequence
	}
	return fmt.Sprintf(`{"name": "%s", "type": {"type_id": %d, "capacity": %d, `+
		`"string_capacity": %d, "nested_type_name": "%s"}}`, m.name, id, m.size, m.chars, nested)
}
