package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"stripswm/models/imageplan"
	"stripswm/models/planner"
	"stripswm/models/strips"
)

// TestPlanThroughUntried has a plan of two images whose second step nobody tried.
func TestPlanThroughUntried(t *testing.T) {
	p := must(imageplan.Open(blocksworldBundle, imageplan.Options{}))
	defer p.Close()
	r := imageplan.Result{Result: planner.Result{
		Outcome: planner.Found, Plan: []strips.ActionID{3, 1, 2},
		Uncertain: []planner.UncertainStep{{Step: 0, Wanted: 1, Seen: 2}, {Step: 1}},
	}}
	for allowed, want := range map[bool]int{false: exitUntried, true: exitOK} {
		var stdout, stderr bytes.Buffer
		cmd := &cobra.Command{}
		cmd.SetOut(&stdout)
		code := exitCode(t.Context(), &stderr, printPlan(cmd, &common{json: true}, p, r, allowed))
		var out planOutput
		err := json.Unmarshal(stdout.Bytes(), &out)
		if code != want || err != nil || !slices.Equal(out.Untried, []int{1}) || len(out.Plan) != 3 {
			t.Errorf("allowed %t: exit %d, want %d; %v, %+v; %s", allowed, code, want, err, out, &stderr)
		}
	}
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
		l, err := f.learner("bag", "out", 1)
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
