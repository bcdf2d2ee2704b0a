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

// Where a word is banned.
const (
	identifiers = 1 << iota // names of packages and Go files, and exported identifiers, by words
	prose                   // Markdown outside code, and the texts of --help
	flags                   // everywhere in Markdown
	both        = identifiers | prose
)

// A ban is a word of the glossary's column "do not say", in the forms that are wrong in every
// sentence, with the word to say. Words that are right in some sentences are not in the table.
type ban struct {
	forms string // separated by commas
	say   string
	where int
}

var bans = []ban{
	{"picture,pictures", "image", both},
	{"lesson,lessons", "training round", both},
	{"anew", "again", both},
	{"in earnest", "nothing", prose},
	{"taken for,takes for", "classified as", prose},
	{"earnest", "nothing", identifiers},
	{"eye,eyes", "recognizer", both},
	{"moment,moments", "static interval", both},
	{"stranger,strangers", "unrelated image", both},
	{"foreign", "unrelated", identifiers},
	{"doubt,doubts,doubted,doubtful", "warning, diagnostic", both},
	{"fold,folds", "merge", identifiers},
	{"folded,folding", "merged", both},
	{"judge,judges,judged,judging", "recognize, diagnose, evaluate", both},
	{"orphan,orphans", "unmatched end", both},
	{"leap,leaps,leaped", "clock jump", both},
	{"stray,strays", "outlier", both},
	{"alike,alikes", "aliased", identifiers},
	{"look-alike,look-alikes", "aliased states", prose},
	{"lookalike,lookalikes", "aliased states", both},
	{"look,looks,looked,looking", "observe, image, appearance", identifiers},
	{"sight,sights", "recognizer", identifiers},
	{"way,ways", "path, transition", identifiers},
	{"walk,walks,walker,walked", "policy", identifiers},
	{"because", "explanation", identifiers},
	{"why", "reason, explanation", identifiers},
	{"coarse,coarsen", "state-dependent", identifiers},
	{"coarse skill,coarse skills", "state-dependent skills", prose},
	{"provider,providers", "device", both},
	{"forbid,forbids,forbidden", "exclude, excluded", both},
	{"twin,twins", "compiled-away negative preconditions, strips", both},
	{"pursuit,pursuits,pursue", "goal job", both},
	{"squeeze,squeezes,squeezed", "stretch", both},
	{"puzzle,puzzles", "fixture", identifiers},
	{"spoil,spoils,spoiled,spoilt", "corrupt", both},
	{"telling", "discrimination", identifiers},
	{"hopeless", "stalled", both},
	{"by heart", "overfit", both},
	{"adopt,adopts,adopted", "accept, promote", both},
	{"renew,renews,renewed", "refit", both},
	{"lend,lends,lent,borrow,borrows,borrowed", "reuse", both},
	{"apart", "distinct", identifiers},
	{"told apart,tell apart,tells apart", "distinguished, distinct", prose},
	{"chance,chances,chancy", "nondeterministic outcome", identifiers},
	{"study,studies", "training round", identifiers},
	{"unsure", "low confidence", identifiers},
	{"unlike", "out-of-distribution", identifiers},
	{"gate,gates", "recognition check", identifiers},
	{"gamble,gambles", "nondeterministic outcome", both},
	{"--walk", "--policy", flags},
	{"--provider", "--device", flags},
	{"--domain", "--world, --name", flags},
	{"--methods", "--method", flags},
	{"--worlds", "--world", flags},
	{"--seeds", "--seed", flags},
	{"--hold-out", "--validation-fraction", flags},
	{"--forbid", "--exclude-actions", flags},
	{"--stay-within", "--state-budget", flags},
	{"--until", "--target-coverage", flags},
	{"--pay", "--slack-budget", flags},
	{"--most", "--limit", flags},
	{"--for", "--duration", flags},
}

// An exception is a name that keeps a banned word, and why.
type exception struct{ name, path, reason string }

var exceptions = []exception{
	{"Eye", "nodes/sim/scene/scene.go", "computer graphics calls the position of a camera so"},
	{"Chances", "models/strips/json.go", "the key of model.json, which stays as it is"},
}

// find calls found with each banned form in a text, and the word to say.
func find(text string, where int, found func(form, say string)) {
	for _, b := range bans {
		if b.where&where == 0 {
			continue
		}
		for form := range strings.SplitSeq(b.forms, ",") {
			if pattern(form, b.where).MatchString(text) {
				found(form, b.say)
			}
		}
	}
}

var patterns = map[string]*regexp.Regexp{}

func pattern(form string, where int) *regexp.Regexp {
	if p := patterns[form]; p != nil {
		return p
	}
	p := `(?i)\b` + strings.ReplaceAll(regexp.QuoteMeta(form), " ", `\s+`) + `\b`
	if where == flags {
		p = `(^|[^\w-])` + regexp.QuoteMeta(form) + `($|[^\w-])`
	}
	patterns[form] = regexp.MustCompile(p)
	return patterns[form]
}

