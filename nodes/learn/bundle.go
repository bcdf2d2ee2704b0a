package learn

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"math"
	"runtime"

	"stripswm/models/bundle"
	"stripswm/models/inference"
	"stripswm/models/operators"
	"stripswm/models/vision"
)

// Training is the part of a bundle that keeps what was learned from and the
// learning curves; nothing that a bundle's use needs.
type Training struct {
	Transitions int                      `json:"transitions"` // successful ones
	Refused     int                      `json:"refused"`
	HeldOut     float64                  `json:"held_out,omitempty"` // Learner.ValidationFraction
	Chosen      vision.Evaluation        `json:"chosen"`
	WorldModel  []vision.Evaluation      `json:"world_model"`
	Classifier  []vision.ClassifierPoint `json:"classifier,omitempty"`
}

// The roles of parts that only learning uses.
const (
	TrainingRole bundle.Role = "training" // Training, JSON
	// BackboneRole is what stage 3 begins with (vision.Learned.Backbone): float32s,
	// little endian.
	BackboneRole bundle.Role = "backbone"
)

func init() {
	bundle.Understand(TrainingRole, func(r io.Reader) (map[string]int64, error) {
		return nil, json.NewDecoder(r).Decode(&Training{})
	})
	bundle.Understand(BackboneRole, func(r io.Reader) (map[string]int64, error) {
		_, err := readWeights(r)
		return nil, err
	})
}

// readWeights reads a backbone.
func readWeights(r io.Reader) ([]float32, error) {
	data, err := io.ReadAll(r)
	if err != nil {
		return nil, err
	}
	weights := make([]float32, len(data)/4)
	if len(data)%4 != 0 {
		return nil, fmt.Errorf("%d bytes are no float32s", len(data))
	}
	if _, err := binary.Decode(data, binary.LittleEndian, weights); err != nil {
		return nil, err
	}
	for i, w := range weights {
		if d := float64(w); math.IsNaN(d) || math.IsInf(d, 0) {
			return nil, fmt.Errorf("weight %d is %g", i, w)
		}
	}
	return weights, nil
}

// ReadTraining reads a bundle's Training; one put together from parts may have none
// (bundle.ErrNoPart).
func ReadTraining(b *bundle.Bundle) (Training, error) {
	var t Training
	data, err := b.Read(TrainingRole)
	if err != nil {
		return t, err
	}
	if err := json.Unmarshal(data, &t); err != nil {
		return t, b.Unusable(TrainingRole, err)
	}
	return t, nil
}

// commit writes the bundle of the parts at hand, those of the stages that are finished.
func (r *run) commit() error {
	manifest, err := r.manifest()
	if err != nil {
		return err
	}
	if r.frame.Reference != nil && r.parts[bundle.Reference] == nil {
		var data bytes.Buffer
		if err := r.frame.Reference.Write(&data); err != nil {
			return err
		}
		r.parts[bundle.Reference] = data.Bytes()
	}
	if r.parts[TrainingRole], err = r.training(); err != nil {
		return err
	}
	r.result.Bundle, err = write(r.Out, manifest, r.parts)
	return err
}

// write writes a bundle of parts.
func write(out string, m bundle.Manifest, data map[bundle.Role][]byte) (*bundle.Bundle, error) {
	w, err := bundle.Create(BundleDir(out), m)
	if err != nil {
		return nil, err
	}
	defer w.Abort()
	from := func(role bundle.Role) map[bundle.Role]string { return map[bundle.Role]string{role: ""} }
	for _, p := range []bundle.Part{
		{Role: bundle.Graph, File: "graph.json"},
		{Role: bundle.GraphDFA, File: "graph.dfa"},
		{Role: bundle.Encoder, File: "encoder.onnx"},
		{Role: bundle.Dynamics, File: "dynamics.onnx", From: from(bundle.Encoder)},
		{Role: BackboneRole, File: "backbone.f32", From: from(bundle.Encoder)},
		{Role: bundle.Appearance, File: "looks.onnx", From: from(bundle.Graph)},
		{Role: bundle.Model, File: "model.json", From: from(bundle.Graph)},
		{Role: bundle.Classifier, File: "classifier.onnx", From: from(bundle.Model)},
		{Role: bundle.Facts, File: "facts.json", From: from(bundle.Model)},
		{Role: bundle.Reference, File: "reference.json"},
		{Role: TrainingRole, File: "training.json"},
	} {
		maps.DeleteFunc(p.From, func(source bundle.Role, _ string) bool {
			return data[source] == nil // such as the task graph, of a bundle of facts
		})
		if data := data[p.Role]; data != nil {
			if err := w.Add(p, data); err != nil {
				return nil, err
			}
		}
	}
	return w.Commit()
}

