package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"image"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"stripswm/models/imageplan"
	"stripswm/models/planner"
	"stripswm/models/strips"
)

// TestExitCodesOfPlans has a plan of two images whose second step nobody tried, and searches that
// found none.
func TestExitCodesOfPlans(t *testing.T) {
	p := must(imageplan.Open(blocksworldBundle, imageplan.Options{}))
	defer p.Close()
	untried := planner.Result{Outcome: planner.Found, Plan: []strips.ActionID{3, 1, 2},
		Uncertain: []planner.UncertainStep{{Step: 0, Wanted: 1, Seen: 2}, {Step: 1}}}
	for _, c := range []struct {
		found   planner.Result
		allowed bool
		want    int
	}{
		{untried, false, exitUntried}, {untried, true, exitOK},
		{planner.Result{Outcome: planner.Unsolvable}, true, exitUnsolvable},
		{planner.Result{Outcome: planner.LimitReached}, true, exitLimit},
	} {
		var stdout, stderr bytes.Buffer
		cmd := &cobra.Command{}
		cmd.SetOut(&stdout)
		code := exitCode(t.Context(), &stderr, printPlan(cmd, &common{json: true}, p,
			imageplan.Result{Result: c.found}, c.allowed))
		var out planOutput
		err := json.Unmarshal(stdout.Bytes(), &out)
		if code != c.want || err != nil || !slices.Equal(out.Untried, c.found.Untried()) ||
			!slices.Equal(out.Plan, c.found.Plan) || out.Outcome != c.found.Outcome.String() {
			t.Errorf("%+v: exit %d, want %d; %v, %+v; %s", c, code, c.want, err, out, &stderr)
		}
	}
}

// TestPlan plans from an image of a state to one of another, and asks for what cannot be done.
func TestPlan(t *testing.T) {
	dir, _ := labelledBlocks(t)
	text, tiny := filepath.Join(dir, "text.png"), filepath.Join(dir, "tiny.png")
	write(t, text, "no image")
	writePNG(t, tiny, image.NewGray(image.Rect(0, 0, 16, 16)))
	// the images of states 0 and 15, after two of each of 36 transitions
	from := " --start " + filepath.Join(dir, "73.png")
	to := " --goal " + filepath.Join(dir, "88.png")
	of := "plan --bundle " + blocksworldBundle
	ends(t, map[string]end{
		of + from + to:                              {exitOK, "found: "},
		of + from + to + " --device cuda":           {exitOK, "found"}, // no GPU here: the CPU
		of + from + to + " --device gpu":            {exitUsage, "choose cpu"},
		of + from + to + " --max-states 2":          {exitLimit, "--max-states"},
		of + from + " --begin x":                    {exitUsage, "unknown flag"},
		of + from + " --goal none.png":              {exitInput, "none.png"},
		of + to + " --start " + text:                {exitInput, "text.png"},
		of + to + " --start " + tiny:                {exitUnrecognized, "start"},
		"plan" + from + to:                          {exitUsage, "--bundle"},
		"plan" + from + to + " --bundle " + dir:     {exitInput, "not a bundle"},
		"plan" + from + to + " --want a --bundle x": {exitUsage, "one of --goal and --want"},
	})
}

// TestLossFlag sets weights on the command line.
func TestLossFlag(t *testing.T) {
	for _, c := range []struct{ flags, want string }{ // want: of the error
		{"--loss augment=0.05", ""},
		{"--loss augment=0.05,choice=0 --loss pull=1e-2", ""},
		{"--loss agument=0.05", `no loss is called "agument"`},
		{"--loss augment=mild", "not a number"},
		{"--loss augment=-1", "weight -1"},
	} {
		var f learnFlags
		cmd := &cobra.Command{}
		f.add(cmd)
		must(0, cmd.ParseFlags(strings.Fields(c.flags)))
		l, err := f.learner([]string{"bag"}, "out", 1)
		if c.want != "" {
			if usage := (usageError{}); !errors.As(err, &usage) || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%s: %v, want a usage error with %q", c.flags, err, c.want)
			}
			continue
		}
		if err != nil || l.Preset.Objective["augment"].Weight != 0.05 {
			t.Errorf("%s: %v, %v", c.flags, l.Preset.Objective, err)
		}
	}
}
