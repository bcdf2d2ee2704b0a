package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestCompareDrawsTheKeptResults(t *testing.T) {
	out := t.TempDir()
	fresh := filepath.Join("..", "..", "test", "results", "fresh")
	code, stdout, stderr := verb(t, t.Context(), "research", "compare", fresh, "--world",
		"dinnertable,keydoorcoarse", "--out", out)
	if code != exitOK || !strings.Contains(stdout, "keydoorcoarse") {
		t.Fatalf("exit code %d: %s%s", code, stdout, stderr)
	}
	for _, name := range []string{"success-by-horizon.svg", "success-by-horizon.png"} {
		if _, err := os.Stat(filepath.Join(out, name)); err != nil {
			t.Error(err)
		}
	}
	samples := filepath.Join("..", "..", "test", "results", "samples")
	args := []string{"research", "compare", fresh, filepath.Join(samples, "50"),
		filepath.Join(samples, "12"), "--over", "transitions", "--world", "blocksworld", "--out", out}
	if code, stdout, stderr = verb(t, t.Context(), args...); code != exitOK {
		t.Fatalf("exit code %d: %s", code, stderr)
	}
	for _, row := range []string{"LSR 600 ", "LSR 2500 ", "LSR 5000 "} { // 12, 50 and 100 %
		if !strings.Contains(strings.Join(strings.Fields(stdout), " "), row) {
			t.Errorf("no row of %q: %s", row, stdout)
		}
	}
	for name, c := range map[string]struct {
		args []string
		code int
	}{
		"no folder":    {[]string{"--out", out}, exitUsage},
		"no --out":     {[]string{fresh}, exitUsage},
		"no such axis": {[]string{fresh, "--out", out, "--over", "time"}, exitUsage},
		"no world":     {[]string{fresh, "--out", out, "--world", "mars"}, exitUsage},
		"nothing kept": {[]string{t.TempDir(), "--out", out}, exitInput},
	} {
		if code, _, stderr := verb(t, t.Context(), append([]string{"research", "compare"},
			c.args...)...); code != c.code {
			t.Errorf("%s: exit code %d, want %d: %s", name, code, c.code, stderr)
		}
	}
}

func TestComparePrintsPlansBetweenStatesNeverRecorded(t *testing.T) {
	dir := t.TempDir()
	kept := `{"horizons":[{"horizon":1,"queries":8,"pairs":8,"executed":4,"reached":3,` +
		`"mistaken":1}],"unrecorded":5,"faulty":{"good":[{"images":4,"right":3}],` +
		`"faults":[{"kind":"object removed","images":2,"wrong":1}]}}`
	for name, data := range map[string]string{"table-3000-11": kept,
		"table-3000-12": `{"horizons":[{"horizon":1,"queries":8}],"faulty":{"good":[],"faults":[]}}`} {
		if err := os.WriteFile(filepath.Join(dir, name+"-eval.json"), []byte(data), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	code, stdout, stderr := verb(t, t.Context(), "research", "compare", dir, "--out", t.TempDir())
	want := "table-3000-11 5 0.0 % 0.0 % 75.0 % 25.0 % 0.0 % 25.0 % - 50.0 %"
	if got := strings.Join(strings.Fields(stdout), " "); code != exitOK ||
		!strings.HasSuffix(got, "object removed "+want) {
		t.Errorf("exit code %d, want the row %s: %s%s", code, want, stdout, stderr)
	}
}
