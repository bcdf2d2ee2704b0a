package eval

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"stripswm/models/bundle"
	"stripswm/models/dataset"
	"stripswm/models/imageplan"
	"stripswm/models/pixels"
	"stripswm/models/strips"
	"stripswm/nodes/learn"
)

// Images are those of a data set, of full size; *learn.Recording has them.
type Images interface {
	Image(image int) (pixels.RGB, error)
}

// Recognizer says what an image shows; *imageplan.Planner does.
type Recognizer interface {
	Recognize(pixels.RGB) (imageplan.Recognition, error)
}

// ErrOther is returned for a recording of other skills or of another simulated world.
var ErrOther = errors.New("the recording is not of the bundle's world and skills")

// RunHeldOut tests a planner that was opened on a bundle on a recording that the bundle was not
// learned from. It needs no world and no true states: the order of the recording says which state
// follows which. All images of one static interval show one state; a skill that succeeded leads to
// the state that the operators predict; a skill that was refused is one that the model does not
// allow. Attempts with an image that is refused (imageplan.Refusal) are counted and not tested. The
// recording is loaded with the number of the bundle's actions.
func RunHeldOut(ctx context.Context, p *imageplan.Planner, r *learn.Recording,
	progress func(done, total int),
) (*HeldOut, error) {
	var labels []string
	for a := range p.Model().Actions() {
		labels = append(labels, p.Model().Label(strips.ActionID(a+1)))
	}
	if len(r.Names) > 0 && !slices.Equal(r.Names, labels) {
		return nil, fmt.Errorf("%w: its actions are %v, the bundle's %v", ErrOther, r.Names, labels)
	}
	if own := p.Bundle().Manifest.Simulation; own != nil && r.Simulation != nil &&
		own.World != r.Simulation.World {
		return nil, fmt.Errorf("%w: it is of %s, the bundle of %s", ErrOther, r.Simulation.World,
			own.World)
	}
	return judged(ctx, p, p.Model(), r.Data, r, progress)
}

// LearnedFrom says whether a bundle was learned from the recording at path.
func LearnedFrom(b *bundle.Bundle, path string) (bool, error) {
	sum, _, err := bundle.HashDir(path)
	if err != nil {
		return false, fmt.Errorf("hash recording: %w", err)
	}
	return slices.ContainsFunc(b.Manifest.Inputs, func(i bundle.Input) bool {
		return i.SHA256 == sum
	}), nil
}

func judged(ctx context.Context, by Recognizer, m *strips.Model, d *dataset.Dataset,
	images Images, progress func(done, total int),
) (*HeldOut, error) {
	c := judge{model: m, refusals: m.Refusals(), open: map[strips.Refusal]bool{}}
	for _, u := range m.Untried {
		code, _ := m.Code(u.Node)
		c.open[strips.Refusal{Code: code, Action: u.Action}] = true
	}
	for _, u := range m.Nondeterministic {
		code, _ := m.Code(u.Node)
		c.open[strips.Refusal{Code: code, Action: u.Action}] = true
	}
	r := &HeldOut{Images: d.Images(), Refused: map[imageplan.Refusal]int{}}
	for image := range d.Images() {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		img, err := images.Image(image)
		if err != nil {
			return nil, err
		}
		seen, err := by.Recognize(img)
		if err != nil {
			return nil, fmt.Errorf("image %d: %w", image, err)
		}
		if !seen.Known() {
			r.Refused[seen.Refusal]++
		}
		c.seen = append(c.seen, seen)
		if progress != nil {
			progress(image+1, d.Images())
		}
	}
	c.attempts(r, d)
	return r, nil
}

// judge compares attempts with a model.
type judge struct {
	model    *strips.Model
	refusals map[strips.Refusal]bool // exceptions, and what is open
	open     map[strips.Refusal]bool // nondeterministic, or untried
	seen     []imageplan.Recognition // by image
}

func (c *judge) attempts(r *HeldOut, d *dataset.Dataset) {
	skills := make([]Skill, c.model.Actions())
	surprises := make([][]Unforeseen, c.model.Actions())
	for i := range skills {
		skills[i].Action = strips.ActionID(i + 1)
		skills[i].Name = c.model.Label(skills[i].Action)
	}
	take := func(t dataset.Transition, s Skill, verdict string) {
		skills[t.Action-1].add(s)
		if verdict != "" {
			surprises[t.Action-1] = append(surprises[t.Action-1], Unforeseen{t.Before, t.After,
				skills[t.Action-1].Name + ": " + verdict})
		}
	}
	for i, t := range d.Transitions {
		if t.Follows && i > 0 {
			c.interval(&r.Intervals, d.Transitions[i-1].After, t.Before)
		}
		s, verdict := c.transition(t)
		take(t, s, verdict)
	}
	for _, t := range d.Refused {
		s, verdict := c.refusal(t)
		take(t, s, verdict)
	}
	r.All.Name = "all"
	for _, s := range skills {
		r.All.add(s)
	}
	r.Skills = skills
	r.Examples = inTurn(surprises, mostExamples)
}

