package explore

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

// Recognizer tells what a picture that a frame made shows, as imageplan.Planner does.
type Recognizer interface {
	RecognizeSquare(small pixels.RGB) (imageplan.Recognition, error)
	Close() error
}

// Eyes name the states that pictures show.
type Eyes struct {
	Recognizer
	locator *identity.Locator
}

// NewEyes makes eyes of what recognizes the states of a graph.
func NewEyes(r Recognizer, g *taskgraph.Graph) *Eyes { return &Eyes{r, identity.NewLocator(g)} }

// OpenEyes opens those of a bundle, which needs all three stages.
func OpenEyes(dir string, o inference.Options) (*Eyes, error) {
	p, err := imageplan.Open(dir, imageplan.Options{Inference: o})
	if err != nil {
		return nil, err
	}
	g, err := p.Bundle().TaskGraph()
	if err != nil {
		return nil, errors.Join(err, p.Close())
	}
	return NewEyes(p, g), nil
}

// strange marks the code of a picture that the gate refuses. An encoder gives a state that it never saw the code of
// another, mostly; what is learned beside it disagrees.
const strange = "~"

// code is that of a picture as networks see it.
func (e *Eyes) code(small pixels.RGB) (identity.Code, error) {
	r, err := e.RecognizeSquare(small)
	if err != nil {
		return "", err
	}
	if len(r.Encoded) > 0 && !r.Known() {
		return r.EncoderCode + strange, nil
	}
	return r.EncoderCode, nil
}

// name names each moment: by its node where its code has one, by what came before and after where that has several,
// by its code where that is new, and for itself where it has none.
func (e *Eyes) name(d *dataset.Dataset, codes []identity.Code) []string {
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