// names are the exported identifiers that a Go file declares, its package and its own name.
func names(path string, file *ast.File) []string {
	list := []string{file.Name.Name, strings.TrimSuffix(filepath.Base(path), ".go")}
	add := func(ids ...*ast.Ident) {
		for _, id := range ids {
			if id.IsExported() {
				list = append(list, id.Name)
			}
		}
	}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncDecl:
			add(n.Name)
		case *ast.TypeSpec:
			add(n.Name)
		case *ast.ValueSpec:
			add(n.Names...)
		case *ast.Field:
			add(n.Names...)
		}
		return true
	})
	return list
}

// words are the words of an identifier or a file name, in lower case with spaces.
func words(name string) string {
	var out strings.Builder
	letters := []rune(name)
	for i, r := range letters {
		if r == '_' || r == '-' || r == '.' {
			out.WriteByte(' ')
			continue
		}
		if i > 0 && unicode.IsUpper(r) &&
			(!unicode.IsUpper(letters[i-1]) || i+1 < len(letters) && unicode.IsLower(letters[i+1])) {
			out.WriteByte(' ')
		}
		out.WriteRune(unicode.ToLower(r))
	}
	return out.String()
}

// badNames lists the names of a Go file with banned words.
func badNames(path string, source any) (found []string, err error) {
	file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(repository, path), source, 0)
	if err != nil {
		return nil, err
	}
	for _, name := range names(path, file) {
		find(words(name), identifiers, func(form, say string) {
			for i, e := range exceptions {
				if e.name == name && e.path == path {
					used[i] = true
					return
				}
			}
			found = append(found, fmt.Sprintf("%s: %s: %q: say %s", path, name, form, say))
		})
	}
	return found, nil
}

var used = map[int]bool{} // exceptions that were needed

// goFiles lists the Go files of the repository.
func goFiles() (list []string, err error) {
	err = filepath.WalkDir(repository, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && path != repository && (strings.HasPrefix(d.Name(), ".") || d.Name() == "node_modules" ||
			d.Name() == "runs" || d.Name() == "testdata"):
			return filepath.SkipDir
		case strings.HasSuffix(path, ".go"):
			path, err = filepath.Rel(repository, path)
			list = append(list, path)
		}
		return err
	})
	return list, err
}

func TestNames(t *testing.T) {
	files, err := goFiles()
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range files {
		found, err := badNames(path, nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range found {
			t.Error(f)
		}
	}
	for i, e := range exceptions {
		if !used[i] || e.reason == "" {
			t.Errorf("the exception %s in %s is not needed, or has no reason", e.name, e.path)
		}
	}
}

// TestBans breaks each ban once in every form.
func TestBans(t *testing.T) {
	for _, b := range bans {
		for form := range strings.SplitSeq(b.forms, ",") {
			if b.where&identifiers != 0 {
				var camel string
				for word := range strings.FieldsSeq(form) {
					camel += strings.ToUpper(word[:1]) + word[1:]
				}
				for _, source := range []string{"package p\ntype A" + camel + " int", "package p\nfunc (t T) " + camel + "() {}",
					"package p\ntype T struct{ " + camel + "s2 int; " + camel + " int }", "package " + strings.ReplaceAll(form, " ", "_")} {
					found, err := badNames("x.go", source)
					if err != nil {
						t.Fatal(err)
					}
					if !strings.Contains(strings.Join(found, "\n"), fmt.Sprintf("%q", form)) {
						t.Errorf("%q is not found in %q", form, source)
					}
				}
				if found, err := badNames(strings.ReplaceAll(form, " ", "_")+".go", "package p"); err != nil || len(found) == 0 {
					t.Errorf("%q is not found as the name of a file: %v", form, err)
				}
			}
			text := "A sentence with " + form + " in it."
			faults := page{path: "x.md", lines: []string{text}, prose: []string{text}}.bannedWords()
			help := page{path: help, lines: []string{"```", text, "```"}, prose: []string{"", "", ""}}.bannedWords()
			want := b.where&(prose|flags) != 0
			if has(faults, form) != want || has(help, form) != want {
				t.Errorf("%q: found in prose %v, in --help %v; want %v", form, faults, help, want)
			}
		}
	}
}

func has(faults []string, form string) bool {
	return strings.Contains(strings.Join(faults, "\n"), fmt.Sprintf("%q", form))
}

// TestRightWords has what looks like a banned word and is none.
func TestRightWords(t *testing.T) {
	if found, err := badNames("x.go", "package p\ntype Outlook int\ntype Always int\ntype Rewalked struct{ walk int }"); err != nil || len(found) > 0 {
		t.Errorf("%q, %v", found, err)
	}
	text := "Pictured, --world, --walks, or a walk."
	if found := (page{lines: []string{text}, prose: []string{text}}).bannedWords(); len(found) > 0 {
		t.Errorf("%q", found)
	}
}
