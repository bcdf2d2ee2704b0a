package main

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"stripswm/models/operators"
)

const blocksworldGraph = "../../models/operators/testdata/blocksworld.dfa"

// operatorsVerb runs `stripswm operators ARGS` and returns its exit code and
// standard output.
func operatorsVerb(t *testing.T, args ...string) (int, string) {
	t.Helper()
	root := rootCommand()
	var out, errs bytes.Buffer
	root.SetOut(&out)
	root.SetErr(&errs)
	root.SetArgs(append([]string{"operators"}, args...))
	ctx := context.Background()
	code := exitCode(ctx, &errs, root.ExecuteContext(ctx))
	t.Logf("%v: exit %d\n%s", args, code, errs.String())
	return code, out.String()
}

func TestOperatorsLearnThenCheck(t *testing.T) {
	dir := t.TempDir()
	code, text := operatorsVerb(t, "learn", "--graph", blocksworldGraph, "--out", dir, "--json")
	var report operators.Report
	if err := json.Unmarshal([]byte(text), &report); code != exitOK || err != nil {
		t.Fatalf("exit %d, %v: %s", code, err, text)
	}
	if report.Predicates != 6 || report.Eta != 0 || !report.Proved.Predicates {
		t.Errorf("%+v", report)
	}
	model := filepath.Join(dir, "model.json")
	if code, text := operatorsVerb(t, "check", "--graph", blocksworldGraph, "--model", model); code != exitOK || strings.Contains(text, "fault") {
		t.Errorf("exit %d: %s", code, text)
	}
	data, err := os.ReadFile(model)
	if err != nil {
		t.Fatal(err)
	}
	spoiled := bytes.Replace(data, []byte(`"add":[],"del":[3,4]`), []byte(`"add":[],"del":[3]`), 1)
	if bytes.Equal(data, spoiled) {
		t.Fatal("nothing was spoiled")
	}
	if err := os.WriteFile(model, spoiled, 0o666); err != nil {
		t.Fatal(err)
	}
	if code, text := operatorsVerb(t, "check", "--graph", blocksworldGraph, "--model", model); code != exitFailure || !strings.Contains(text, "C2") {
		t.Errorf("exit %d for a spoiled model: %s", code, text)
	}
}

func TestOperatorsVerbs(t *testing.T) {
	dir := t.TempDir()
	if code, _ := operatorsVerb(t, "learn", "--graph", blocksworldGraph, "--out", dir); code != exitOK {
		t.Fatal("learn failed")
	}
	model := filepath.Join(dir, "model.json")
	for _, c := range []struct {
		args []string
		code int
		want string
	}{
		{[]string{"explain", "--graph", blocksworldGraph, "--model", model, "--state", "0", "--action", "place_0_1"}, exitOK, "ruled out"},
		{[]string{"explain", "--graph", blocksworldGraph, "--model", model, "--state", "0", "--action", "3"}, exitOK, "seen to lead to node 1"},
		{[]string{"frontier", "--graph", blocksworldGraph, "--model", model}, exitOK, ""},
		{[]string{"suspects", "--graph", blocksworldGraph}, exitOK, ""},
		{[]string{"learn", "--graph", blocksworldGraph, "--sweep", "5:6", "--budget", "1s"}, exitOK, "  6    0    0      36"},
		{[]string{"learn", "--graph", blocksworldGraph, "--no-negatives", "--out", dir}, exitOK, "2  of 16 nodes"},
		{[]string{"program", "--graph", blocksworldGraph, "--predicates", "2", "--opb", filepath.Join(dir, "p.opb"), "--wcnf", filepath.Join(dir, "p.wcnf")}, exitOK, ""},
		{[]string{"explain", "--graph", blocksworldGraph, "--model", model, "--state", "0", "--action", "jump"}, exitUsage, ""},
		{[]string{"explain", "--graph", blocksworldGraph, "--model", model, "--state", "99", "--action", "3"}, exitUsage, ""},
		{[]string{"learn", "--graph", blocksworldGraph}, exitUsage, ""},
		{[]string{"learn", "--graph", blocksworldGraph, "--out", dir, "--trust", "some"}, exitUsage, ""},
		{[]string{"learn", "--graph", blocksworldGraph, "--out", dir, "--distinct", "1"}, exitUsage, ""},
		{[]string{"learn", "--graph", filepath.Join(dir, "none.dfa"), "--out", dir}, exitInput, ""},
		{[]string{"check", "--graph", blocksworldGraph, "--model", blocksworldGraph}, exitInput, ""},
	} {
		if code, text := operatorsVerb(t, c.args...); code != c.code || !strings.Contains(text, c.want) {
			t.Errorf("%v: exit %d, want %d with %q:\n%s", c.args, code, c.code, c.want, text)
		}
	}
}
