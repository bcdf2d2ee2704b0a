package diagnostics

import (
	"stripswm/models/dataset"
	"stripswm/models/strips"
	"stripswm/models/taskgraph"
)

// Kind is what a diagnostic is about.
type Kind string

// The kinds of diagnostic.
const (
	Rare     Kind = "rare"     // states of which there are too few images
	Confused Kind = "confused" // states that the classifier confuses
	Merged   Kind = "merged"   // states that may be several
	Moved    Kind = "moved"    // the camera, or the light, between parts of the recording
	Labels   Kind = "labels"   // action ids that do not fit what is seen
	Unseen   Kind = "unseen"   // more would have been seen, had the recording gone on
	Early    Kind = "early"    // training ended before it settled
)

// Diagnostic is one reason why what was learned cannot be right.
type Diagnostic struct {
	Kind     Kind      `json:"kind"`
	What     string    `json:"what"` // a sentence
	Do       string    `json:"do"`   // what would settle it
	Examples []Example `json:"examples,omitempty"`
}

// Example is two images to look at, by image of the recording.
type Example struct {
	Left  int    `json:"left"`
	Right int    `json:"right"` // Left again, where there is but one
	Words string `json:"words"`
}

// shown is how many examples a diagnostic has at most.
const shown = 12

// Learned is what came of a recording.
type Learned struct {
	Data  *dataset.Dataset
	Nodes []strips.StateID // of each image, -1 for none
	Graph *taskgraph.Graph
	// Named is the share of transitions whose action the encoder's inverse head named from
	// the two images in training; 0 where that is not known.
	Named float64
	// Unsettled says that training ended while codes still changed, or contradicted the
	// recording.
	Unsettled bool
	// Read is the node that the classifier sees in some images, -1 for none; nil without one.
	Read map[int]strips.StateID
}

// Of lists the diagnostics there are about l.
func Of(l Learned) []Diagnostic {
	var all []Diagnostic
	for _, find := range []func(Learned) (Diagnostic, bool){early, named, labels, moved, merged,
		aliased, unlearned, rare, unseen} {
		if d, found := find(l); found {
			d.Examples = d.Examples[:min(shown, len(d.Examples))]
			all = append(all, d)
		}
	}
	return all
}
