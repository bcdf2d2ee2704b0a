package ros

import (
	"fmt"
	"regexp"
	"strings"
)

// maxName is the longest name that ROS 2 takes.
const maxName = 255

var (
	nodeName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)
	fullName = regexp.MustCompile(`^(/[A-Za-z_][A-Za-z0-9_]*)+$`)
)

// expandName makes a topic or service name absolute, as seen by the node: "/a" is absolute, "a" is
// in the node's namespace, "~/a" is below the node's own name.
func expandName(name string, node NodeName) (string, error) {
	full := name
	switch {
	case name == "":
		return "", fmt.Errorf("a topic or service name is empty")
	case name == "~":
		full = node.String()
	case strings.HasPrefix(name, "~/"):
		full = node.String() + name[1:]
	case name[0] != '/':
		full = strings.TrimSuffix(node.Namespace, "/") + "/" + name
	}
	if err := checkFullName(full); err != nil {
		return "", fmt.Errorf("name %q: %w", name, err)
	}
	return full, nil
}

func checkFullName(full string) error {
	switch {
	case len(full) > maxName:
		return fmt.Errorf("it is longer than %d characters", maxName)
	case strings.Contains(full, "__"):
		return fmt.Errorf("it has two underscores in a row")
	case !fullName.MatchString(full):
		return fmt.Errorf(
			"it must be words of letters, digits and underscores with slashes between, none beginning " +
				"with a digit")
	}
	return nil
}

func checkNodeName(n NodeName) error {
	if !nodeName.MatchString(n.Name) || len(n.Name) > maxName {
		return fmt.Errorf(
			"node name %q must be letters, digits and underscores, not beginning with a digit", n.Name)
	}
	if n.Namespace == "/" {
		return nil
	}
	if err := checkFullName(n.Namespace); err != nil {
		return fmt.Errorf("namespace %q: %w", n.Namespace, err)
	}
	return nil
}

// A remap replaces a name by another one, for the node of that name, or for all if it is empty.
type remap struct {
	node, from, to string
}

// parseRemap reads "from:=to" or "node:from:=to".
func parseRemap(rule string) (remap, error) {
	from, to, ok := strings.Cut(rule, ":=")
	if !ok || from == "" || to == "" {
		return remap{}, fmt.Errorf("remap rule %q: it must be from:=to", rule)
	}
	from = strings.TrimPrefix(strings.TrimPrefix(from, "rostopic://"), "rosservice://")
	r := remap{from: from, to: to}
	if node, name, ok := strings.Cut(from, ":"); ok {
		r.node, r.from = node, name
	}
	return r, nil
}

// resolve expands a name and applies the first rule that fits.
func resolve(name string, node NodeName, rules []remap) (string, error) {
	full, err := expandName(name, node)
	if err != nil {
		return "", err
	}
	for _, r := range rules {
		if r.node != "" && r.node != node.Name || strings.HasPrefix(r.from, "__") {
			continue
		}
		from, err := expandName(r.from, node)
		if err != nil {
			return "", fmt.Errorf("remap rule %s:=%s: %w", r.from, r.to, err)
		}
		if from == full {
			return expandName(r.to, node)
		}
	}
	return full, nil
}
