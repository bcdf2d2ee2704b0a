package learn

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"strings"
	"time"

	"stripswm/models/appearance"
	"stripswm/models/bundle"
	"stripswm/models/identity"
	"stripswm/models/inference"
	"stripswm/models/operators"
	"stripswm/models/operators/check"
	"stripswm/models/taskgraph"
	"stripswm/models/vision"
)

// graph is stage 1.
func (r *run) graph(ctx context.Context) error {
	e, err := r.encoder(ctx)
	if err != nil {
		return err
	}
	if err := r.states(ctx, e); err != nil {
		return err
	}
	maps.Copy(r.parts, e.parts)
	r.space = e.space
	return r.trust()
}

// states finds the states that the images show, as an encoder sees them, and the task graph.
func (r *run) states(ctx context.Context, e encoder) error {
	codes, err := r.codes(ctx, e)
	if err != nil {
		return err
	}
	seen := Evidence{Data: r.result.Recording.Data, Codes: codes}
	cuts := identity.Cuts(seen.Data, codes)
	seen.Data.Cut(cuts)
	if seen.Graph, err = identity.TaskGraph(seen.Data, codes, r.labels()); err != nil {
		return err
	}
	repaired, err := Repair(ctx, seen, r.MinSupport)
	if err != nil {
		return err
	}
	r.result.Graph, r.result.Repaired = repaired.Graph, repaired
	r.result.Nodes = identity.NewLocator(repaired.Graph).Nodes(seen.Data, codes)
	r.result.Cuts = Changes(seen.Data, cuts, r.result.Nodes)
	if err := ctx.Err(); err != nil {
		return err
	}
	appearance, err := appearance.Learn(seen.Data, r.result.Nodes, repaired.Graph.NumStates())
	if err != nil {
		return err
	}
	if r.parts[bundle.Appearance], err = appearance.Export(); err != nil {
		return err
	}
	return r.addGraph()
}

// train learns the world model of one latent space, or the best of a sweep.
func (r *run) train(ctx context.Context) (*vision.Learned, error) {
	o := vision.Options{
		Seed: r.Seed, Threads: r.Threads, Device: r.Device, Resume: r.Resume,
		Checkpoint: filepath.Join(r.Out, "stage1.checkpoint"),
		Progress:   r.watch("stage 1: task graph", 2*r.Preset.Batch),
	}
	if len(r.Sweep) > 0 {
		return vision.SweepWorldModel(ctx, r.result.Recording.Data, r.Preset, r.Sweep, o)
	}
	return vision.TrainWorldModel(ctx, r.result.Recording.Data, r.Preset, o)
}

// watch reports a training, by the images of its steps. It says what is known: training ends when
// it settles, so no share of it is done, but it takes no longer than the most steps do.
func (r *run) watch(what string, images int) func(step, most int, e *vision.Evaluation) {
	begin, first, last, evaluated := time.Time{}, 0, 0, ""
	return func(step, most int, e *vision.Evaluation) {
		if last > 0 && step < last { // of a sweep, or since the first losses did not do
			what = strings.TrimSuffix(what, ", again") + ", again"
		}
		if last == 0 || step < last {
			begin, first, evaluated = time.Now(), step, ""
		}
		last = step
		if e != nil {
			evaluated = fmt.Sprintf("loss %.3f, %d codes, nondeterminism %d, ", e.Losses["total"], e.Codes,
				e.Nondeterministic)
		}
		note := fmt.Sprintf("step %d of at most %d", step, most)
		if n := step - first; n > 0 {
			left := time.Since(begin) / time.Duration(n) * time.Duration(most-step)
			note += fmt.Sprintf(", at most %s left", left.Round(time.Second))
		}
		r.report(what, (step-first+1)*images, 0, note+", "+evaluated+"images")
	}
}

