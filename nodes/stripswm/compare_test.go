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
