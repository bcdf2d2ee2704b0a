package docs

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode"
)

// place is where a word must not stand.
type place int

const (
	prose      place = 1 << iota // in Markdown
	help                         // in docs/command-line.md, which has the --help texts
	names                        // in exported identifiers, where words are separated by capitals
	everywhere = prose | help | names
)

// words are those of docs/glossary.md that a test can find: what must not stand where, and what to
// say. A word that is right in some sentences is banned from identifiers and --help alone.
var words = []struct {
	not   string // regular expression, of lower-case words
	in    place
	say   string
	found *regexp.Regexp
}{
	{not: `pictur(e|es|ed)`, in: everywhere, say: "image"},
	{not: `eyes|sight`, in: everywhere, say: "recognizer"},
	{not: `lessons?`, in: everywhere, say: "training round"},
	{not: `stud(y|ies)`, in: names | help, say: "training round"},
	{not: `adopt(s|ed|ing)?`, in: everywhere, say: "accept"},
	{not: `renew(s|ed|al)?`, in: everywhere, say: "refit"},
	{not: `lends?|lent|borrow(s|ed)?`, in: everywhere, say: "reuse"},
	{not: `moments?`, in: everywhere, say: "static interval"},
	{not: `passages?`, in: everywhere, say: "transition"},
	{not: `ways?`, in: names | help, say: "path or transition"},
	{not: `walk(s|ed|ing)?`, in: names | help, say: "policy"},
	{not: `coarse`, in: names | help, say: "state-dependent"},
	{not: `fold(s|ed|ing)?|unit(e|es|ed)`, in: names | help, say: "merge"},
	{not: `divide[sd]?`, in: names, say: "split"},
	{not: `look-?alikes?`, in: everywhere, say: "aliased states"},
	{not: `alike`, in: names, say: "aliased"},
	{not: `(told|tells?|telling|kept|keeps?) apart`, in: everywhere, say: "distinct, distinguish"},
	{not: `atoms?`, in: names, say: "separation constraint"},
	{not: `because`, in: names, say: "core or explanation"},
	{not: `pays?`, in: everywhere, say: "slack budget"},
	{not: `chances?`, in: names | help, say: "nondeterministic outcome"},
	{not: `gate[sd]?`, in: everywhere, say: "recognition check"},
	{not: `unlike|unsure`, in: names, say: "out of distribution or low confidence"},
	{not: `taken for`, in: everywhere, say: "classified as"},
	{not: `strangers?`, in: everywhere, say: "unrelated image"},
	{not: `foreign|altered`, in: names | help, say: "unrelated or corrupted"},
	{not: `doubt(s|ed|ful)?`, in: everywhere, say: "diagnostic"},
	{not: `judge[sd]?|judging`, in: everywhere, say: "recognize, evaluate"},
	{not: `strays?`, in: everywhere, say: "outlier"},
	{not: `orphans?`, in: everywhere, say: "unmatched end"},
	{not: `leaps?`, in: everywhere, say: "clock jump"},
	{not: `sheets?`, in: help, say: "drawing"},
	{not: `spoil(s|ed)?`, in: everywhere, say: "corrupt"},
	{not: `twins?`, in: everywhere, say: "complement"},
	{not: `squeezes?`, in: everywhere, say: "stretch"},
	{not: `pursuits?`, in: everywhere, say: "goal job"},
	{not: `courses?`, in: names, say: "fallback"},
	{not: `hopeless|by heart`, in: everywhere, say: "stalled, overfit"},
	{not: `blind`, in: names | help, say: "collapsed or uninformed"},
	{not: `telling`, in: names, say: "discrimination"},
	{not: `providers?`, in: names | help, say: "device"},
	{not: `forbid(s|den)?`, in: everywhere, say: "excluded actions"},
	{not: `hold-?out`, in: everywhere, say: "validation fraction"},
	{not: `anew`, in: everywhere, say: "again"},
	{not: `in earnest`, in: everywhere, say: "nothing"},
}

func init() {
	for i := range words {
		words[i].found = regexp.MustCompile(`\b(` + words[i].not + `)\b`)
	}
}

// wrongWords are the words of a text that must not stand in that place.
func wrongWords(text string, in place) (found []string) {
	for _, w := range words {
		if w.in&in == 0 {
			continue
		}
		if not := w.found.FindString(strings.ToLower(text)); not != "" {
			found = append(found, fmt.Sprintf("%q: say %s", not, w.say))
		}
	}
	return found
}

func TestWrongWords(t *testing.T) {
	for _, c := range []struct {
		text string
		in   place
		want int
	}{
		{"A picture is taken", prose, 1},
		{"The way to a goal", prose, 0},
		{"the way to a goal", help, 1},
		{"two states are told apart", help, 1},
		{split("ToldApart"), names, 1},
		{split("LooksAlikeJSON"), names, 1},
		{split("Walkway"), names, 0},
		{"the image of a state", everywhere, 0},
	} {
		if got := wrongWords(c.text, c.in); len(got) != c.want {
			t.Errorf("%s: %q, want %d", c.text, got, c.want)
		}
	}
}

// TestIdentifiers holds the exported identifiers of all packages to the words.
func TestIdentifiers(t *testing.T) {
	set := token.NewFileSet()
	checked := 0
	for _, top := range []string{"bags", "internal", "models", "msgs", "nodes", "test"} {
		err := filepath.WalkDir(filepath.Join(repository, top), func(path string, d fs.DirEntry,
			err error) error {
			if err != nil || d.IsDir() || filepath.Ext(path) != ".go" ||
				strings.HasSuffix(path, "_test.go") {
				return err
			}
			file, err := parser.ParseFile(set, path, nil, parser.SkipObjectResolution)
			if err != nil {
				return err
			}
			for _, id := range exported(file) {
				checked++
				for _, found := range wrongWords(split(id.Name), names) {
					t.Errorf("%s: %s: %s", set.Position(id.Pos()), id.Name, found)
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if checked < 1000 {
		t.Errorf("%d exported identifiers found", checked)
	}
}

// exported are the exported identifiers that a file declares, fields and methods too.
func exported(file *ast.File) (ids []*ast.Ident) {
	add := func(list ...*ast.Ident) {
		for _, id := range list {
			if id.IsExported() {
				ids = append(ids, id)
			}
		}
	}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncDecl:
			add(n.Name)
			return false
		case *ast.TypeSpec:
			add(n.Name)
		case *ast.ValueSpec:
			add(n.Names...)
		case *ast.Field:
			add(n.Names...)
		}
		return true
	})
	return ids
}

// split separates the words of an identifier: ToldApart is "told apart".
func split(name string) string {
	var b strings.Builder
	runes := []rune(name)
	for i, r := range runes {
		starts := i > 0 && unicode.IsUpper(r) &&
			(!unicode.IsUpper(runes[i-1]) || i+1 < len(runes) && unicode.IsLower(runes[i+1]))
		if starts || r == '_' {
			b.WriteByte(' ')
		}
		if r != '_' {
			b.WriteRune(unicode.ToLower(r))
		}
	}
	return b.String()
}