func (r *run) manifest() (bundle.Manifest, error) {
	m := bundle.Manifest{Domain: r.Domain, Preset: r.Preset.Name, Seed: r.Seed}
	if old := r.result.Bundle; old != nil { // of the stages before
		m.Inputs, m.Image = old.Manifest.Inputs, old.Manifest.Image
		m.Codes, m.Simulation = old.Manifest.Codes, old.Manifest.Simulation
		m.MaxDistance, m.Domain = old.Manifest.MaxDistance, cmp.Or(m.Domain, old.Manifest.Domain)
		err := describe(&m, r.Version, nil, nil)
		return m, err
	}
	m.MaxDistance = 1 // what one in 200 of a state's own images exceeds
	if r.parts[bundle.Encoder] != nil {
		m.Codes = (*bundle.Codes)(&r.space)
	}
	err := describe(&m, r.Version, r.Bags, r.result.Recording)
	return m, err
}

// describe has a manifest say which programs learned the bundle, and of which recordings, if there
// are some.
func describe(m *bundle.Manifest, program string, bags []string, r *Recording) error {
	version, err := inference.Version()
	if err != nil {
		return err
	}
	m.Versions = bundle.Versions{Program: program, Go: runtime.Version(), ONNXRuntime: version}
	if r == nil {
		return nil
	}
	m.Inputs = nil
	for _, bag := range bags {
		in, err := inputOf(bag)
		if err != nil {
			return err
		}
		m.Inputs = append(m.Inputs, in.Input)
	}
	m.Image = &bundle.Image{Height: r.Frame.Side, Width: r.Frame.Side, Encoding: "rgb8",
		Resize: string(r.Frame.Fit), Region: r.Frame.Region.Slice(), Bits: r.Frame.Bits}
	if s := r.Simulation; s != nil {
		m.Simulation = (*bundle.Simulation)(s)
		m.Domain = cmp.Or(m.Domain, s.World)
	}
	return nil
}

// training joins the curves of this run to those of stages taken from a bundle.
func (r *run) training() ([]byte, error) {
	var t Training
	if old := cmp.Or(r.result.Bundle, r.reused); old != nil {
		var err error
		if t, err = ReadTraining(old); err != nil {
			return nil, err
		}
	}
	if w := r.result.World; w != nil {
		t.Chosen, t.WorldModel = w.Chosen, w.History
	}
	if r.reused != nil || r.result.World != nil || r.result.Traces != nil { // not a later stage alone
		d := r.result.Recording.Data
		t.Transitions, t.Refused, t.HeldOut, t.Classifier = len(d.Transitions), len(
			d.Refused), r.ValidationFraction, nil
	}
	if c := r.result.Classifier; c != nil {
		t.Classifier = c.History
	}
	return json.MarshalIndent(t, "", " ")
}

// reuse takes the parts of the stages before the one to run from the bundle.
// A part that depends on what will be learned again is left out.
func (r *run) reuse() error {
	b, err := bundle.Open(BundleDir(r.Out))
	if err != nil {
		return err
	}
	r.result.Bundle = b
	roles := []bundle.Role{bundle.Graph, bundle.GraphDFA, bundle.Encoder}
	// earlier versions wrote bundles without these
	for _, role := range []bundle.Role{bundle.Dynamics, BackboneRole, bundle.Appearance} {
		if _, ok := b.Part(role); ok {
			roles = append(roles, role)
		}
	}
	if r.Stage == ClassifierStage {
		roles = append(roles, bundle.Model)
	}
	for _, role := range roles {
		if r.parts[role], err = b.Read(role); err != nil {
			return err
		}
	}
	if r.result.Graph, err = b.TaskGraph(); err != nil {
		return err
	}
	r.Labels = r.result.Graph.Labels
	r.Domain = b.Manifest.Domain
	if training, err := ReadTraining(b); err == nil { // earlier versions wrote none
		r.ValidationFraction = training.HeldOut
	}
	if r.frame, err = FrameOf(b); err != nil {
		return err
	}
	if r.Stage != ClassifierStage {
		return nil
	}
	model, err := b.Operators()
	if err != nil {
		return err
	}
	r.result.Operators = &operators.Result{Model: model}
	return nil
}
