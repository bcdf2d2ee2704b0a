package models_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestNounsExist looks up every name on the page of nouns.
func TestNounsExist(t *testing.T) {
	page, err := os.ReadFile("doc.go")
	if err != nil {
		t.Fatal(err)
	}
	folders, err := exec.Command("go", "list", "-f", "{{.Dir}}", "stripswm/...").Output()
	if err != nil {
		t.Fatal(err)
	}
	known := map[string]bool{}
	for dir := range strings.FieldsSeq(string(folders)) {
		files, err := filepath.Glob(filepath.Join(dir, "*.go"))
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
			if err != nil {
				t.Fatal(err)
			}
			for _, name := range declared(parsed) {
				known[parsed.Name.Name+"."+name] = true
			}
		}
	}
	nouns := regexp.MustCompile(`\b[a-z]\w*\.[A-Z]\w*`).FindAllString(string(page), -1)
	if len(nouns) < 30 {
		t.Errorf("only %d nouns on the page", len(nouns))
	}
	for _, noun := range nouns {
		if !known[noun] {
			t.Errorf("doc.go speaks of %s, which is not there", noun)
		}
	}
}

// declared lists a file's types and functions.
func declared(f *ast.File) []string {
	var names []string
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Recv == nil {
				names = append(names, d.Name.Name)
			}
		case *ast.GenDecl:
			for _, s := range d.Specs {
				if s, ok := s.(*ast.TypeSpec); ok {
					names = append(names, s.Name.Name)
				}
			}
		}
	}
	return names
}
