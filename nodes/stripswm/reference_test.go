package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"stripswm/internal/markdown"
)

// repository is the root folder, from this package.
const repository = "../.."

func TestReferenceIsCurrent(t *testing.T) {
	var want bytes.Buffer
	if err := writeReference(&want, rootCommand()); err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(filepath.Join(repository, "docs/command-line.md"))
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want.Bytes()) {
		t.Error("docs/command-line.md differs from the help of the verbs: run `make docs`")
	}
}

// TestManPages writes the pages twice, and looks for a verb's flag and example in its own.
func TestManPages(t *testing.T) {
	t.Setenv("SOURCE_DATE_EPOCH", "1700000000")
	var pages [2][]byte
	for i := range pages {
		dir := t.TempDir()
		if err := writeManPages(dir, rootCommand()); err != nil {
			t.Fatal(err)
		}
		var err error
		if pages[i], err = os.ReadFile(filepath.Join(dir, "stripswm-learn.1")); err != nil {
			t.Fatal(err)
		}
		if _, err := os.Stat(filepath.Join(dir, "stripswm-reference.1")); err == nil {
			t.Error("the hidden verb has a page")
		}
	}
	if !bytes.Equal(pages[0], pages[1]) {
		t.Error("the same command line has two man pages")
	}
	for _, want := range []string{".SH EXAMPLE", "bag", "Nov 2023"} {
		if !bytes.Contains(pages[0], []byte(want)) {
			t.Errorf("stripswm-learn.1 has no %q", want)
		}
	}
}

// TestQuotedCommandLines parses each stripswm command line of a Markdown code block, and of the
// verbs' own examples.
func TestQuotedCommandLines(t *testing.T) {
	files, err := markdown.Files(repository)
	if err != nil {
		t.Fatal(err)
	}
	quoted := 0
	for _, path := range files {
		page, err := markdown.Read(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, block := range page.Blocks {
			if block.Language != "" && block.Language != "sh" && block.Language != "bash" {
				continue // shows what a program prints
			}
			for i, line := range commandLines(block.Lines) {
				for _, args := range invocations(line) {
					quoted++
					if err := parses(args); err != nil {
						t.Errorf("%s:%d: %s: %v", strings.TrimPrefix(path, repository+"/"),
							block.Line+i, strings.TrimSpace(line), err)
					}
				}
			}
		}
	}
	if quoted == 0 {
		t.Error("no Markdown file quotes a command line")
	}
	for _, v := range documented(rootCommand()) {
		for _, line := range commandLines(strings.Split(v.Example, "\n")) {
			for _, args := range invocations(line) {
				if err := parses(args); err != nil {
					t.Errorf("%s --help: %s: %v", v.CommandPath(), strings.TrimSpace(line), err)
				}
			}
		}
	}
}

// commandLines joins a line that ends in a backslash with the next one. The count of lines stays.
func commandLines(lines []string) []string {
	joined := slices.Clone(lines)
	for i := len(joined) - 2; i >= 0; i-- {
		if first, ok := strings.CutSuffix(joined[i], "\\"); ok {
			joined[i], joined[i+1] = first+joined[i+1], ""
		}
	}
	return joined
}

func TestInvocations(t *testing.T) {
	for line, want := range map[string]string{
		"stripswm check runs/bag    # every record": "[[check runs/bag]]",
		"./bin/stripswm learn --bag b && stripswm eval --bundle c": "[[learn --bag b] [eval " +
			"--bundle c]]",
		"SWEEP=/x sbatch stripswm.sh; X=1 stripswm demo | cat": "[[demo]]",
		`stripswm import bag d --start-rule '^start (.+)' --end-rule "a # b"`: "[[import bag d " +
			"--start-rule ^start (.+) --end-rule a # b]]",
		"ros2 launch strips_wm sim.launch.py": "[]",
	} {
		if got := fmt.Sprint(invocations(line)); got != want {
			t.Errorf("%s: %s, want %s", line, got, want)
		}
	}
}

// parses says what is wrong with the arguments of a stripswm command line.
func parses(args []string) error {
	root := rootCommand()
	cmd, rest, err := root.Find(args)
	if err != nil {
		return err
	}
	cmd.InitDefaultHelpFlag()
	cmd.InitDefaultVersionFlag()
	if err := cmd.ParseFlags(rest); err != nil {
		return cmd.FlagErrorFunc()(cmd, err)
	}
	if help, err := cmd.Flags().GetBool("help"); err == nil && help {
		return nil
	}
	if err := cmd.ValidateArgs(cmd.Flags().Args()); err != nil {
		return err
	}
	if err := cmd.ValidateRequiredFlags(); err != nil {
		return err
	}
	if cmd.HasSubCommands() && cmd.HasParent() {
		return cmd.RunE(cmd, nil) // which verb?
	}
	return nil
}

// invocations are the arguments of each stripswm command in a line of shell.
func invocations(line string) [][]string {
	var found [][]string
	var words []string
	end := func() {
		for len(words) > 0 && strings.Contains(words[0], "=") && !strings.HasPrefix(words[0], "-") {
			words = words[1:] // an assignment before the command
		}
		if len(words) > 0 && filepath.Base(words[0]) == "stripswm" {
			found = append(found, append([]string{}, words[1:]...))
		}
		words = nil
	}
	word, some, quote := strings.Builder{}, false, rune(0)
	flush := func() {
		if w := word.String(); strings.HasPrefix(w, "$") {
			words = append(words, "1") // a variable, most likely a number
		} else if some {
			words = append(words, w)
		}
		word.Reset()
		some = false
	}
scan:
	for _, r := range line {
		switch {
		case quote != 0 && r == quote:
			quote = 0
		case quote != 0:
			word.WriteRune(r)
		case r == '\'' || r == '"':
			quote, some = r, true
		case r == '#' && !some:
			break scan
		case r == ' ' || r == '\t' || r == '\n':
			flush()
		case strings.ContainsRune("&|;()", r):
			flush()
			end()
		default:
			word.WriteRune(r)
			some = true
		}
	}
	flush()
	end()
	return found
}
