package heldout

import (
	"stripswm/models/imageplan"
	"stripswm/models/strips"
)

// Report is what came of a recording.
type Report struct {
	// Known says that the bundle was learned from this very recording, so that nothing
	// of it was held out.
	Known  bool `json:"known"`
	Images int  `json:"images"`
	// Refused counts the images that no state was recognised in, by the reason.
	Refused   map[imageplan.Refusal]int `json:"refused"`
	Intervals Intervals                 `json:"intervals"`
	All       Skill                     `json:"all"`
	Skills    []Skill                   `json:"skills"` // by action
	// Examples are attempts that the model did not foresee, evenly over the skills.
	Examples []Example `json:"examples"`
}

// Recognized is the number of images that were classified as a state.
func (r *Report) Recognized() int {
	n := r.Images
	for _, refused := range r.Refused {
		n -= refused
	}
	return n
}

// Intervals are those of which there are two images: after one attempt and before the
// next, with nothing done in between.
type Intervals struct {
	Intervals int `json:"intervals"`
	Evaluated int `json:"evaluated"` // both images were recognised
	Agreed    int `json:"agreed"`    // as one state
}

// Skill is what came of the attempts at one skill, or at all. Of the evaluated transitions
// and refusals those that are neither foreseen nor contradicted were left open by the
// model: nondeterministic, or untried.
type Skill struct {
	Action      strips.ActionID `json:"action,omitempty"`
	Name        string          `json:"name"`
	Transitions int             `json:"transitions"`
	Evaluated   int             `json:"evaluated"` // both images were recognised
	Predicted   int             `json:"predicted"` // the model leads to the state that was seen
	Elsewhere   int             `json:"elsewhere"` // the model leads to another state
	Excluded    int             `json:"excluded"`  // the model says that it does not apply

	Refusals          int `json:"refusals"`
	RefusalsEvaluated int `json:"refusals_evaluated"` // the image was recognised
	RefusalsForeseen  int `json:"refusals_foreseen"`  // the model says that it does not apply
	RefusalsNot       int `json:"refusals_not"`       // the model says that it applies
}

func (s *Skill) add(t Skill) {
	s.Transitions += t.Transitions
	s.Evaluated += t.Evaluated
	s.Predicted += t.Predicted
	s.Elsewhere += t.Elsewhere
	s.Excluded += t.Excluded
	s.Refusals += t.Refusals
	s.RefusalsEvaluated += t.RefusalsEvaluated
	s.RefusalsForeseen += t.RefusalsForeseen
	s.RefusalsNot += t.RefusalsNot
}

// Example is an attempt that was not foreseen, by its images of the recording's data set.
type Example struct {
	Before  int    `json:"before"`
	After   int    `json:"after"` // Before, if it was refused
	Verdict string `json:"verdict"`
}
