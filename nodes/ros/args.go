package ros

import (
	"fmt"
	"log/slog"
	"path"
	"strings"

	"gopkg.in/yaml.v3"

	"stripswm/internal/files"
	"stripswm/msgs"
)

// Args is what a command line says to ROS nodes, between --ros-args and -- or the end.
type Args struct {
	Rest    []string // the arguments outside, for the program
	Enclave string   // of SROS 2, or empty

	remaps []remap
	params []override
	level  *slog.Level
}

// ParseArgs reads a command line without the program's name. It knows --params-file, -p, -r (also
// of __node and __ns), --log-level and -e. It accepts the other options that `ros2 run` and launch
// files give, and ignores them.
func ParseArgs(args []string) (Args, error) {
	var a Args
	for i := 0; i < len(args); i++ {
		if args[i] != "--ros-args" {
			a.Rest = append(a.Rest, args[i])
			continue
		}
		n, err := a.parseROS(args[i+1:])
		if err != nil {
			return Args{}, fmt.Errorf("--ros-args: %w", err)
		}
		i += n
	}
	return a, nil
}

// parseROS returns how many arguments it took, the closing "--" included.
func (a *Args) parseROS(args []string) (int, error) {
	for i := 0; i < len(args); i++ {
		flag := args[i]
		switch flag {
		case "--":
			return i + 1, nil
		case "--ros-args":
			continue
		case "--enable-rosout-logs", "--disable-rosout-logs", "--enable-stdout-logs",
			"--disable-stdout-logs",
			"--enable-external-lib-logs", "--disable-external-lib-logs":
			continue
		}
		if i+1 == len(args) {
			return 0, fmt.Errorf("%s needs a value", flag)
		}
		i++
		if err := a.set(flag, args[i]); err != nil {
			return 0, err
		}
	}
	return len(args), nil
}

func (a *Args) set(flag, value string) error {
	switch flag {
	case "-r", "--remap":
		r, err := parseRemap(value)
		a.remaps = append(a.remaps, r)
		return err
	case "-p", "--param":
		o, err := parseParam(value)
		a.params = append(a.params, o)
		return err
	case "--params-file":
		o, err := readParamsFile(value)
		a.params = append(a.params, o...)
		return err
	case "--log-level":
		return a.setLevel(value)
	case "-e", "--enclave":
		a.Enclave = value
		return nil
	case "--log-config-file", "--log-file-name":
		return nil // nothing here has log files
	}
	return fmt.Errorf("%s is not an option of ROS", flag)
}

func (a *Args) setLevel(value string) error {
	if _, level, ok := strings.Cut(value, ":="); ok {
		value = level // one logger a process: the name before it does not matter
	}
	levels := map[string]slog.Level{"debug": slog.LevelDebug, "info": slog.LevelInfo,
		"warn": slog.LevelWarn, "error": slog.LevelError, "fatal": levelFatal}
	level, ok := levels[strings.ToLower(value)]
	if !ok {
		return fmt.Errorf("log level %q is not debug, info, warn, error or fatal", value)
	}
	a.level = &level
	return nil
}

// rename applies __node and __ns rules to a node's own name.
func (a *Args) rename(n NodeName) NodeName {
	original := n.Name
	for _, r := range a.remaps {
		if r.node != "" && r.node != original {
			continue
		}
		switch r.from {
		case "__node", "__name":
			n.Name = r.to
		case "__ns":
			n.Namespace = "/" + strings.Trim(r.to, "/")
		}
	}
	return n
}

// An override gives a parameter a value before it is declared.
type override struct {
	node  string // pattern of the node's full or short name; empty is every node
	name  string
	value msgs.ParameterValue
}

// maxParams bounds a parameter file, in bytes.
const maxParams = 16 << 20

// parametersKey separates node names from parameter names in a file.
const parametersKey = "ros__parameters"

