package main

import (
	"bytes"
	"encoding/json"
	"slices"
	"testing"

	"github.com/spf13/cobra"

	"stripswm/models/imageplan"
	"stripswm/models/planner"
	"stripswm/models/strips"
)

// TestPlanThroughUntried has a plan of two images whose second step nobody tried.
func TestPlanThroughUntried(t *testing.T) {
	p, err := imageplan.Open(blocksworldBundle, imageplan.Options{})
	if err != nil {
		t.Fatal(err)
	}
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
