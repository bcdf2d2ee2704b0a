package main

import (
	"slices"
	"strings"
	"testing"

	"stripswm/models/vision"
	"stripswm/nodes/sim"
)

// TestCompletion asks what the shell asks, for every flag that takes a world or a preset.
func TestCompletion(t *testing.T) {
	var presets []string
	for _, p := range vision.Presets() {
		presets = append(presets, p.Name)
	}
	for line, want := range map[string][]string{
		"record --world": sim.Names(), "demo --world": sim.Names(), "gazebo --world": sim.Names(),
		"up sim --world":              sim.Names(),
		"research sweep init --world": sim.Names(), "eval --world": sim.Names(),
		"learn --preset": presets, "demo --preset": presets, "research sweep init --preset": presets,
	} {
		code, stdout, stderr := verb(t, t.Context(), append([]string{"__complete"},
			append(strings.Fields(line), "")...)...)
		offered := strings.Fields(stdout)
		if len(offered) == 0 || code != exitOK {
			t.Errorf("%s: exit %d, %s", line, code, stderr)
			continue
		}
		if offered = offered[:len(offered)-1]; !slices.Equal(offered, want) { // the last is a directive
			t.Errorf("%s offers %q, want %q", line, offered, want)
		}
	}
}
