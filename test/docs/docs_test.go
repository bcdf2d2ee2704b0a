package docs

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"stripswm/internal/markdown"
)

const (
	repository  = "../.."
	readmeLines = 160
	columns     = 100
)

// A page is a Markdown file: its lines, with code apart.
type page struct {
	path  string   // from the repository's root
	lines []string // all of them
	prose []string // the same lines, empty in code blocks and without code spans
}

func TestPages(t *testing.T) {
	for _, p := range pages(t) {
		t.Run(p.path, func(t *testing.T) {
			for _, found := range [][]string{p.longLines(), p.brokenLinks()} {
				for _, f := range found {
					t.Errorf("%s:%s", p.path, f)
				}
			}
		})
	}
}

// TestFaults has each fault once in a page, beside what looks like it and is right.
func TestFaults(t *testing.T) {
	path := filepath.Join(t.TempDir(), "page.md")
	text := strings.Join([]string{
		"# One page, `two` words",
		"[here](#one-page-two-words), [there](#elsewhere), [a file](page.md), [none](none.md)",
		"A line of prose",
		"and [a link](" + strings.Repeat("x/", 60) + ".md)",
		strings.Repeat("long ", 21),
		"```", "an image [x](y) " + strings.Repeat("long ", 21), "```",
		"| " + strings.Repeat("long ", 21) + "|",
	}, "\n")
	must(0, os.WriteFile(path, []byte(text), 0o666))
	p := must(read(path))
	root := must(filepath.Abs(repository))
	p.path = must(filepath.Rel(root, path))
	all := strings.Join(append(p.longLines(), p.brokenLinks()...), "\n")
	for _, want := range []string{
		"5: 105 columns", "2: #elsewhere", "none.md does not exist", "4: x/",
	} {
		if strings.Count(all, want) != 1 {
			t.Errorf("want %q once in\n%s", want, all)
		}
	}
	if n := strings.Count(all, "\n") + 1; n != 4 {
		t.Errorf("%d faults, want 4:\n%s", n, all)
	}
}

func TestREADMEIsShort(t *testing.T) {
	text := must(os.ReadFile(filepath.Join(repository, "README.md")))
	if n := strings.Count(string(text), "\n"); n > readmeLines {
		t.Errorf("README.md has %d lines, at most %d", n, readmeLines)
	}
}

// longLines finds lines of prose past the limit. Tables, images and addresses may be longer.
func (p page) longLines() (found []string) {
	for i, line := range p.lines {
		if p.prose[i] == "" || strings.HasPrefix(strings.TrimSpace(line), "|") ||
			strings.HasPrefix(line, "![") {
			continue
		}
		shown := address.ReplaceAllString(target.ReplaceAllString(line, "]()"), "")
		if n := utf8.RuneCountInString(shown); n > columns {
			found = append(found, fmt.Sprintf("%d: %d columns, at most %d", i+1, n, columns))
		}
	}
	return found
}

var (
	target  = regexp.MustCompile(`\]\([^)\s]*\)`)
	address = regexp.MustCompile(`https?://\S+`)
	link    = regexp.MustCompile(`\[[^\[\]]*\]\(([^)\s]+)\)`)
	heading = regexp.MustCompile(`^#{1,6} +(.+?) *$`)
	span    = regexp.MustCompile("`[^`]*`")
)

// brokenLinks finds links to files and headings that do not exist.
func (p page) brokenLinks() (found []string) {
	text := strings.Join(p.prose, "\n")
	for _, at := range link.FindAllStringSubmatchIndex(text, -1) {
		to, line := text[at[2]:at[3]], 1+strings.Count(text[:at[0]], "\n")
		if strings.Contains(to, "://") || strings.HasPrefix(to, "mailto:") {
			continue
		}
		file, anchor, _ := strings.Cut(to, "#")
		path := filepath.Join(repository, p.path)
		if file != "" {
			path = filepath.Join(repository, filepath.Dir(p.path), filepath.FromSlash(file))
		}
		if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
			found = append(found, fmt.Sprintf("%d: %s does not exist", line, to))
		} else if err != nil {
			found = append(found, fmt.Sprintf("%d: %v", line, err))
		} else if anchor != "" && !anchors(path)[anchor] {
			found = append(found, fmt.Sprintf("%d: %s is not a heading", line, to))
		}
	}
	return found
}

// anchors are the names that GitHub gives to the headings of a Markdown file.
func anchors(path string) map[string]bool {
	names := map[string]bool{}
	p, err := read(path)
	if err != nil {
		return names
	}
	for i, line := range p.prose {
		if line == "" || !heading.MatchString(p.lines[i]) {
			continue
		}
		name := slug(heading.FindStringSubmatch(p.lines[i])[1])
		for n, free := 0, name; ; n++ {
			if n > 0 {
				free = fmt.Sprintf("%s-%d", name, n)
			}
			if !names[free] {
				names[free] = true
				break
			}
		}
	}
	return names
}

func slug(title string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == ' ':
			return '-'
		case r == '-' || r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r):
			return unicode.ToLower(r)
		}
		return -1
	}, title)
}

// read reads a Markdown file.
func read(path string) (page, error) {
	m, err := markdown.Read(path)
	if err != nil {
		return page{}, err
	}
	p := page{lines: m.Lines}
	for _, line := range m.Prose {
		p.prose = append(p.prose, span.ReplaceAllString(line, "``"))
	}
	return p, nil
}

// pages reads every Markdown file of the repository.
func pages(t *testing.T) (list []page) {
	t.Helper()
	files := must(markdown.Files(repository))
	for _, path := range files {
		p := must(read(path))
		p.path = must(filepath.Rel(repository, path))
		list = append(list, p)
	}
	if len(list) == 0 {
		t.Fatal("no Markdown file found")
	}
	return list
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}
