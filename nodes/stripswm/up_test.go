package main

import (
	"bytes"
	"cmp"
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// script is a child that is a shell script.
func script(t *testing.T, name, text string) child {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	must(0, os.WriteFile(path, []byte("#!/bin/sh\n"+text+"\n"), 0o777))
	return child{name: name, path: path, params: []string{"a:=1"}}
}

// polite ends at once when interrupted, stubborn never does; brief ends by itself once a
// polite one listens.
const (
	polite   = `trap 'echo bye; exit 0' INT; : > "${0%/*}/../listens"; echo ready; while :; do sleep 0.05; done`
	brief    = `while [ ! -e "${0%/*}/../listens" ]; do sleep 0.05; done; echo ready`
	stubborn = `trap '' INT TERM; echo ready; while :; do sleep 0.05; done`
)

func TestProcessGroupStopsTogether(t *testing.T) {
	for name, c := range map[string]struct {
		scripts []string
		stop    bool   // ^C when ready
		says    string // the error; empty for none
		logs    string
	}{
		"interrupted":     {[]string{polite, polite}, true, "", "node0 | bye"},
		"one is stubborn": {[]string{polite, stubborn}, true, "killed", "node0 | bye"},
		"one dies": {[]string{polite, "echo ready; echo hot >&2; exit 3"}, false,
			"node1 ended by itself: exit status 3", "node1 | hot"},
		"one ends":  {[]string{polite, brief}, false, "node1 ended by itself", "node0 | bye"},
		"arguments": {[]string{"echo $@; " + polite}, true, "", "node0 | --ros-args -p a:=1"},
		"kept here": {[]string{"echo range $ROS_AUTOMATIC_DISCOVERY_RANGE; " + polite}, true, "",
			"range LOCALHOST"},
	} {
		t.Run(name, func(t *testing.T) {
			for _, v := range discoveryVariables {
				t.Setenv(v, "")
			}
			ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
			defer cancel()
			var log bytes.Buffer
			f := processGroup{log: &log, ready: func() {
				if c.stop {
					cancel()
				}
			}}
			for i, text := range c.scripts {
				f.children = append(f.children, script(t, "node"+string(rune('0'+i)), text))
			}
			err := f.run(ctx)
			if (err == nil) != (c.says == "") || err != nil && !strings.Contains(err.Error(), c.says) {
				t.Errorf("error %v, want %q", err, c.says)
			}
			if !strings.Contains(log.String(), c.logs) {
				t.Errorf("log %q lacks %q", log.String(), c.logs)
			}
		})
	}
}

func TestMissingProgram(t *testing.T) {
	err := processGroup{children: []child{{name: "no-such-node"}}}.run(context.Background())
	if err == nil || !strings.Contains(err.Error(), "go build") {
		t.Errorf("error %v does not say what to do", err)
	}
}

func TestUpSimArguments(t *testing.T) {
	const learned = "../../test/launch/testdata/bundle"
	for name, c := range map[string]struct {
		rig  simRig
		want string // of the last child's parameters
		says string
	}{
		"plan":   {simRig{bundle: learned}, "device:=", ""},
		"record": {simRig{record: "bag"}, "directory:=bag", ""},
		"with a fault": {simRig{record: "bag", params: []string{"recorder:settle:=0.5"}},
			"settle:=0.5", ""},
		"nothing":         {simRig{}, "", "--bundle"},
		"no bundle there": {simRig{bundle: "/nowhere"}, "", "bundle"},
		"unknown world":   {simRig{record: "bag", world: worldFlags{name: "moon"}}, "", "moon"},
		"coarse skills": {simRig{record: "bag", world: worldFlags{skills: "state-dependent"}},
			"directory:=bag", ""},
		"unknown skills": {simRig{record: "bag", world: worldFlags{skills: "rough"}}, "", "rough"},
		"all states":     {simRig{record: "bag", world: worldFlags{states: "all"}}, "directory:=bag", ""},
		"unknown node":   {simRig{record: "bag", params: []string{"planner:a:=1"}}, "", "--param"},
	} {
		t.Run(name, func(t *testing.T) {
			children, err := c.rig.children()
			if c.says != "" {
				if err == nil || !strings.Contains(err.Error(), c.says) {
					t.Errorf("error %v does not say %q", err, c.says)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if states := "states:=" + cmp.Or(c.rig.world.states, "explored"); !slices.Contains(
				children[0].params, states) {
				t.Errorf("simrig has %q, want %s", children[0].params, states)
			}
			last := children[len(children)-1]
			if all := strings.Join(last.params, " "); children[0].name != "simrig" ||
				(c.rig.world.skills == "state-dependent") != strings.Contains(children[0].params[0],
					"blocksworldcoarse") || !strings.Contains(all, c.want) {
				t.Errorf("%s has %q", last.name, all)
			}
		})
	}
}
