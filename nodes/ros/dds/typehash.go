package dds

import (
	"cmp"
	"crypto/sha256"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"stripswm/msgs"
)

// From Iron on, endpoints tell the hash of their type (REP 2016), and ROS 2 warns of those that do
// not. It is the SHA-256 of a JSON text that describes the type, whose every space counts.

// typeHash returns the hash of the type of a message, a request or a response ("RIHS01_" and 64
// digits), or "" of one that is not known.
func typeHash(rosType string) string {
	schema, ok := msgs.Schema(rosType)
	// whose parts contain one another, which schemas cannot name
	if !ok || strings.Contains(rosType, "/action/") {
		return ""
	}
	text, err := describeType(rosType, schema)
	if err != nil {
		return ""
	}
	return fmt.Sprintf("RIHS01_%x", sha256.Sum256([]byte(text)))
}

// separator stands between the definitions of a schema.
var separator = regexp.MustCompile(`(?m)^=+\nMSG: (.*)$`)

// typeUserData is what an endpoint of that type tells of it in a distribution.
func (d distribution) typeUserData(rosType string) string {
	hash := typeHash(rosType)
	if hash == "" || !d.hashes {
		return ""
	}
	return "typehash=" + hash + ";"
}

// describeType makes the JSON text from a schema: the type's own definition and those of all that
// it contains.
func describeType(rosType, schema string) (string, error) {
	heads := separator.FindAllStringSubmatchIndex(schema, -1)
	end := func(i int) int {
		if i < len(heads) {
			return heads[i][0]
		}
		return len(schema)
	}
	own, err := describeFields(rosType, schema[:end(0)])
	if err != nil {
		return "", err
	}
	type described struct{ name, text string }
	var others []described
	for i, h := range heads {
		name := fullType(schema[h[2]:h[3]], "")
		text, err := describeFields(name, schema[h[1]:end(i+1)])
		if err != nil {
			return "", err
		}
		others = append(others, described{name, text})
	}
	slices.SortFunc(others, func(a, b described) int { return cmp.Compare(a.name, b.name) })
	texts := make([]string, len(others))
	for i, o := range others {
		texts[i] = o.text
	}
	return fmt.Sprintf(`{"type_description": %s, "referenced_type_descriptions": [%s]}`, own, strings.Join(texts, ", ")), nil
}

// fullType makes "pkg/Type", or "Type" in a package, "pkg/msg/Type".
func fullType(name, pkg string) string {
	name = strings.TrimSpace(name)
	p, n, ok := strings.Cut(name, "/")
	if !ok {
		return pkg + "/msg/" + name
	}
	return p + "/msg/" + strings.TrimPrefix(n, "msg/")
}

func describeFields(rosType, definition string) (string, error) {
	pkg, _, _ := strings.Cut(rosType, "/")
	var fields []string
	for line := range strings.SplitSeq(definition, "\n") {
		line, _, _ = strings.Cut(line, "#")
		words := strings.Fields(line)
		if len(words) == 0 || constant.MatchString(line) {
			continue
		}
		if len(words) < 2 {
			return "", fmt.Errorf("field %q of %s has no name", line, rosType)
		}
		field, err := describeField(words[1], words[0], pkg)
		if err != nil {
			return "", fmt.Errorf("%s: %w", rosType, err)
		}
		fields = append(fields, field)
	}
	if len(fields) == 0 { // as rosidl has it
		field, err := describeField("structure_needs_at_least_one_member", "uint8", pkg)
		if err != nil {
			return "", err
		}
		fields = append(fields, field)
	}
	return fmt.Sprintf(`{"type_name": "%s", "fields": [%s]}`, rosType, strings.Join(fields, ", ")), nil
}

// constant is a line such as "uint8 FAILED=3".
var constant = regexp.MustCompile(`^\s*\S+\s+[A-Z][A-Z0-9_]*\s*=`)

// The numbers of type_description_interfaces/msg/FieldType.
const (
	nestedType      = 1
	boundedString   = 21
	arrayOffset     = 48
	boundedOffset   = 96
	unboundedOffset = 144
)

var primitiveTypes = map[string]int{
	"int8": 2, "uint8": 3, "char": 3, "int16": 4, "uint16": 5, "int32": 6, "uint32": 7, "int64": 8,
	"uint64":  9,
	"float32": 10, "float64": 11, "bool": 15, "byte": 16, "string": 17, "wstring": 18,
}

// fieldType is a base type, perhaps "<=N" for strings, perhaps "[]", "[N]" or "[<=N]".
var fieldType = regexp.MustCompile(`^([A-Za-z0-9_/]+)(?:<=(\d+))?(\[(?:(<=)?(\d+))?\])?$`)

func describeField(name, typ, pkg string) (string, error) {
	m := fieldType.FindStringSubmatch(typ)
	if m == nil {
		return "", fmt.Errorf("field %s has no type that is known: %s", name, typ)
	}
	base, stringBound, array, bounded, size := m[1], m[2], m[3], m[4], m[5]
	id, primitive := primitiveTypes[base]
	nested := ""
	switch {
	case !primitive:
		id, nested = nestedType, fullType(base, pkg)
	case stringBound != "":
		id += boundedString - primitiveTypes["string"]
	}
	switch {
	case array == "":
	case size == "":
		id += unboundedOffset
	case bounded != "":
		id += boundedOffset
	default:
		id += arrayOffset
	}
	number := func(s string) int {
		n, _ := strconv.Atoi(s)
		return n
	}
	return fmt.Sprintf(`{"name": "%s", "type": {"type_id": %d, "capacity": %d, "string_capacity": %d, "nested_type_name": "%s"}}`,
		name, id, number(size), number(stringBound), nested), nil
}
