package learn

import (
	"context"
	"errors"
	"fmt"

	"stripswm/models/dataset"
	"stripswm/models/facts"
)

// Choice says which method Auto took, and why.
type Choice struct {
	Method  Method   `json:"method"`
	Why     string   `json:"why"`
	Reasons []Reason `json:"reasons"` // against facts, whether they count or not
}

// Reason is evidence against facts. It counts above its limit.
type Reason struct {
	Name  string  `json:"name"`
	Value float64 `json:"value"`
	Limit float64 `json:"limit"`
	text  string
}

func (e Reason) String() string { return fmt.Sprintf(e.text, e.Value, e.Limit) }

// The reasons against facts. None grows with the world. On recordings of worlds that facts describe
// the values are 0, 1, 0 and below 0.1; docs/research/facts.md has a table.
var (
	// Unusable: at the limit the robot spends half of its successes on what no plan can use. Below it,
	// what is known is kept, and what is not known is said.
	unusableReason = Reason{Name: "unusable", Limit: 0.5,
		text: "a share of %.2f of the successes is of skills whose effect no fact tells (limit %.2f)"}
	// Beyond: a policy may avoid new states five times as often as an even choice.
	beyondReason = Reason{Name: "beyond", Limit: 5,
		text: "the model expects %.1f times as many new states as the recording meets (limit %.0f)"}
	// Different: every fifth pair of images with one vector differs as across a success.
	differentReason = Reason{Name: "different", Limit: 0.2,
		text: "images with the same facts differ by %.2f of what a success changes (limit %.2f)"}
	// Misread: a plan needs two images, and at the limit has both in one of four cases.
	misreadReason = Reason{Name: "misread", Limit: 0.5,
		text: "a share of %.2f of the images held out is decoded to other facts (limit %.2f)"}
)

// ErrUnexplained is wrapped by the error for a recording that neither facts nor a task graph
// explain.
var ErrUnexplained = errors.New("neither facts nor a task graph explain the recording")

// nodesReason is against the task graph: its nodes are several states. It has the limit of facts.
var nodesReason = Reason{Name: "nodes", Limit: differentReason.Limit,
	text: "images of one node differ by %.2f of what a success changes (limit %.2f)"}

// trust returns an error where auto took the graph and its nodes are no states: in a world that is
// hardly revisited stage 1 makes one node of many.
func (r *run) trust() error {
	c, d := r.result.Choice, r.result.Recording.Data
	if c == nil || !c.against(nodesReason, different(d, seenNodes(d, r.result.Nodes), nil)) {
		return nil
	}
	return fmt.Errorf("%w: %s; %s; record more attempts, or choose --method %s or %s",
		ErrUnexplained, c.Why, c.Reasons[len(c.Reasons)-1], Traces, Graph)
}

// against adds a reason to the choice, and says whether it counts.
func (c *Choice) against(e Reason, value float64) bool {
	e.Value = value
	c.Reasons = append(c.Reasons, e)
	if value <= e.Limit {
		return false
	}
	if c.Method != Graph {
		c.Method, c.Why = Graph, e.String()
	}
	return true
}

// auto learns facts, and the graph where the recording is evidence against them.
func (r *run) auto(ctx context.Context) error {
	graph := r.Preset
	choice := &Choice{Method: Traces, Why: "facts explain the recording, and images show them"}
	r.result.Choice = choice
	if err := r.loadFor(ctx, r.Facts); err != nil {
		return err
	}
	data := r.result.Recording.Data
	var recording facts.Recording
	err := r.measured("decide", func() (err error) {
		if recording, err = r.learnFacts(ctx); err != nil {
			return err
		}
		t := r.result.Traces
		at := vectors(t)
		choice.against(unusableReason, unusable(data, t))
		choice.against(beyondReason, beyond(t, recording, at))
		seen := seenFacts(data, recording, t, at)
		choice.against(differentReason, different(data, seen, r.result.Unexplained))
		return nil
	})
	if err != nil {
		return err
	}
	if choice.Method == Traces {
		err := r.measured("stage3", func() error { return r.recognizeFacts(ctx, recording) })
		switch {
		case err == nil:
			if !choice.against(misreadReason, r.misread) {
				if n := len(r.result.Unexplained); n > 0 {
					choice.Why += fmt.Sprintf(", but for what %d of %d skills do", n, data.Actions)
				}
				return r.commit()
			}
		case errors.Is(err, dataset.ErrData):
			choice.Method, choice.Why = Graph, err.Error()
		default:
			return err
		}
	}
	r.report("take the graph, since "+choice.Why, 1, 1, "")
	r.result.Traces, r.result.Model, r.result.Classifier = nil, nil, nil
	r.result.Contradictions, r.result.Unexplained, r.result.Refused = nil, nil, nil
	clear(r.parts)
	if err := r.loadFor(ctx, graph); err != nil {
		return err
	}
	return r.tabular(ctx)
}
