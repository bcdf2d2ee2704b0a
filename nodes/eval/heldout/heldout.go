package heldout

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

// Run evaluates a planner that was opened on a bundle. The recording is loaded with the
// number of the bundle's actions.
func Run(ctx context.Context, p *imageplan.Planner, r *learn.Recording,
	progress func(done, total int),
) (*Report, error) {
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
	return evaluate(ctx, p, p.Model(), r.Data, r, progress)
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

func evaluate(ctx context.Context, by Recognizer, m *strips.Model, d *dataset.Dataset,
	images Images, progress func(done, total int),
) (*Report, error) {
	c := court{model: m, refusals: m.Refusals(), open: map[strips.Refusal]bool{}}
	for _, u := range m.Untried {
		code, _ := m.Code(u.Node)
		c.open[strips.Refusal{Code: code, Action: u.Action}] = true
	}
	for _, u := range m.Nondeterministic {
		code, _ := m.Code(u.Node)
		c.open[strips.Refusal{Code: code, Action: u.Action}] = true
	}
	r := &Report{Images: d.Images(), Refused: map[imageplan.Refusal]int{}}
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

// court holds attempts against a model.
type court struct {
	model    *strips.Model
	refusals map[strips.Refusal]bool // exceptions, and what is open
	open     map[strips.Refusal]bool // nondeterministic, or untried
	seen     []imageplan.Recognition // by image
}

func (c *court) attempts(r *Report, d *dataset.Dataset) {
	skills := make([]Skill, c.model.Actions())
	surprises := make([][]Example, c.model.Actions())
	for i := range skills {
		skills[i].Action = strips.ActionID(i + 1)
		skills[i].Name = c.model.Label(skills[i].Action)
	}
	take := func(t dataset.Transition, s Skill, verdict string) {
		skills[t.Action-1].add(s)
		if verdict != "" {
			surprises[t.Action-1] = append(surprises[t.Action-1], Example{t.Before, t.After,
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

func (c *court) interval(m *Intervals, one, other int) {
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
func (c *court) ask(s strips.State, a strips.ActionID) (to strips.State, applies, open bool) {
	pair := strips.Refusal{Code: s, Action: a}
	to, applies = c.model.Predict(s, a)
	return to, applies && !c.refusals[pair], c.open[pair]
}

func (c *court) transition(t dataset.Transition) (s Skill, verdict string) {
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

func (c *court) refusal(t dataset.Transition) (s Skill, verdict string) {
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
func inTurn(lists [][]Example, n int) (all []Example) {
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
