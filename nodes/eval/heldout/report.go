package heldout

import (
	"stripswm/models/imageplan"
	"stripswm/models/strips"
)

// Report is what came of a recording.
type Report struct {
	// Known says that the bundle was learned from this very recording, so that nothing
	// of it was held out.
	Known    bool `json:"known"`
	Pictures int  `json:"pictures"`
	// Refused counts the pictures that no state was recognised in, by the reason.
	Refused map[imageplan.Refusal]int `json:"refused"`
	Moments Moments                   `json:"moments"`
	All     Skill                     `json:"all"`
	Skills  []Skill                   `json:"skills"` // by action
	// Examples are attempts that the model did not foresee, evenly over the skills.
	Examples []Example `json:"examples"`
}

// Recognized is the number of pictures that were taken for a state.
func (r *Report) Recognized() int {
	n := r.Pictures
	for _, refused := range r.Refused {
		n -= refused
	}
	return n
}

// Moments are those of which there are two pictures: after one attempt and before the
// next, with nothing done in between.
type Moments struct {
	Moments int `json:"moments"`
	Judged  int `json:"judged"` // both pictures were recognised
	Agreed  int `json:"agreed"` // as one state
}

// Skill is what came of the attempts at one skill, or at all. Of the judged transitions
// and refusals those that are neither foreseen nor contradicted were left open by the
// model: to chance, or untried.
type Skill struct {
	Action      strips.ActionID `json:"action,omitempty"`
	Name        string          `json:"name"`
	Transitions int             `json:"transitions"`
	Judged      int             `json:"judged"`    // both pictures were recognised
	Predicted   int             `json:"predicted"` // the model leads to the state that was seen
	Elsewhere   int             `json:"elsewhere"` // the model leads to another state
	Excluded    int             `json:"excluded"`  // the model says that it does not apply

	Refusals         int `json:"refusals"`
	RefusalsJudged   int `json:"refusals_judged"`   // the picture was recognised
	RefusalsForeseen int `json:"refusals_foreseen"` // the model says that it does not apply
	RefusalsNot      int `json:"refusals_not"`      // the model says that it applies
}

func (s *Skill) add(t Skill) {
	s.Transitions, s.Judged, s.Predicted, s.Elsewhere, s.Excluded = s.Transitions+t.Transitions, s.Judged+t.Judged, s.Predicted+t.Predicted, s.Elsewhere+t.Elsewhere, s.Excluded+t.Excluded
	s.Refusals, s.RefusalsJudged, s.RefusalsForeseen, s.RefusalsNot = s.Refusals+t.Refusals, s.RefusalsJudged+t.RefusalsJudged, s.RefusalsForeseen+t.RefusalsForeseen, s.RefusalsNot+t.RefusalsNot
}

// Example is an attempt that was not foreseen, by its images of the recording's data set.
type Example struct {
	Before  int    `json:"before"`
	After   int    `json:"after"` // Before, if it was refused
	Verdict string `json:"verdict"`
}
