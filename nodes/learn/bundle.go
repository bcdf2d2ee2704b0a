package learn

import (
	"bytes"
	"encoding/json"
	"fmt"
	"runtime"

	"stripswm/models/bundle"
	"stripswm/models/inference"
	"stripswm/models/operators"
	"stripswm/models/strips"
	"stripswm/models/taskgraph"
	"stripswm/models/vision"
)

// Training is the part of a bundle that keeps what was learned from and the
// learning curves.
type Training struct {
	Transitions int                      `json:"transitions"` // successful ones
	Refused     int                      `json:"refused"`
	FSQ         vision.FSQ               `json:"fsq"`
	Chosen      vision.Evaluation        `json:"chosen"`
	WorldModel  []vision.Evaluation      `json:"world_model"`
	Classifier  []vision.ClassifierPoint `json:"classifier,omitempty"`
}

// TrainingRole is the role of a bundle's Training, a JSON file.
const TrainingRole bundle.Role = "training"

// commit writes the bundle of the parts at hand.
func (r *run) commit() error {
	manifest, err := r.manifest()
	if err != nil {
		return err
	}
	w, err := bundle.Create(BundleDir(r.Out), manifest)
	if err != nil {
		return err
	}
	defer w.Abort()
	from := func(role bundle.Role) map[bundle.Role]string { return map[bundle.Role]string{role: ""} }
	parts := []bundle.Part{
		{Role: bundle.Graph, File: "graph.json"},
		{Role: bundle.GraphDFA, File: "graph.dfa"},
		{Role: bundle.Encoder, File: "encoder.onnx"},
		{Role: bundle.Dynamics, File: "dynamics.onnx", From: from(bundle.Encoder)},
		{Role: bundle.Model, File: "model.json", From: from(bundle.Graph)},
		{Role: bundle.Classifier, File: "classifier.onnx", From: from(bundle.Model)},
		{Role: TrainingRole, File: "training.json"},
	}
	if r.parts[TrainingRole], err = r.training(); err != nil {
		return err
	}
	for _, p := range parts {
		if data := r.parts[p.Role]; data != nil {
			if err := w.Add(p, data); err != nil {
				return err
			}
		}
	}
	r.result.Bundle, err = w.Commit()
	return err
}

func (r *run) manifest() (bundle.Manifest, error) {
	version, err := inference.Version()
	if err != nil {
		return bundle.Manifest{}, err
	}
	m := bundle.Manifest{
		Domain: r.Domain, Preset: r.Preset.Name, Seed: r.Seed,
		Versions: bundle.Versions{Program: r.Version, Go: runtime.Version(), ONNXRuntime: version},
		Image:    &bundle.Image{Height: r.Preset.ImageSize(), Width: r.Preset.ImageSize(), Encoding: "rgb8", Resize: "area"},
	}
	if r.result.Bundle != nil { // of the stages before
		m.Inputs = r.result.Bundle.Manifest.Inputs
		return m, nil
	}
	sum, size, err := bundle.HashDir(r.Bag)
	if err != nil {
		return m, fmt.Errorf("hash recording: %w", err)
	}
	m.Inputs = []bundle.Input{{Name: "recording", Bytes: size, SHA256: sum}}
	return m, nil
}

// training joins the curves of this run to those of stages taken from a bundle.
func (r *run) training() ([]byte, error) {
	var t Training
	if old := r.parts[TrainingRole]; old != nil {
		if err := json.Unmarshal(old, &t); err != nil {
			return nil, fmt.Errorf("bundle %s: training.json: %w", BundleDir(r.Out), err)
		}
	}
	if w := r.result.World; w != nil {
		d := r.result.Recording.Data
		t = Training{Transitions: len(d.Transitions), Refused: len(d.Refused), FSQ: w.Model.FSQ, Chosen: w.Chosen, WorldModel: w.History}
	}
	if c := r.result.Classifier; c != nil {
		t.Classifier = c.History
	}
	return json.MarshalIndent(t, "", " ")
}

// reuse takes the parts of the stages before the one to run from the bundle.
// A part that depends on what will be learned anew is left out.
func (r *run) reuse() error {
	b, err := bundle.Open(BundleDir(r.Out))
	if err != nil {
		return err
	}
	r.result.Bundle = b
	roles := []bundle.Role{bundle.Graph, bundle.GraphDFA, bundle.Encoder, TrainingRole}
	if _, ok := b.Part(bundle.Dynamics); ok { // bundles had none once
		roles = append(roles, bundle.Dynamics)
	}
	if r.Stage == ClassifierStage {
		roles = append(roles, bundle.Model)
	}
	for _, role := range roles {
		if r.parts[role], err = b.Read(role); err != nil {
			return err
		}
	}
	if r.result.Graph, err = taskgraph.ReadJSON(bytes.NewReader(r.parts[bundle.Graph])); err != nil {
		return err
	}
	r.Labels = r.result.Graph.Labels
	r.Domain = b.Manifest.Domain
	if r.Stage != ClassifierStage {
		return nil
	}
	model, err := strips.ReadJSON(bytes.NewReader(r.parts[bundle.Model]))
	if err != nil {
		return err
	}
	r.result.Operators = &operators.Result{Model: model}
	return nil
}
