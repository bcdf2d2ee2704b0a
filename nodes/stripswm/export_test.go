package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"stripswm/models/strips"
)

func TestExportTakesAModel(t *testing.T) {
	dir := t.TempDir()
	model, out := filepath.Join(dir, "model.json"), filepath.Join(dir, "pddl")
	write(t, model, oneWay)
	files := map[string]string{"domain.pddl": "(:action on\n", "problem.pddl": "(:goal (and (p0)))",
		"actions.json": `"on": 1`}
	to := "export --out " + out
	for _, from := range []string{dir, model} {
		for _, dialect := range []string{"negative", "strips"} {
			var export exportOutput
			said(t, to+" --model "+from+" --from 0 --to 1 --dialect "+dialect, &export)
			if len(export.Files) != 3 || export.Dialect != dialect || export.Actions != 1 ||
				export.Operators != 1 || export.Predicates != 1 {
				t.Errorf("%+v", export)
			}
			for _, path := range export.Files {
				name, data := filepath.Base(path), string(must(os.ReadFile(path)))
				if negative := name == "domain.pddl" && dialect == "negative"; !strings.Contains(data,
					files[name]) || strings.Contains(data, ":negative-preconditions") != negative {
					t.Errorf("%s, %s: %s", dialect, name, data)
				}
			}
		}
	}
	var export exportOutput
	if said(t, to+" --model "+model, &export); len(export.Files) != 2 {
		t.Errorf("without start and goal: %v", export.Files)
	}
	ends(t, map[string]end{
		to:                                        {exitUsage, ""},
		"export --model " + model:                 {exitUsage, ""},
		to + " --model " + model + " --bundle b":  {exitUsage, ""},
		to + " --model " + model + " --from 0":    {exitUsage, ""},
		to + " --model " + model + " --from -5":   {exitUsage, ""},
		to + " --model " + dir + "/none":          {exitInput, ""},
		to + " --model " + blocksworldGraph:       {exitInput, ""},
		to + " --bundle " + dir:                   {exitInput, ""},
		to + " --model " + model + " --dialect x": {exitUsage, ""},
	})
}

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
	line := "export --model " + file + " --out " + out + " --lifted --from 0 --to 1"
	if stdout := succeeds(t, line); !strings.Contains(stdout, "on(sort1): 5 operators") ||
		!strings.Contains(stdout, "8   off_l3  off l3\n") {
		t.Error(stdout)
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
	var export exportOutput
	if said(t, line, &export); export.Lifted == nil || len(export.Lifted.Actions) != 10 ||
		len(export.Lifted.Atoms) != 5 {
		t.Errorf("%+v", export)
	}
	names := filepath.Join(dir, "names.yaml")
	write(t, names, "l3: desk\nsort1: lamp\non: light\nfact: lit\n")
	stdout := succeeds(t, line+" --names "+names)
	domain := string(must(os.ReadFile(filepath.Join(out, "domain.pddl"))))
	if !strings.Contains(stdout, "7   on_l3   light desk\n") ||
		!strings.Contains(domain, "desk l0 l1 l2 l4 - lamp)") ||
		!strings.Contains(domain, "(:action light\n    :parameters (?x1 - lamp)\n"+
			"    :precondition (and (not (lit ?x1)))") {
		t.Errorf("%s%s", stdout, domain)
	}
	for text, want := range map[string]string{"l3: l4": "would both be l4", "door: gate": "nothing",
		"l3: My desk": "no name", "- l3": "want lines"} {
		write(t, names, text)
		ends(t, map[string]end{line + " --names " + names: {exitFailure, want}})
	}
	ends(t, map[string]end{
		"export --model " + file + " --out " + out + " --names " + names: {exitUsage, "is for --lifted"}})
	m.Exceptions = []strips.Exception{{Node: 0, Action: 1}}
	save()
	ends(t, map[string]end{
		line:                       {exitFailure, "in 1 single state"},
		line + " --dialect strips": {exitUsage, ""},
	})
}
