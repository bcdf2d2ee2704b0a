package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"stripswm/models/strips"
)

// Lamps that ids switch on and off are objects of one sort.
func TestExportLifted(t *testing.T) {
	dir := t.TempDir()
	file, out := filepath.Join(dir, "model.json"), filepath.Join(dir, "pddl")
	m := &strips.Model{Predicates: 5}
	for lamp := range strips.Predicate(5) {
		on := []strips.Predicate{lamp}
		id := strips.ActionID(2*lamp + 1)
		m.Operators = append(m.Operators,
			strips.Operator{Action: id, Name: fmt.Sprint("on_l", lamp), PreNeg: on, Add: on},
			strips.Operator{Action: id + 1, Name: fmt.Sprint("off_l", lamp), PrePos: on, Del: on})
	}
	m.States = []strips.Known{{Node: 0, Code: strips.NewState(5)},
		{Node: 1, Code: strips.NewState(5, 3)}}
	save := func() {
		var text bytes.Buffer
		must(0, m.WriteJSON(&text))
		write(t, file, text.String())
	}
	save()
	args := []string{"export", "--model", file, "--out", out, "--lifted", "--from", "0", "--to", "1"}
	code, stdout, stderr := verb(t, t.Context(), args...)
	if code != exitOK || !strings.Contains(stdout, "on(sort1): 5 operators") ||
		!strings.Contains(stdout, "8   off_l3  off l3\n") {
		t.Errorf("exit %d, %s%s", code, stdout, stderr)
	}
	for name, want := range map[string]string{
		"domain.pddl":  "(:action on\n    :parameters (?x1 - sort1)\n",
		"problem.pddl": "(:goal (and (not (fact l0)) (not (fact l1)) (not (fact l2)) (fact l3)",
		"actions.json": `"off l3": 8`,
	} {
		if data, err := os.ReadFile(filepath.Join(out, name)); err != nil ||
			!strings.Contains(string(data), want) {
			t.Errorf("%s: %v %s", name, err, data)
		}
	}
	code, stdout, stderr = verb(t, t.Context(), append(args, "--json")...)
	var said exportOutput
	if err := json.Unmarshal([]byte(stdout), &said); err != nil || code != exitOK ||
		said.Lifted == nil || len(said.Lifted.Actions) != 10 || len(said.Lifted.Atoms) != 5 {
		t.Errorf("exit %d, %v, %s%s", code, err, stdout, stderr)
	}
	names := filepath.Join(dir, "names.yaml")
	write(t, names, "l3: desk\nsort1: lamp\non: light\nfact: lit\n")
	code, stdout, stderr = verb(t, t.Context(), append(args, "--names", names)...)
	domain, err := os.ReadFile(filepath.Join(out, "domain.pddl"))
	if code != exitOK || !strings.Contains(stdout, "7   on_l3   light desk\n") || err != nil ||
		!strings.Contains(string(domain), "desk l0 l1 l2 l4 - lamp)") ||
		!strings.Contains(string(domain), "(:action light\n    :parameters (?x1 - lamp)\n"+
			"    :precondition (and (not (lit ?x1)))") {
		t.Errorf("exit %d, %v, %s%s%s", code, err, stdout, stderr, domain)
	}
	for text, want := range map[string]string{"l3: l4": "would both be l4", "door: gate": "nothing",
		"l3: My desk": "no name", "- l3": "want lines"} {
		write(t, names, text)
		ends(t, map[string]end{strings.Join(append(args, "--names", names), " "): {exitFailure, want}})
	}
	ends(t, map[string]end{strings.Join(append(args[:5:5], "--names", names), " "): {exitUsage,
		"is for --lifted"}})
	m.Exceptions = []strips.Exception{{Node: 0, Action: 1}}
	save()
	ends(t, map[string]end{
		strings.Join(args, " "):                       {exitFailure, "in 1 single state"},
		strings.Join(args, " ") + " --dialect strips": {exitUsage, ""},
	})
}
