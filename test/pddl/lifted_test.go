package pddl

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"stripswm/models/planner"
	"stripswm/models/strips"
	"stripswm/models/worlds"
	"stripswm/test/internal/process"
)

// tools is where make setup-pddl puts the programs of others.
var tools, _ = filepath.Abs("../../.deps/pddl")

func TestMain(m *testing.M) { process.Main(m, "stripswm") }

// Plans that Fast Downward finds in the lifted domain are plans of the model by ids, and as short
// as its own; VAL finds them valid. VAL refuses what the model refuses.
func TestLifted(t *testing.T) {
	needs(t)
	tile := func(action string) string { return action[:len("slide_1")] }
	for name, of := range map[string]source{
		"DinnerTable, learned":  learned(worlds.Table(5, 7), 1500),
		"vehicles, learned":     learned(worlds.Vehicles(2, 5, 3), 3000), // forall, or, =
		"key and door, learned": learned(worlds.KeyDoor(), 6000),
		"kitchen":               worlds.Kitchen(4, 3, 2).Model,
		"gripper":               worlds.Gripper(4, 3).Model,
		"moves":                 worlds.Moves(3, 5).Model,
		"puzzle":                worlds.Puzzle(2, 3).Model,
		"puzzle, an id a tile":  worlds.Puzzle(2, 2).Grouped(tile).Model, // of 8 operators
		"Hanoi":                 worlds.Hanoi(4).Model,                   // no schemas
		"lamps":                 lamps(6),                                // when
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, e := range exports(t, of.nodes(6)) {
				if wrong := e.check(t, e.domain); wrong != "" {
					t.Errorf("%s: %s", e.problem, wrong)
				}
			}
		})
	}
}

// A domain that lacks any one literal of its actions does not pass.
func TestWrongDomains(t *testing.T) {
	needs(t)
	problems := exports(t, source(worlds.Table(3, 4).Model).nodes(8))
	domain := problems[0].domain
	head := strings.Index(domain, "(:action")
	literals := regexp.MustCompile(`\(not \([a-z][^()]*\)\)|\([a-z_0-9]+( \?x[0-9])+\)`).
		FindAllStringIndex(domain[head:], -1)
	if len(literals) != 7 {
		t.Fatalf("%d literals, want 3 of a precondition and 4 of an effect:\n%s", len(literals), domain)
	}
	for _, at := range literals {
		wrong := domain[:head+at[0]] + domain[head+at[1]:]
		if !slices.ContainsFunc(problems, func(e exported) bool { return e.check(t, wrong) != "" }) {
			t.Errorf("nobody misses %s of\n%s", domain[head+at[0]:head+at[1]], domain)
		}
	}
}

// exported is what export wrote for a start and a goal of a model.
type exported struct {
	model       *strips.Model
	start, goal strips.State
	domain      string
	problem     string // file
	ids         map[string]strips.ActionID
}

// exports are those from a node to the next one, for the first and second node, the third and the
// fourth, and so on.
func exports(t *testing.T, m *strips.Model) (all []exported) {
	t.Helper()
	dir := t.TempDir()
	model := must(os.Create(filepath.Join(dir, "model.json")))
	must(0, m.WriteJSON(model))
	must(0, model.Close())
	for i := 0; i < len(m.States); i += 2 {
		out := filepath.Join(dir, fmt.Sprint("from_", i))
		run := exec.Command(process.Program("stripswm"), "export", "--lifted", "--model", model.Name(),
			"--out", out, "--from", fmt.Sprint(i), "--to", fmt.Sprint(i+1))
		if said, err := run.CombinedOutput(); err != nil {
			t.Fatalf("export: %v: %s", err, said)
		}
		e := exported{model: m, start: m.States[i].Code, goal: m.States[i+1].Code,
			domain:  string(must(os.ReadFile(filepath.Join(out, "domain.pddl")))),
			problem: filepath.Join(out, "problem.pddl")}
		must(0, json.Unmarshal(must(os.ReadFile(filepath.Join(out, "actions.json"))), &e.ids))
		all = append(all, e)
	}
	return all
}

// check says how a domain disagrees with the model, between start and goal; "" if it does not.
func (e *exported) check(t *testing.T, text string) string {
	t.Helper()
	dir := t.TempDir()
	domain, plan := filepath.Join(dir, "domain.pddl"), filepath.Join(dir, "plan")
	must(0, os.WriteFile(domain, []byte(text), 0o666))
	search := exec.Command(filepath.Join(tools, "bin", "python"),
		filepath.Join(tools, "fast-downward.py"), "--plan-file", plan, domain, e.problem,
		"--search", "astar(blind())")
	search.Dir = dir
	if said, err := search.CombinedOutput(); err != nil {
		return fmt.Sprintf("Fast Downward: %v: %s", err, said)
	}
	if said := validate(t, domain, e.problem, plan); !strings.Contains(said, "Plan valid") {
		return "VAL: " + said
	}
	s, steps := e.start, 0
	for line := range strings.Lines(string(must(os.ReadFile(plan)))) {
		if strings.HasPrefix(line, ";") {
			continue
		}
		action := strings.Join(strings.Fields(strings.Trim(line, "()\n")), " ") // "(lock )"
		next, applies := e.model.Successor(s, e.ids[action])
		if !applies {
			return fmt.Sprintf("step %d, %s: the model refuses id %d", steps, action, e.ids[action])
		}
		s, steps = next, steps+1
	}
	own := must(must(planner.New(e.model)).Find(t.Context(), e.start, e.goal, planner.BreadthFirst,
		planner.Limits{}))
	if s != e.goal || own.Outcome != planner.Found || len(own.Plan) != steps {
		return fmt.Sprintf("%d steps lead to %v, and %d steps to the goal %v (%s)", steps, s,
			len(own.Plan), e.goal, own.Outcome)
	}
	return e.refusals(t, domain)
}

// refusals compares what can be executed at the start, by VAL and by the model.
func (e *exported) refusals(t *testing.T, domain string) string {
	t.Helper()
	plan, allowed := filepath.Join(t.TempDir(), "plan"), map[strips.ActionID]bool{}
	for action, id := range e.ids {
		must(0, os.WriteFile(plan, []byte("("+action+")\n"), 0o666))
		allowed[id] = allowed[id] || strings.Contains(validate(t, domain, e.problem, plan),
			"Plan executed successfully")
	}
	for a := range strips.ActionID(e.model.Actions()) {
		if _, applies := e.model.Successor(e.start, a+1); applies != allowed[a+1] {
			return fmt.Sprintf("id %d at the start: by the model it applies: %v, by VAL: %v", a+1, applies,
				allowed[a+1])
		}
	}
	return ""
}

// validate is what VAL says of a plan. Its exit code is not always that of an invalid plan.
func validate(t *testing.T, domain, problem, plan string) string {
	t.Helper()
	validator := exec.Command(filepath.Join(tools, "Validate"), "-v", domain, problem, plan)
	said, err := validator.CombinedOutput()
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return string(said)
}

func needs(t *testing.T) {
	t.Helper()
	if _, err := os.Stat(filepath.Join(tools, "requirements.txt")); err != nil {
		t.Skip("not tested: Fast Downward and VAL: run `make setup-pddl`")
	}
}