// parseParam reads "name:=value" or "node:name:=value"; the value is YAML.
func parseParam(arg string) (override, error) {
	name, text, ok := strings.Cut(arg, ":=")
	if !ok || name == "" {
		return override{}, fmt.Errorf("parameter %q: it must be name:=value", arg)
	}
	o := override{name: name}
	if node, rest, ok := strings.Cut(name, ":"); ok {
		o.node, o.name = node, rest
	}
	var doc yaml.Node
	if err := yaml.Unmarshal([]byte(text), &doc); err != nil {
		return override{}, fmt.Errorf("parameter %s: value %q: %w", o.name, text, err)
	}
	if len(doc.Content) == 0 {
		o.value = valueOf("")
		return o, nil
	}
	v, err := yamlValue(doc.Content[0])
	if err != nil {
		return override{}, fmt.Errorf("parameter %s: %w", o.name, err)
	}
	o.value = v
	return o, nil
}

func readParamsFile(file string) ([]override, error) {
	text, err := files.Read(file, maxParams)
	if err != nil {
		return nil, fmt.Errorf("parameter file: %w", err)
	}
	o, err := parseParams(text)
	if err != nil {
		return nil, fmt.Errorf("parameter file %s: %w", file, err)
	}
	return o, nil
}

// parseParams reads a parameter file: names of nodes, perhaps in steps ("rig: {recorder: ...}") or
// with wildcards ("/**"), then ros__parameters, then names of parameters, perhaps in steps.
func parseParams(text []byte) ([]override, error) {
	var doc yaml.Node
	if err := yaml.Unmarshal(text, &doc); err != nil {
		return nil, err
	}
	if len(doc.Content) == 0 {
		return nil, nil
	}
	return nodeParams("", doc.Content[0])
}

func nodeParams(node string, m *yaml.Node) ([]override, error) {
	if m.Kind != yaml.MappingNode {
		return nil, fmt.Errorf("line %d: here must be node names, each with %s below it", m.Line,
			parametersKey)
	}
	var all []override
	for i := 0; i+1 < len(m.Content); i += 2 {
		key, value := m.Content[i].Value, m.Content[i+1]
		var some []override
		var err error
		if key == parametersKey {
			some, err = params(node, "", value)
		} else {
			some, err = nodeParams(node+"/"+strings.Trim(key, "/"), value)
		}
		if err != nil {
			return nil, err
		}
		all = append(all, some...)
	}
	return all, nil
}

func params(node, prefix string, m *yaml.Node) ([]override, error) {
	if m.Kind == yaml.AliasNode {
		m = m.Alias
	}
	if m.Kind != yaml.MappingNode {
		return nil, fmt.Errorf("line %d: here must be parameters, each with a value", m.Line)
	}
	var all []override
	for i := 0; i+1 < len(m.Content); i += 2 {
		name, value := prefix+m.Content[i].Value, m.Content[i+1]
		if value.Kind == yaml.MappingNode {
			some, err := params(node, name+".", value)
			if err != nil {
				return nil, err
			}
			all = append(all, some...)
			continue
		}
		v, err := yamlValue(value)
		if err != nil {
			return nil, fmt.Errorf("line %d: parameter %s: %w", value.Line, name, err)
		}
		all = append(all, override{node: node, name: name, value: v})
	}
	return all, nil
}

// matches reports whether the override is for the node: by its short name, its full name, or a
// pattern in which * is one step of a name and ** is any number of them.
func (o override) matches(n NodeName) bool {
	pattern := strings.TrimPrefix(o.node, "/")
	if pattern == "" || pattern == n.Name {
		return true
	}
	return matchSteps(strings.Split(pattern, "/"), strings.Split(strings.TrimPrefix(n.String(), "/"),
		"/"))
}

func matchSteps(pattern, name []string) bool {
	if len(pattern) == 0 {
		return len(name) == 0
	}
	if pattern[0] == "**" {
		for i := range len(name) + 1 {
			if matchSteps(pattern[1:], name[i:]) {
				return true
			}
		}
		return false
	}
	if len(name) == 0 {
		return false
	}
	ok, err := path.Match(pattern[0], name[0])
	return ok && err == nil && matchSteps(pattern[1:], name[1:])
}
