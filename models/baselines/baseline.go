package baselines

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"stripswm/models/bundle"
	"stripswm/models/inference"
	"stripswm/models/pixels"
	"stripswm/models/strips"
)

// ErrUnrecognized is returned, wrapped, by a Planner where an image shows nothing that it can plan
// with.
var ErrUnrecognized = errors.New("image not recognized")

// Baseline is a way to plan with the parts of a bundle. Each registers itself in a file of its own.
type Baseline struct {
	ID    string        // as the command line has it
	Name  string        // as the paper has it
	Needs []bundle.Role // parts without which a bundle has not this baseline
	Open  func(*bundle.Bundle, inference.Options) (Planner, error)
}

// Planner answers queries of two images. It is not safe for concurrent use.
type Planner interface {
	// Plan plans from one image to another: false where it finds no plan, or
	// ErrUnrecognized.
	Plan(ctx context.Context, start, goal pixels.RGB) (plan []strips.ActionID, found bool,
		err error)
	Close() error
}

// Imaginer is a Planner that draws what it expects after each step of its plan: false where it
// finds none.
type Imaginer interface {
	Planner
	Imagine(ctx context.Context, start, goal pixels.RGB) (steps []Imagined, found bool, err error)
}

// Imagined is a step of a plan as its planner expects it.
type Imagined struct {
	Action strips.ActionID
	Name   string
	Image  pixels.RGB // after it
}

// Symbolic is a Planner with operators over the bits of images. An action of the recording
// may have several, its labels, each an action of the model.
type Symbolic interface {
	Planner
	Labels() (labels *strips.Model, actions []strips.ActionID)
	Bits(image pixels.RGB) (strips.State, error)
}

var registered []Baseline

// register adds a baseline, when the program starts.
func register(b Baseline) { registered = append(registered, b) }

// All lists the baselines, by the names of their files.
func All() []Baseline { return slices.Clone(registered) }

// In lists the baselines that a bundle has the parts for. An encoder counts if the
// manifest says what its codes are.
func In(b *bundle.Bundle) []Baseline {
	lacks := func(role bundle.Role) bool {
		_, has := b.Part(role)
		return !has || role == bundle.Encoder && b.Manifest.Codes == nil
	}
	return slices.DeleteFunc(All(),
		func(l Baseline) bool { return slices.ContainsFunc(l.Needs, lacks) })
}

// ends applies f to both images of a query.
func ends[T any](f func(pixels.RGB) (T, error), start, goal pixels.RGB) (from, to T, err error) {
	if from, err = f(start); err != nil {
		return from, to, fmt.Errorf("start: %w", err)
	}
	if to, err = f(goal); err != nil {
		return from, to, fmt.Errorf("goal: %w", err)
	}
	return from, to, nil
}
