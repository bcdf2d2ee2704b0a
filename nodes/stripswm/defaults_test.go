package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"gopkg.in/yaml.v3"
)

// TestOneDefault compares flags with the parameter files of the nodes that have the same setting. A
// test in test/launch compares these files with the nodes.
func TestOneDefault(t *testing.T) {
	for _, c := range []struct {
		verb, node string
		flags      map[string]string // by parameter
	}{
		{"learn", "learner", map[string]string{"preset": "preset", "method": "method", "stage": "stage",
			"seed": "seed", "budget": "budget", "resume": "resume"}},
		{"explore", "explorer", map[string]string{"budget": "attempts",
			"target_coverage": "target-coverage"}},
		{"import bag", "recorder", map[string]string{"settle": "settle", "motion_threshold": "motion",
			"max_age": "max-age"}},
		{"up sim", "simrig", map[string]string{"seed": "seed", "width": "size",
			"skill_duration": "skill-time"}},
	} {
		data := must(os.ReadFile(filepath.Join("../../launch/config", c.node+".yaml")))
		var file map[string]map[string]map[string]any
		must(0, yaml.Unmarshal(data, &file))
		verb, _, err := rootCommand().Find(strings.Fields(c.verb))
		if err != nil {
			t.Fatal(err)
		}
		for parameter, name := range c.flags {
			flag, value := verb.Flags().Lookup(name), file[c.node]["ros__parameters"][parameter]
			if flag == nil || value == nil {
				t.Errorf("%s --%s and %s of %s.yaml: %v, %v", c.verb, name, parameter, c.node, flag, value)
			} else if normal(flag.DefValue) != normal(fmt.Sprint(value)) {
				t.Errorf("%s --%s is %s, %s of %s.yaml is %v", c.verb, name, flag.DefValue, parameter,
					c.node, value)
			}
		}
	}
}

// normal is a number, of seconds where it is a time, in one notation.
func normal(value string) string {
	if d, err := time.ParseDuration(value); err == nil {
		return fmt.Sprint(d.Seconds())
	}
	if f, err := strconv.ParseFloat(value, 64); err == nil {
		return fmt.Sprint(f)
	}
	return value
}
