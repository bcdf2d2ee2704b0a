package markdown

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Page is a Markdown file.
type Page struct {
	Lines  []string // all of them
	Prose  []string // the same lines, empty in fenced blocks and at fences
	Blocks []Block
}

// Block is a fenced block.
type Block struct {
	Language string // behind the opening fence
	Line     int    // of the first of Lines, from 1
	Lines    []string
}

// Read reads a Markdown file.
func Read(path string) (Page, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return Page{}, err
	}
	p, inside := Page{Lines: strings.Split(string(text), "\n")}, false
	for i, line := range p.Lines {
		prose := ""
		if language, fence := strings.CutPrefix(strings.TrimSpace(line), "```"); fence {
			if inside = !inside; inside {
				p.Blocks = append(p.Blocks, Block{Language: language, Line: i + 2})
			}
		} else if inside {
			b := &p.Blocks[len(p.Blocks)-1]
			b.Lines = append(b.Lines, line)
		} else {
			prose = line
		}
		p.Prose = append(p.Prose, prose)
	}
	return p, nil
}

// Files lists the Markdown files below a repository's root, without those of hidden folders and
// those that programs make.
func Files(root string) (files []string, err error) {
	made := map[string]bool{"node_modules": true, "runs": true, "bin": true}
	err = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		switch name := d.Name(); {
		case err != nil:
			return err
		case d.IsDir() && path != root && (strings.HasPrefix(name, ".") || made[name]):
			return fs.SkipDir
		case filepath.Ext(name) == ".md":
			files = append(files, path)
		}
		return nil
	})
	return files, err
}
