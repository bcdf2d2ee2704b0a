package exploration

import (
	"errors"
	"fmt"

	"stripswm/models/dataset"
	"stripswm/models/identity"
	"stripswm/models/imageplan"
	"stripswm/models/inference"
	"stripswm/models/pixels"
	"stripswm/models/taskgraph"
)

// SquareRecognizer recognizes an image that a frame made, as imageplan.Planner does.
type SquareRecognizer interface {
	RecognizeSquare(small pixels.RGB) (imageplan.Recognition, error)
	Close() error
}

// Recognizer names the states that images show.
type Recognizer struct {
	SquareRecognizer
	locator *identity.Locator
}

// NewRecognizer returns the recognizer of the states of a graph.
func NewRecognizer(r SquareRecognizer, g *taskgraph.Graph) *Recognizer {
	return &Recognizer{r, identity.NewLocator(g)}
}

// OpenRecognizer opens the recognizer of a bundle, which needs all three stages.
func OpenRecognizer(dir string, o inference.Options) (*Recognizer, error) {
	p, err := imageplan.Open(dir, imageplan.Options{Inference: o})
	if err != nil {
		return nil, err
	}
	g, err := p.Bundle().TaskGraph()
	if err != nil {
		return nil, errors.Join(err, p.Close())
	}
	return NewRecognizer(p, g), nil
}

// reading is what one image was recognized as. If the recognition check refused the image, the code
// tells little: an encoder mostly gives a state that it never saw the code of a known state.
type reading struct {
	code    identity.Code
	refused bool
}

// before orders readings.
func (r reading) before(other reading) bool {
	return r.code < other.code || r.code == other.code && !r.refused && other.refused
}

// read recognizes an image as networks see it.
func (e *Recognizer) read(small pixels.RGB) (reading, error) {
	r, err := e.RecognizeSquare(small)
	if err != nil {
		return reading{}, err
	}
	return reading{r.EncoderCode, len(r.Encoded) > 0 && !r.Known()}, nil
}

// known says whether a node has the code of a reading.
func (e *Recognizer) known(r reading) bool {
	return !r.refused && len(e.locator.Candidates(r.code)) > 0
}

// label names the state of a static interval by its images alone.
type label struct {
	name    string
	refused bool // the recognition check refused the images, and no attempt says which node it is
}

// labels names each static interval: by its node if the code has one, by what came before and after
// if the code has several, by the code if it is new, and by the interval's number without a code.
func (e *Recognizer) labels(d *dataset.Dataset, readings []reading) []label {
	codes := make([]identity.Code, len(readings))
	for i, r := range readings {
		if !r.refused {
			codes[i] = r.code
		}
	}
	all := make([]label, len(readings))
	for i, node := range e.locator.Nodes(d, codes) {
		r, candidates := readings[i], e.locator.Candidates(codes[i])
		switch {
		case node >= 0:
			all[i].name = fmt.Sprint("node ", node)
		case len(candidates) > 0:
			all[i].name = fmt.Sprint("node ", candidates[0])
		case r.refused:
			all[i] = label{fmt.Sprint("refused code ", r.code), true}
		case r.code != "":
			all[i].name = fmt.Sprint("code ", r.code)
		default:
			all[i].name = own(i)
		}
	}
	return all
}
