package baselines

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"stripswm/models/bundle"
	"stripswm/models/dataset"
	"stripswm/models/strips"
)

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
	Parts []File
	// Summary says in a few lines what was learned, and the same as JSON.
	Summary fmt.Stringer
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
