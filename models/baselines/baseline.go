package baselines

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"stripswm/models/baselines/autoencoder"
	"stripswm/models/bundle"
	"stripswm/models/dataset"
	"stripswm/models/inference"
	"stripswm/models/pixels"
	"stripswm/models/strips"
	"stripswm/models/vision"
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

// encoding is a trained autoencoder: the parts of a bundle that all have, and what its encoder, as
// exported, gives each image.
type encoding struct {
	*autoencoder.Learned
	parts   []File
	outputs [][]float32
}

// last is what training measured last.
func (e encoding) last() autoencoder.Point { return e.History[len(e.History)-1] }

// train trains an autoencoder for a baseline, whose parts have these roles.
func (o LearnOptions) train(ctx context.Context, id string, d *dataset.Dataset,
	a autoencoder.Settings, encoder, decoder, curve bundle.Role) (e encoding, err error) {
	if e.Learned, err = autoencoder.Train(ctx, d, a, autoencoder.Options{Seed: o.Seed,
		Threads: o.Threads, Progress: func(step, steps int) {
			o.report(id+": autoencoder", step, steps)
		}}); err != nil {
		return e, err
	}
	encodes, err := e.Export()
	if err != nil {
		return e, err
	}
	draws, err := e.ExportDecoder()
	if err != nil {
		return e, err
	}
	history, err := json.MarshalIndent(e.History, "", " ")
	if err != nil {
		return e, err
	}
	e.parts = []File{
		{bundle.Part{Role: encoder, File: "encoder.onnx"}, encodes},
		{bundle.Part{Role: decoder, File: "decoder.onnx", From: map[bundle.Role]string{encoder: ""}},
			draws},
		{bundle.Part{Role: curve, File: "curve.json"}, history},
	}
	network, err := inference.Open(encodes, inference.Options{Threads: o.Threads})
	if err != nil {
		return e, err
	}
	defer network.Close()
	for i := range d.Images() {
		if err := ctx.Err(); err != nil {
			return e, err
		}
		output, err := network.Run(d.Image(i))
		if err != nil {
			return e, fmt.Errorf("image %d: %w", i, err)
		}
		e.outputs = append(e.outputs, slices.Clone(output)) // Run uses its memory again
		o.report(id+": latents", i+1, d.Images())
	}
	return e, nil
}

// eye is the encoder of a bundle, and how it is shown images.
type eye struct {
	encoder *inference.Network
	frame   pixels.Frame
}

// openEye opens the encoder that is a bundle's part of that role.
func openEye(b *bundle.Bundle, role bundle.Role, o inference.Options) (e eye, err error) {
	if e.frame, err = vision.FrameOf(b); err != nil {
		return e, err
	}
	e.encoder, err = bundle.Use(b, role, inference.Open, o)
	return e, err
}

// see encodes an image of any size.
func (e eye) see(image pixels.RGB) ([]float32, error) {
	small, err := e.frame.Of(image)
	if err != nil {
		return nil, err
	}
	output, err := e.encoder.Run(small.Pix)
	return slices.Clone(output), err // Run uses its memory again
}

// Close frees the encoder.
func (e eye) Close() error { return e.encoder.Close() }
