package main

import (
	"strings"
	"testing"

	"stripswm/nodes/sim"
)

// TestCommandLineNamesResets: the report says what makes the same run again.
func TestCommandLineNamesResets(t *testing.T) {
	w, err := sim.New("blocksworld")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		recorded recordFlags
		says     string
		unmarked bool
	}{
		{recordFlags{}, " --resets 0 ", false},
		{recordFlags{faults: sim.Faults{Resets: 0.05}}, " --resets 0.05 ", false},
		{recordFlags{faults: sim.Faults{Resets: 0.05, Failures: 0.1}, unmarked: true},
			" --resets 0.05 --failures 0.1 ", true},
	} {
		line := demo{world: w, recorded: c.recorded}.commandLine()
		if !strings.Contains(line, c.says) || strings.Contains(line, " --unmarked") != c.unmarked {
			t.Errorf("%+v: %s", c.recorded, line)
		}
	}
}
