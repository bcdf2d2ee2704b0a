package node

import (
	"context"
	"errors"
	"fmt"
	"image"
	"path/filepath"
	"time"

	"stripswm/internal/files"
	"stripswm/models/bundle"
	"stripswm/models/imageplan"
	"stripswm/models/pixels"
	"stripswm/models/planner"
	"stripswm/models/strips"
	"stripswm/nodes/camera"
	"stripswm/nodes/execute"
	"stripswm/nodes/ros"
	"stripswm/nodes/skills"
)

// session is what configure makes and cleanup lets go of.
type session struct {
	node     *ros.Node
	images   *imageplan.Planner
	model    *strips.Model
	bundle   string // SHA-256 of the manifest, hex
	observer *observer
	camera   *camera.Latest
	skills   skillClient
	search   *execute.ModelSearch
	closers  []func() error
}

// open loads the bundle and connects camera and skill executor.
func open(n *ros.Node, p *params) (*session, error) {
	dir := p.bundle.Get()
	if dir == "" {
		return nil, errors.New("the parameter bundle is empty: give the directory of a learned bundle")
	}
	seen, err := pixels.CameraOf(p.region.Get(), int(p.bits.Get()))
	if err != nil {
		return nil, err
	}
	images, err := imageplan.Open(dir, imageplan.Options{Inference: p.inference(),
		Thresholds: p.thresholds(), Camera: seen})
	if err != nil {
		return nil, err
	}
	s := &session{node: n, images: images, model: images.Model(), closers: []func() error{
		images.Close}}
	if err := s.connect(dir, p); err != nil {
		return nil, errors.Join(err, s.close())
	}
	return s, nil
}

func (s *session) connect(dir string, p *params) error {
	manifest, err := files.Read(filepath.Join(dir, bundle.ManifestName), bundle.MaxManifestBytes)
	if err != nil {
		return err
	}
	s.bundle = bundle.Sum(manifest)
	s.observer = newObserver(s.images)
	if err := s.warm(dir); err != nil {
		return err
	}
	if s.search, err = execute.NewModelSearch(s.model, p.limits()); err != nil {
		return err
	}
	if s.camera, err = camera.OpenLatest(s.node, camera.Transport(p.transport.Get())); err != nil {
		return err
	}
	s.closers = append(s.closers, s.camera.Close)
	client, err := skills.Open(s.node)
	if err != nil {
		return err
	}
	s.closers = append(s.closers, client.Close)
	s.skills = skillClient{client}
	return nil
}

// warm runs the classifier a few times, so that the first goal does not pay for
// what sessions put off, and says where it runs.
func (s *session) warm(dir string) error {
	network := s.images.Network()
	if reason := network.Fallback(); reason != nil {
		s.node.Log().Warn("the classifier runs elsewhere than asked for", "on", network.Device(),
			"because", reason)
	}
	blank := pixels.FromImage(image.NewRGBA(image.Rect(0, 0, network.Width, network.Height)))
	var last time.Duration
	for range 3 {
		begin := time.Now()
		if _, err := s.observer.Observe(blank); err != nil {
			return fmt.Errorf("warm up the classifier: %w", err)
		}
		last = time.Since(begin)
	}
	s.node.Log().Info("bundle loaded", "bundle", dir, "manifest", s.bundle[:12], "device",
		string(network.Device()),
		"predicates", s.model.Predicates, "actions", s.model.Actions(), "operators",
		len(s.model.Operators), "states", len(s.model.States), "nondeterministic outcomes",
		len(s.model.Nondeterministic), "image_ms", fmt.Sprintf("%.1f", 1e3*last.Seconds()))
	return nil
}

// close lets go of everything, the last first.
func (s *session) close() error {
	var errs []error
	for i := len(s.closers) - 1; i >= 0; i-- {
		errs = append(errs, s.closers[i]())
	}
	return errors.Join(errs...)
}

// Observe waits for a camera frame and recognizes it.
func (s *session) Observe(ctx context.Context, notBefore time.Time) (execute.Observation, error) {
	f, err := s.camera.Next(ctx, notBefore)
	if err != nil {
		return execute.Observation{}, err
	}
	img, err := f.RGB(s.images.Frame().Bits)
	if err != nil {
		return execute.Observation{}, err
	}
	o, err := s.observer.Observe(img)
	o.Stamp, o.Taken = f.Stamp(), f.Taken
	return o, err
}

// executor plans and executes with these limits and this policy.
func (s *session) executor(limits planner.Limits, policy execute.Policy) *execute.Executor {
	search := *s.search
	search.Limits = limits
	return &execute.Executor{Recognizer: s, Skills: s.skills, Search: &search, Clock: s.node.Clock(),
		Policy: policy}
}

// names are the labels of a plan's actions.
func (s *session) names(plan []strips.ActionID) []string {
	names := []string{}
	for _, a := range plan {
		name := fmt.Sprintf("action %d", a)
		if label := s.model.Label(a); label != "" {
			name = label
		}
		names = append(names, name)
	}
	return names
}

func (s *session) frameID() string {
	if f, _ := s.camera.Newest(); f != nil {
		return f.Header.FrameID
	}
	return ""
}

// skillClient sends skills to the skill executor. A skill that the executor rejects does not apply.
type skillClient struct{ *skills.Client }

func (a skillClient) Execute(ctx context.Context, action strips.ActionID) (execute.Report, error) {
	report, err := a.Client.Execute(ctx, action)
	if errors.Is(err, ros.ErrRejected) {
		return execute.Report{Outcome: execute.Refused, Message: "the executor rejects the goal"}, nil
	}
	return report, err
}
