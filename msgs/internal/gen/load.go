package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// loadPackage reads dir/{msg,srv,action}, in a fixed order.
func loadPackage(pkg, dir string) ([]*definition, error) {
	var defs []*definition
	for _, kind := range []string{"msg", "srv", "action"} {
		paths, err := filepath.Glob(filepath.Join(dir, kind, "*."+kind))
		if err != nil {
			return nil, err
		}
		slices.Sort(paths)
		for _, path := range paths {
			text, err := os.ReadFile(path)
			if err != nil {
				return nil, err
			}
			name := strings.TrimSuffix(filepath.Base(path), "."+kind)
			more, err := parseFile(pkg, kind, name, string(text))
			if err != nil {
				return nil, fmt.Errorf("%s: %w", path, err)
			}
			defs = append(defs, more...)
		}
	}
	return defs, nil
}

// parseFile splits services and actions into the messages that travel.
func parseFile(pkg, kind, name, text string) ([]*definition, error) {
	parts := splitParts(text)
	type part struct{ suffix, text string }
	var all []part
	switch kind {
	case "msg":
		all = []part{{"", text}}
	case "srv":
		if len(parts) != 2 {
			return nil, fmt.Errorf("a service has 2 parts, not %d", len(parts))
		}
		all = []part{{"_Request", parts[0]}, {"_Response", parts[1]}}
	case "action":
		if len(parts) != 3 {
			return nil, fmt.Errorf("an action has 3 parts, not %d", len(parts))
		}
		// The last five are what rosidl derives for the services and the topic behind an action.
		own := pkg + "/" + name
		id := "unique_identifier_msgs/UUID goal_id\n"
		all = []part{
			{"_Goal", parts[0]}, {"_Result", parts[1]}, {"_Feedback", parts[2]},
			{"_SendGoal_Request", id + own + "_Goal goal\n"},
			{"_SendGoal_Response", "bool accepted\nbuiltin_interfaces/Time stamp\n"},
			{"_GetResult_Request", id},
			{"_GetResult_Response", "int8 status\n" + own + "_Result result\n"},
			{"_FeedbackMessage", id + own + "_Feedback feedback\n"},
		}
	}
	var defs []*definition
	for _, p := range all {
		d, err := parse(pkg, kind, name+p.suffix, p.text)
		if err != nil {
			return nil, err
		}
		defs = append(defs, d)
	}
	return defs, nil
}

func splitParts(text string) []string {
	parts := []string{""}
	for line := range strings.Lines(text) {
		if strings.TrimSpace(line) == "---" {
			parts = append(parts, "")
			continue
		}
		parts[len(parts)-1] += line
	}
	return parts
}
