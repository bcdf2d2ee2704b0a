package main

import "strings"

// goName is the message's Go type. Go has one package for all, so names that two ROS packages share
// are distinguished here.
func goName(d *definition) string {
	name := camel(d.Name)
	if d.Package == "lifecycle_msgs" && (name == "Transition" || name == "State") {
		return "Lifecycle" + name
	}
	return name
}

// camel turns frame_id into FrameID and SendGoal_Request into SendGoalRequest.
func camel(s string) string {
	var b strings.Builder
	for _, word := range strings.Split(s, "_") {
		if word == "" {
			continue
		}
		switch word {
		case "id", "uuid":
			word = strings.ToUpper(word)
		}
		b.WriteString(strings.ToUpper(word[:1]) + word[1:])
	}
	return b.String()
}

// constName puts the type before the constant, once: GoalStatus and STATUS_ABORTED make
// GoalStatusAborted.
func constName(typeName, constant string) string {
	first, rest, more := strings.Cut(strings.ToLower(constant), "_")
	if more && strings.HasSuffix(typeName, camel(first)) {
		return typeName + camel(rest)
	}
	return typeName + camel(strings.ToLower(constant))
}
