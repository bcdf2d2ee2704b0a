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

// unrecognizedSuffix marks the code of an image that the recognition check refuses. An encoder gives a state that it never saw the code of
// another, mostly; what is learned beside it disagrees.
const unrecognizedSuffix = "~"

// code is that of an image as networks see it.
func (e *Recognizer) code(small pixels.RGB) (identity.Code, error) {
	r, err := e.RecognizeSquare(small)
	if err != nil {
		return "", err
	}
	if len(r.Encoded) > 0 && !r.Known() {
		return r.EncoderCode + unrecognizedSuffix, nil
	}
	return r.EncoderCode, nil
}

// name names each static interval: by its node where its code has one, by what came before and after where that has several,
// by its code where that is new, and for itself where it has none.
func (e *Recognizer) name(d *dataset.Dataset, codes []identity.Code) []string {
	names := make([]string, len(codes))
	for i, node := range e.locator.Nodes(d, codes) {
		shown := e.locator.Candidates(codes[i])
		switch {
		case node >= 0:
			names[i] = fmt.Sprint("node ", node)
		case len(shown) > 0:
			names[i] = fmt.Sprint("node ", shown[0])
		case codes[i] != "":
			names[i] = fmt.Sprint("code ", codes[i])
		default:
			names[i] = own(i)
		}
	}
	return names
}
