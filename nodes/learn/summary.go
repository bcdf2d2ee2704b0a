package learn

import (
	"stripswm/models/operators"
	"stripswm/models/taskgraph"
	"stripswm/models/vision"
	"stripswm/nodes/learn/diagnostics"
)

// Summary is the result of a run, for people and scripts.
type Summary struct {
	Domain         string `json:"domain"`
	Preset         string `json:"preset"`
	Seed           uint64 `json:"seed"`
	Actions        int    `json:"actions"`
	Transitions    int    `json:"transitions"`
	Mislabelled    int    `json:"mislabelled,omitempty"` // known of a demo's recording
	Resets         int    `json:"resets,omitempty"`      // likewise: marked or not
	Refused        int    `json:"refused"`
	TrueStates     int    `json:"true_states,omitempty"`
	States         int    `json:"states"`
	DistinctCodes  int    `json:"distinct_codes"`
	Predicates     int    `json:"predicates"`
	Xi             int    `json:"xi"`
	Eta            int    `json:"eta"`
	Nondeterminism int    `json:"latent_nondeterminism"`
	UnmarkedResets int    `json:"unmarked_resets"` // found by the codes
	Repairs
	Merged           []MergedState            `json:"merged,omitempty"`        // nodes that became one state
	KeptDistinct     []KeptDistinct           `json:"kept_distinct,omitempty"` // pairs that might have been one
	Branches         []taskgraph.Branch       `json:"branches,omitempty"`      // (state, action) with several outcomes
	Diagnostics      []diagnostics.Diagnostic `json:"diagnostics,omitempty"`   // where it cannot be right
	NextNew          float64                  `json:"next_new"`                // probability that one more transition shows something new
	EncoderExport    float64                  `json:"encoder_export_difference"`
	ClassifierExport float64                  `json:"classifier_export_difference"`
	Operators        *operators.Report        `json:"operators,omitempty"`
	Choice           *Choice                  `json:"choice,omitempty"` // of method auto
	Traces           *TracesSummary           `json:"traces,omitempty"`
	Chosen           *vision.Evaluation       `json:"chosen,omitempty"`     // the checkpoint of stage 1
	Space            string                   `json:"space,omitempty"`      // of codes
	Discrimination   string                   `json:"telling,omitempty"`    // vision.Objective.Discrimination
	Fallback         string                   `json:"course,omitempty"`     // vision.Learned.Fallback
	Starts           int                      `json:"starts,omitempty"`     // vision.Learned.Starts
	Distinguished    int                      `json:"told_apart,omitempty"` // vision.Learned.Separated
	Trained          int                      `json:"trained,omitempty"`    // steps of stage 1
	Settled          bool                     `json:"settled"`              // before its most steps
	Seconds          map[string]float64       `json:"seconds"`              // by stage
	PeakMB           map[string]float64       `json:"peak_mb,omitempty"`    // by stage: most resident memory, 1e6 bytes
}

// Add puts in what a stage took.
func (s *Summary) Add(stage string, c Cost) {
	s.Seconds[stage] = c.Seconds
	if c.PeakMemory > 0 {
		s.PeakMB[stage] = float64(c.PeakMemory) / 1e6
	}
}

// Summarize sums a run up, also one that was interrupted.
func Summarize(l Learner, r *Result) Summary {
	s := Summary{Domain: l.Domain, Preset: l.Preset.Name, Seed: l.Seed, Seconds: map[string]float64{},
		PeakMB:      map[string]float64{},
		Diagnostics: r.Diagnostics, NextNew: r.NextNew, EncoderExport: r.EncoderDifference,
		ClassifierExport: r.ClassifierDifference}
	if r.Bundle != nil {
		s.Preset = r.Bundle.Manifest.Preset
	}
	s.Choice = r.Choice
	for stage, cost := range r.Costs {
		s.Add(stage, cost)
	}
	if r.World != nil {
		s.Chosen, s.Distinguished, s.Settled = &r.World.Chosen, r.World.Separated, r.World.Settled
		s.Discrimination = r.World.Model.Objective.Discrimination()
		s.Fallback, s.Starts = r.World.Fallback, r.World.Starts
		s.Space = r.World.Model.FSQ.String()
		s.Trained = r.World.History[len(r.World.History)-1].Step
	}
	if r.Recording != nil {
		s.Transitions, s.Refused = len(r.Recording.Data.Transitions), len(r.Recording.Data.Refused)
	}
	if r.Graph != nil {
		s.States, s.Actions = r.Graph.NumStates(), r.Graph.NumActions()
		s.Branches = r.Graph.Nondeterministic()
		s.Nondeterminism = len(s.Branches)
	}
	if r.Repaired != nil {
		s.UnmarkedResets = len(r.Cuts)
		s.Repairs, s.Merged = r.Repaired.Repairs(), r.Repaired.Merges()
		s.KeptDistinct = r.Repaired.Distinct()
	}
	if r.Traces != nil {
		s.Actions, s.Predicates = r.Recording.Data.Actions, len(r.Traces.Model.Predicates)
		s.Traces = summarizeTraces(r.Traces, r.Contradictions, r.Unexplained, r.Refused)
		s.Traces.Reader = readerName(r.Classifier)
	}
	if r.Operators != nil {
		codes, _ := r.Operators.Model.Nodes()
		s.DistinctCodes, s.Predicates = len(codes), r.Operators.Model.Predicates
		s.Xi, s.Eta = len(r.Operators.Model.Slack), len(r.Operators.Model.Exceptions)
		s.Operators = &r.Operators.Report
	}
	return s
}