// codes encodes all images with the exported network, the one that will be used.
func (r *run) codes(ctx context.Context, e encoder) ([]identity.Code, error) {
	network, err := inference.Open(e.parts[bundle.Encoder], r.inference())
	if err != nil {
		return nil, err
	}
	coder, err := vision.NewCoder(network, e.space)
	if err != nil {
		return nil, errors.Join(err, network.Close())
	}
	defer coder.Close()
	return coder.Codes(ctx, r.result.Recording.Data)
}

func (r *run) inference() inference.Options {
	return inference.Options{Threads: r.Threads, Device: r.Device}
}

func (r *run) labels() []string {
	if len(r.Labels) > 0 {
		return r.Labels
	}
	labels := make([]string, r.result.Recording.Data.Actions)
	for i := range labels {
		labels[i] = fmt.Sprintf("action_%d", i+1)
	}
	return labels
}

func (r *run) addGraph() error {
	var asJSON, asDFA bytes.Buffer
	if err := r.result.Graph.WriteJSON(&asJSON); err != nil {
		return err
	}
	if err := r.result.Graph.WriteDFA(&asDFA); err != nil {
		return err
	}
	r.parts[bundle.Graph], r.parts[bundle.GraphDFA] = asJSON.Bytes(), asDFA.Bytes()
	return nil
}

// operators is stage 2. The model is checked by code that shares nothing with
// the learner before anything else sees it.
func (r *run) operators(ctx context.Context) (err error) {
	if r.result.Graph.NumStates() < 2 {
		return fmt.Errorf(
			"stage 2: the task graph has %d state(s): stage 1 saw no difference between images; record "+
				"more, or train longer", r.result.Graph.NumStates())
	}
	r.report("stage 2: operators", 0, 1, "")
	o := r.Operators
	o.Seed = r.Seed
	if o.Trust.Policy == "" {
		o.Trust = operators.DefaultTrust(r.result.Graph)
	}
	if r.result.Operators, err = operators.Learn(ctx, r.result.Graph, o); err != nil {
		return fmt.Errorf("stage 2: %w", err)
	}
	if err := ctx.Err(); err != nil { // the model is the best until then
		return fmt.Errorf("stage 2: %w", err)
	}
	missing, err := TrustedPairs(r.result.Graph, o.Trust)
	if err != nil {
		return fmt.Errorf("stage 2: %w", err)
	}
	if _, faults := check.Model(r.result.Graph, missing, r.result.Operators.Model); len(faults) > 0 {
		return fmt.Errorf("stage 2: the learned model fails its check: %w", errors.Join(faults...))
	}
	var model bytes.Buffer
	if err := r.result.Operators.Model.WriteJSON(&model); err != nil {
		return err
	}
	r.parts[bundle.Model] = model.Bytes()
	rep := r.result.Operators.Report
	r.report("stage 2: operators", 1, 1, fmt.Sprintf("%d predicates, xi %d, eta %d", rep.Predicates,
		rep.Xi, rep.Eta))
	return nil
}

// TrustedPairs are the trusted missing pairs as the independent checker wants them.
func TrustedPairs(g *taskgraph.Graph, t operators.Trust) ([]check.Pair, error) {
	missing, err := t.Missing(g)
	if err != nil {
		return nil, err
	}
	pairs := make([]check.Pair, len(missing))
	for i, m := range missing {
		pairs[i] = check.Pair{State: m.State, Action: m.Action}
	}
	return pairs, nil
}

