package learn

import (
	"bytes"
	"context"
	"fmt"
	"runtime"

	"stripswm/models/bundle"
	"stripswm/models/facts"
	"stripswm/models/networks"
	"stripswm/models/schemas"
	"stripswm/models/traces"
	"stripswm/models/vision"
)

// Method is how states are found.
type Method string

// The methods.
const (
	// Graph is the paper's: images to codes, codes to a task graph, the graph to operators. The
	// model knows the states that were recorded several times.
	Graph Method = "graph"
	// Traces learns facts and operators from the order of attempts, and a classifier of facts. The
	// model knows every state that its facts make.
	Traces Method = "traces"
	// Auto learns facts and takes Traces where the recording is evidence for them, else Graph.
	Auto Method = "auto"
)

// What is not said otherwise to the command line and to the learner node.
const (
	DefaultMethod = Auto
	DefaultSeed   = 1
)

// DefaultThreads are those of training.
func DefaultThreads() int { return min(runtime.GOMAXPROCS(0), 8) }

// Methods returns the methods by name.
func Methods() []string {
	return []string{string(Auto), string(Traces), string(Graph)}
}

// TracesSummary says what was learned from the order of attempts.
type TracesSummary struct {
	Facts       int `json:"facts"`
	Derived     int `json:"derived"`     // predicates
	Intervals   int `json:"intervals"`   // static intervals
	Refusals    int `json:"refusals"`    // of an action within one interval counted once
	Unexplained int `json:"unexplained"` // refusals that no precondition explains
	Cut         int `json:"cut"`         // stages of the search that ended early
	// Reader is what reads facts in images: "linear", or "network" where that misreads too many.
	Reader string `json:"reader,omitempty"`
	// attempts that their images contradict, by kind
	Contradictions map[facts.Kind]int `json:"contradictions,omitempty"`
	// skills that change something else than facts
	Skills []facts.Unexplained `json:"unexplained_skills,omitempty"`
	// skills of which no fact tells when they apply
	Refused []facts.Refused `json:"refused_skills,omitempty"`
}

func summarizeTraces(r *traces.Result, found []facts.Contradiction,
	unexplained []facts.Unexplained, refused []facts.Refused,
) *TracesSummary {
	s := &TracesSummary{Skills: unexplained, Refused: refused, Intervals: r.Report.Intervals,
		Refusals: r.Report.Refusals, Unexplained: r.Report.Unexplained(), Cut: len(r.Report.Cut),
		Contradictions: map[facts.Kind]int{}}
	for _, c := range found {
		s.Contradictions[c.Kind]++
	}
	for _, p := range r.Model.Predicates {
		if p.Members == nil {
			s.Facts++
		} else {
			s.Derived++
		}
	}
	return s
}

// readerName says which classifier reads facts in images.
func readerName(c *vision.LearnedClassifier) string {
	if c == nil {
		return ""
	}
	if _, linear := c.Classifier.Backbone.(networks.Thumbnail); linear {
		return "linear"
	}
	return "network"
}

// traces learns a bundle of facts.
func (r *run) traces(ctx context.Context) error {
	if err := r.loadFor(ctx, r.Facts); err != nil {
		return err
	}
	var recording facts.Recording
	if err := r.measured("stage2", func() (err error) {
		recording, err = r.learnFacts(ctx)
		return err
	}); err != nil {
		return err
	}
	if err := r.measured("stage3", func() error {
		return r.recognizeFacts(ctx, recording)
	}); err != nil {
		return err
	}
	return r.commit()
}

// loadFor reads the recording as a preset's networks take it.
func (r *run) loadFor(ctx context.Context, p vision.Preset) error {
	r.Preset, r.frame.Side = p, p.ImageSize()
	if have := r.result.Recording; have != nil {
		if have.Frame.Side == r.frame.Side {
			return nil
		}
		if err := have.Close(); err != nil {
			return err
		}
	}
	return r.measured("load", func() error { return r.load(ctx) })
}

// learnFacts learns facts and operators from the order of attempts, and returns those that it
// learned from.
func (r *run) learnFacts(ctx context.Context) (recording facts.Recording, err error) {
	if err := r.result.Recording.Data.Validate(); err != nil {
		return recording, fmt.Errorf("learn from attempts: %w", err)
	}
	r.report("learn facts from attempts", 0, 1, "")
	learned, err := facts.Learn(ctx, r.result.Recording.Data)
	if err != nil {
		return recording, fmt.Errorf("learn from attempts: %w", err)
	}
	recording, r.result.Traces = learned.Recording, learned.Result
	r.result.Contradictions, r.result.Unexplained = learned.Contradictions, learned.Unexplained
	r.result.Refused = learned.Refused
	if r.result.Model, err = r.result.Traces.Model.Strips(r.labels()); err != nil {
		return recording, fmt.Errorf("learn from attempts: %w", err)
	}
	r.name()
	for k := range r.result.Refused {
		r.result.Refused[k].Name = r.result.Label(r.result.Refused[k].Action)
	}
	for k := range r.result.Unexplained {
		u := &r.result.Unexplained[k]
		u.Name = r.result.Label(u.Action)
		if u.Where, err = r.result.Recording.seen(u.Where, u.Example[0]); err != nil {
			return recording, fmt.Errorf("learn from attempts: %w", err)
		}
	}
	var model bytes.Buffer
	if err := r.result.Model.WriteJSON(&model); err != nil {
		return recording, err
	}
	r.parts[bundle.Model] = model.Bytes()
	r.report("learn facts from attempts", 1, 1, "")
	return recording, nil
}

// name takes the labels of skills, and names skills and facts by role if nobody named the skills.
func (r *run) name() {
	r.result.Labels = r.labels()
	if len(r.Labels) > 0 {
		return
	}
	lifted, err := schemas.Lift(r.result.Model)
	if err != nil {
		return // of no sorts, so that none has a role
	}
	lifted.NameByRole()
	if m, err := lifted.Label(r.result.Model); err == nil {
		r.result.Model = m
		for _, o := range m.Operators {
			r.result.Labels[o.Action-1] = o.Name
		}
	}
}

// recognizeFacts learns to recognize facts in images.
func (r *run) recognizeFacts(ctx context.Context, recording facts.Recording) error {
	r.report("learn to recognize facts", 0, 1, "")
	z, err := facts.Train(ctx, r.result.Recording.Data, recording, r.result.Traces, r.Preset,
		vision.Options{
			Seed: r.Seed, Threads: r.Threads, Device: r.Device,
			Progress: r.watch("train a network to recognize facts", 2*r.Preset.Classifier.Batch),
		})
	if err != nil {
		return err
	}
	r.report("learn to recognize facts", 1, 1, "")
	z.Unexplained = r.result.Unexplained
	r.result.Classifier, r.misread = z.Classifier, z.Misread
	if r.parts[bundle.Classifier], err = z.Classifier.ExportLogits(); err != nil {
		return err
	}
	var check bytes.Buffer
	if err := z.Write(&check); err != nil {
		return err
	}
	r.parts[bundle.Facts] = check.Bytes()
	return nil
}
