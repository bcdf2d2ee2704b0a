package baselines

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"stripswm/models/bundle"
	"stripswm/models/dataset"
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
	Needs []bundle.Role // parts that a bundle must have
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

// Learner learns a baseline that needs more than the parts of our own bundle, into a bundle of its
// own. Each registers itself in the file of its Baseline.
type Learner struct {
	ID    string // of its Baseline
	Side  int    // of the images that it learns from, pixels
	Learn func(context.Context, *dataset.Dataset, LearnOptions) (*Learned, error)
}

// LearnOptions say how to run a training.
type LearnOptions struct {
	Seed    uint64
	Threads int      // 0 means 1
	Steps   int      // of training; 0 means as many as the recording wants
	Labels  []string // names of the actions; may be empty
	// Progress is called with what is being done: done of total. It may be nil.
	Progress func(what string, done, total int)
}

func (o LearnOptions) report(what string, done, total int) {
	if o.Progress != nil {
		o.Progress(what, done, total)
	}
}

// Learned is what a learner made of a recording.
type Learned struct {
	Parts   []File
	Summary any // what was learned, as JSON
}

// File is a part for a bundle.
type File struct {
	bundle.Part
	Data []byte
}

var learners []Learner

// registerLearner adds a learner, when the program starts.
func registerLearner(l Learner) { learners = append(learners, l) }

// Learners lists the learners, by the names of their files.
func Learners() []Learner { return slices.Clone(learners) }

// LearnerOf finds a learner.
func LearnerOf(id string) (Learner, error) {
	var ids []string
	for _, l := range learners {
		if l.ID == id {
			return l, nil
		}
		ids = append(ids, l.ID)
	}
	return Learner{}, fmt.Errorf("no baseline %q is learned: choose %s", id,
		strings.Join(ids, " or "))
}

// label is the name of an action.
func (o LearnOptions) label(a strips.ActionID) string {
	if int(a) <= len(o.Labels) {
		return o.Labels[a-1]
	}
	return fmt.Sprintf("action-%d", a)
}