// classifier is stage 3.
func (r *run) classifier(ctx context.Context) (err error) {
	if r.result.Nodes == nil {
		if r.result.Nodes, err = locate(ctx, r.result.Bundle, r.result.Recording.Data,
			r.inference()); err != nil {
			return err
		}
	}
	model := r.result.Operators.Model
	targets := make([][]bool, len(r.result.Nodes))
	for i, node := range r.result.Nodes {
		if node < 0 {
			continue
		}
		code, ok := model.Code(node)
		if !ok {
			return fmt.Errorf("stage 3: the model has no node %d of the task graph", node)
		}
		targets[i] = code.Bools()
	}
	backbone, err := r.backbone()
	if err != nil {
		return err
	}
	r.result.Classifier, err = vision.TrainClassifier(ctx, r.result.Recording.Data, targets,
		model.Predicates, backbone, r.Preset, vision.Options{
			Seed: r.Seed, Threads: r.Threads, Device: r.Device,
			Progress: r.watch("stage 3: classifier", 2*r.Preset.Classifier.Batch),
		})
	if err != nil {
		return err
	}
	exported, err := r.result.Classifier.Export()
	if err != nil {
		return err
	}
	if r.result.ClassifierDifference, err = r.result.Classifier.Difference(ctx, exported,
		r.result.Recording.Data); err != nil {
		return err
	}
	r.parts[bundle.Classifier] = exported
	return nil
}

// backbone is what stage 1 left for stage 3 to begin with; nil in a bundle from before
// there was such a part.
func (r *run) backbone() ([]float32, error) {
	data := r.parts[BackboneRole]
	if data == nil {
		return nil, nil
	}
	return readWeights(bytes.NewReader(data))
}

// encoder is what stage 1 sees with, and what was learned with it, as parts of a bundle.
type encoder struct {
	parts map[bundle.Role][]byte
	space vision.FSQ // of its codes
}

// encoder takes that of another bundle, or trains one. A training that was interrupted gives none:
// its checkpoint keeps it.
func (r *run) encoder(ctx context.Context) (encoder, error) {
	if r.reused != nil {
		return reused(r.reused, len(r.labels()))
	}
	learned, err := r.train(ctx)
	if err != nil {
		return encoder{}, err
	}
	r.result.World = learned
	e, err := exported(learned)
	if err != nil {
		return encoder{}, err
	}
	if r.result.EncoderDifference, err = learned.Difference(ctx, e.parts[bundle.Encoder],
		r.result.Recording.Data); err != nil {
		return encoder{}, err
	}
	return e, nil
}

// exported is the encoder of a training.
func exported(l *vision.Learned) (encoder, error) {
	network, err := l.Export()
	if err != nil {
		return encoder{}, err
	}
	dynamics, err := l.ExportDynamics()
	if err != nil {
		return encoder{}, err
	}
	backbone, err := binary.Append(nil, binary.LittleEndian, l.Backbone())
	return encoder{map[bundle.Role][]byte{bundle.Encoder: network, bundle.Dynamics: dynamics,
		BackboneRole: backbone}, l.Model.FSQ}, err
}

// reused is the encoder of a bundle, for a recording of so many actions.
func reused(b *bundle.Bundle, actions int) (encoder, error) {
	g, err := b.TaskGraph()
	if err != nil {
		return encoder{}, err
	}
	if n := g.NumActions(); n != actions {
		return encoder{},
			fmt.Errorf("bundle %s was learned of %d actions, the recording has %d: train an encoder", b.Dir,
				n, actions)
	}
	e := encoder{map[bundle.Role][]byte{}, vision.FSQ(*b.Manifest.Codes)}
	for _, role := range []bundle.Role{bundle.Encoder, bundle.Dynamics, BackboneRole} {
		if _, ok := b.Part(role); !ok && role != bundle.Encoder { // earlier versions wrote none
			continue
		}
		if e.parts[role], err = b.Read(role); err != nil {
			return encoder{}, err
		}
	}
	return e, nil
}

// openReused has stage 1 see with the encoder of another bundle, and images be shown to it as they
// were.
func (r *run) openReused() (err error) {
	if r.reused, err = bundle.Open(r.Encoder); err != nil {
		return err
	}
	if r.reused.Manifest.Codes == nil {
		return fmt.Errorf("bundle %s has no encoder", r.reused.Dir)
	}
	r.frame, err = FrameOf(r.reused)
	return err
}
