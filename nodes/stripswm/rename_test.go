package main

import (
	"bytes"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"stripswm/models/bundle"
	"stripswm/models/strips"
)

// lampBundle is a bundle of lamps that ids switch on and off.
func lampBundle(t *testing.T, dir string) {
	m := &strips.Model{Predicates: 5}
	for lamp := range strips.Predicate(5) {
		on, id := []strips.Predicate{lamp}, strips.ActionID(2*lamp+1)
		m.Names = append(m.Names, fmt.Sprint("lit_l", lamp))
		m.Operators = append(m.Operators,
			strips.Operator{Action: id, Name: fmt.Sprint("on_l", lamp), PreNeg: on, Add: on},
			strips.Operator{Action: id + 1, Name: fmt.Sprint("off_l", lamp), PrePos: on, Del: on})
	}
	var text bytes.Buffer
	must(0, m.WriteJSON(&text))
	w := must(bundle.Create(dir, bundle.Manifest{Domain: "lamps"}))
	must(0, w.Add(bundle.Part{Role: bundle.Model, File: "model.json"}, text.Bytes()))
	must(w.Commit())
}

// A name that is given once is the name in the bundle, and what is exported from it.
func TestRename(t *testing.T) {
	dir := t.TempDir()
	at, names := filepath.Join(dir, "bundle"), filepath.Join(dir, "names.yaml")
	lampBundle(t, at)
	line := "rename --bundle " + at + " --names " + names
	write(t, names, "l3: desk\non: light\n")
	var renamed renameOutput
	said(t, line, &renamed)
	if text := fmt.Sprint(renamed.Skills); len(renamed.Skills) != 6 ||
		!strings.Contains(text, "{on_l3 light_desk} {off_l3 off_desk}") ||
		fmt.Sprint(renamed.Predicates) != "[{lit_l3 lit_desk}]" {
		t.Errorf("%+v", renamed)
	}
	m := must(must(bundle.Open(at)).Operators())
	if m.Label(7) != "light_desk" || m.Label(8) != "off_desk" || m.Label(2) != "off_l0" ||
		m.PredicateLabel(3) != "lit_desk" {
		t.Errorf("%v, %v", m.Operators, m.Names)
	}
	stdout := succeeds(t, "export --lifted --bundle "+at+" --out "+filepath.Join(dir, "pddl"))
	if !strings.Contains(stdout, "7   light_desk  light desk\n") {
		t.Error(stdout)
	}
	ends(t, map[string]end{
		"rename --bundle " + at: {exitUsage, "names"},
		"rename --bundle " + blocksworldBundle + " --names " + names: {exitUsage, "has a task graph"},
		line: {exitFailure, "nothing has the name"},
	})
}