func (c *judge) interval(m *Intervals, one, other int) {
	m.Intervals++
	a, b := c.seen[one], c.seen[other]
	if a.Known() && b.Known() {
		m.Evaluated++
		if a.Code == b.Code {
			m.Agreed++
		}
	}
}

// ask says where the model leads, if the action applies, and whether it leaves that open.
func (c *judge) ask(s strips.State, a strips.ActionID) (to strips.State, applies, open bool) {
	pair := strips.Refusal{Code: s, Action: a}
	to, applies = c.model.Predict(s, a)
	return to, applies && !c.refusals[pair], c.open[pair]
}

func (c *judge) transition(t dataset.Transition) (s Skill, verdict string) {
	s.Transitions = 1
	before, after := c.seen[t.Before], c.seen[t.After]
	if !before.Known() || !after.Known() {
		return s, ""
	}
	s.Evaluated = 1
	to, applies, open := c.ask(before.Code, t.Action)
	switch {
	case open:
	case !applies:
		s.Excluded = 1
		return s, fmt.Sprintf("does not apply in %s, came to %s", before.State(), after.State())
	case to != after.Code:
		s.Elsewhere = 1
		return s, fmt.Sprintf("from %s came to %s", before.State(), after.State())
	default:
		s.Predicted = 1
	}
	return s, ""
}

func (c *judge) refusal(t dataset.Transition) (s Skill, verdict string) {
	s.Refusals = 1
	before := c.seen[t.Before]
	if !before.Known() {
		return s, ""
	}
	s.RefusalsEvaluated = 1
	_, applies, open := c.ask(before.Code, t.Action)
	switch {
	case open:
	case applies:
		s.RefusalsNot = 1
		return s, fmt.Sprintf("applies in %s, was refused", before.State())
	default:
		s.RefusalsForeseen = 1
	}
	return s, ""
}

// mostExamples fit on a sheet.
const mostExamples = 18

// inTurn takes up to n, the first of each list, then the second, and so on.
func inTurn(lists [][]Unforeseen, n int) (all []Unforeseen) {
	for i := 0; ; i++ {
		before := len(all)
		for _, l := range lists {
			if i < len(l) && len(all) < n {
				all = append(all, l[i])
			}
		}
		if len(all) == before {
			return all
		}
	}
}

// HeldOut is what came of a recording.
type HeldOut struct {
	// Known says that the bundle was learned from this very recording, so that nothing
	// of it was held out.
	Known  bool `json:"known"`
	Images int  `json:"images"`
	// Refused counts the images that no state was recognized in, by the reason.
	Refused   map[imageplan.Refusal]int `json:"refused"`
	Intervals Intervals                 `json:"intervals"`
	All       Skill                     `json:"all"`
	Skills    []Skill                   `json:"skills"` // by action
	// Examples are attempts that the model did not foresee, evenly over the skills.
	Examples []Unforeseen `json:"examples"`
}

// Recognized is the number of images that were classified as a state.
func (r *HeldOut) Recognized() int {
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
	Evaluated int `json:"evaluated"` // both images were recognized
	Agreed    int `json:"agreed"`    // as one state
}

// Skill is what came of the attempts at one skill, or at all. Of the evaluated transitions
// and refusals those that are neither foreseen nor contradicted were left open by the
// model: nondeterministic, or untried.
type Skill struct {
	Action      strips.ActionID `json:"action,omitempty"`
	Name        string          `json:"name"`
	Transitions int             `json:"transitions"`
	Evaluated   int             `json:"evaluated"` // both images were recognized
	Predicted   int             `json:"predicted"` // the model leads to the state that was seen
	Elsewhere   int             `json:"elsewhere"` // the model leads to another state
	Excluded    int             `json:"excluded"`  // the model says that it does not apply

	Refusals          int `json:"refusals"`
	RefusalsEvaluated int `json:"refusals_evaluated"` // the image was recognized
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

// Unforeseen is an attempt that was not foreseen, by its images of the recording's data set.
type Unforeseen struct {
	Before  int    `json:"before"`
	After   int    `json:"after"` // Before, if it was refused
	Verdict string `json:"verdict"`
}
