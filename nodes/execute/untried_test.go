package execute_test

import (
	"context"
	"testing"
	"time"

	"stripswm/models/operators"
	"stripswm/models/planner"
	"stripswm/models/strips"
	"stripswm/models/taskgraph"
	"stripswm/models/worlds/fixtures"
	"stripswm/nodes/execute"
)

// bench is a fixture whose states are read without error; those that nobody saw are
// not recognized.
type bench struct {
	fixture fixtures.Fixture
	codes   map[string]strips.State
	at      string
	now     time.Time
}

func (b *bench) Now() time.Time { return b.now }

func (b *bench) Observe(context.Context, time.Time) (execute.Observation, error) {
	b.now = b.now.Add(time.Second)
	if code, known := b.codes[b.at]; known {
		return execute.Observation{Taken: b.now, Code: code}, nil
	}
	return execute.Observation{Taken: b.now, Reason: "nobody saw this"}, nil
}

func (b *bench) Execute(_ context.Context, a strips.ActionID) (execute.Report, error) {
	outcome := execute.Refused
	if next, ok := b.fixture.Apply(b.at, a); ok {
		b.at, outcome = next, execute.Succeeded
	}
	return execute.Report{Outcome: outcome}, nil
}

// reached counts the pairs of states seen whose goal is reached, with the model that a
// trust makes of the graph, and those that have a path in the fixture.
func reached(t *testing.T, p fixtures.Fixture, g *taskgraph.Graph, trust operators.Trust) (n int) {
	r := must(operators.Learn(t.Context(), g, operators.Options{Trust: trust, Work: 1}))
	b := &bench{fixture: p, codes: map[string]strips.State{}}
	for s, node := range g.Nodes {
		b.codes[node.Code], _ = r.Model.Code(strips.StateID(s))
	}
	search := must(execute.NewModelSearch(r.Model, planner.Limits{States: 10_000}))
	e := &execute.Executor{Recognizer: b, Skills: b, Search: search, Clock: b, Policy: execute.Policy{
		Replan: true, Replans: 20, MaxImages: 1}}
	for from := range b.codes {
		for to, goal := range b.codes {
			b.at = from
			if _, err := e.Run(t.Context(), strips.GoalOf(goal), execute.Hooks{}); err == nil {
				if b.at != to {
					t.Errorf("%s: claims %s at %s", p.Name, to, b.at)
				}
				n++
			}
		}
	}
	return n
}

// TestUntriedReachesWhatNobodyTried carries plans out after short walks: what is left
// open where it was not seen reaches goals that are out of reach if whatever was not seen
// is taken not to be there, and costs none. (Where every action can be taken back, there
// is nothing to gain: a walk shows a way from each state that it sees to every other.)
func TestUntriedReachesWhatNobodyTried(t *testing.T) {
	closed, open := 0, 0
	for _, p := range []fixtures.Fixture{fixtures.KeyDoor(), fixtures.Carrier(2, 3), fixtures.Lamp()} {
		states := p.Graph().NumStates()
		for _, each := range []int{2, 4} { // attempts a state
			g := p.Graph(p.RunPolicy(each*states, 1)...)
			a, b := reached(t, p, g, operators.Trust{Policy: operators.TrustAll}), reached(t, p, g,
				operators.DefaultTrust(g))
			t.Logf("%s, %d attempts, %d of %d states: %d pairs reached, %d without what nobody tried",
				p.Name, each*states, g.NumStates(), states, b, a)
			if b < a {
				t.Errorf("%s, %d attempts: fewer are reached", p.Name, each*states)
			}
			closed, open = closed+a, open+b
		}
	}
	if open <= closed {
		t.Errorf("%d pairs are reached, %d without what nobody tried: want more", open, closed)
	}
}
