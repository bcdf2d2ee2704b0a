package main

import (
	"fmt"
	"image"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// pictureFolder has two pictures and a table of these rows.
func pictureFolder(t *testing.T, rows ...string) string {
	t.Helper()
	dir := t.TempDir()
	for i := range 2 {
		f, err := os.Create(filepath.Join(dir, fmt.Sprintf("%d.png", i)))
		if err != nil {
			t.Fatal(err)
		}
		if err := png.Encode(f, image.NewGray(image.Rect(0, 0, 40, 30+i))); err != nil {
			t.Fatal(err)
		}
		if err := f.Close(); err != nil {
			t.Fatal(err)
		}
	}
	table := "before,action,after,outcome\n" + strings.Join(rows, "\n")
	if err := os.WriteFile(filepath.Join(dir, "transitions.csv"), []byte(table), 0o666); err != nil {
		t.Fatal(err)
	}
	return dir
}

func TestImportVerb(t *testing.T) {
	dir, out := pictureFolder(t, "0.png,on,1.png,succeeded", "1.png,off,0.png,succeeded", "0.png,off,0.png,refused"), filepath.Join(t.TempDir(), "bag")
	code, stdout, stderr := verb(t, t.Context(), "import", dir, "--out", out, "-q")
	if code != exitOK || !strings.Contains(stdout, out+": intact") || !strings.Contains(stdout, "3 transitions: 2 succeeded, 1 refused") {
		t.Errorf("exit %d, %s%s", code, stdout, stderr)
	}
	for _, path := range []string{dir, out} {
		if code, stdout, _ := verb(t, t.Context(), "check", path, "-q"); code != exitOK || !strings.Contains(stdout, "tries by action: 1:2 2:1") {
			t.Errorf("check %s: exit %d, %s", path, code, stdout)
		}
	}
	if code, _, stderr := verb(t, t.Context(), "import", dir, "--out", out, "-q"); code != exitFailure || !strings.Contains(stderr, "is there already") {
		t.Errorf("again: exit %d, %s", code, stderr)
	}
}

func TestUnusableFolder(t *testing.T) {
	for row, says := range map[string]string{
		"0.png,on,2.png,succeeded":            "transitions.csv:2: missing image",
		"0.png,on,1.png,fine":                 "transitions.csv:2: bad transition: unknown outcome",
		"0.png,on,1.png,failed\n0,1,1,failed": "transitions.csv:3: bad transition: action",
	} {
		dir, out := pictureFolder(t, row), filepath.Join(t.TempDir(), "out")
		for _, line := range [][]string{{"import", dir, "--out", out}, {"learn", "--bag", dir, "--out", out}, {"check", dir}} {
			if code, _, stderr := verb(t, t.Context(), append(line, "-q")...); code != exitInput || !strings.Contains(stderr, says) {
				t.Errorf("%s: exit %d, %s", line, code, stderr)
			}
		}
	}
}
