package learn

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"

	"stripswm/bags"
	"stripswm/models/bundle"
	"stripswm/models/facts"
	"stripswm/models/imageplan"
	"stripswm/models/inference"
	"stripswm/models/vision"
)

// Refresher learns anew what images look like to a bundle of facts: from its own recordings and
// from newer ones, such as of executed plans. Images are aligned to the bundle's camera and light
// first. What its facts mean, and its operators, stay.
type Refresher struct {
	Bundle    string
	Bags      []string // the bundle's own, and newer ones
	Out       string   // folder for the new bundle
	Confirmed bool     // facts.RefreshOptions
	Seed      uint64
	Threads   int
	Device    inference.Device
	Version   string // of the program, for the manifest
	Progress  Progress
}

// RefreshSummary is what a Refresher did.
type RefreshSummary struct {
	facts.Refreshed
	Recordings int    `json:"recordings"` // new ones
	Images     int    `json:"images"`     // of these
	Bundle     string `json:"bundle"`
}

// input is a recording and what the manifest says of it.
type input struct {
	bag string
	bundle.Input
}

func inputOf(bag string) (input, error) {
	sum, size, err := bundle.HashDir(bag)
	if err != nil {
		return input{}, fmt.Errorf("hash recording: %w", err)
	}
	return input{bag, bundle.Input{Name: "recording", Bytes: size, SHA256: sum}}, nil
}

// inputs are the bundle's own recordings and the others. It needs all of its own: what only these
// show would be forgotten.
func (r Refresher) inputs(b *bundle.Bundle) (own, others []input, err error) {
	missing := slices.Clone(b.Manifest.Inputs)
	for _, bag := range r.Bags {
		in, err := inputOf(bag)
		if err != nil {
			return nil, nil, err
		}
		of := func(i bundle.Input) bool { return i.SHA256 == in.SHA256 }
		if k := slices.IndexFunc(missing, of); k >= 0 {
			missing, own = slices.Delete(missing, k, k+1), append(own, in)
		} else if !slices.ContainsFunc(slices.Concat(own, others), func(i input) bool {
			return of(i.Input)
		}) {
			others = append(others, in)
		}
	}
	switch {
	case len(missing) > 0:
		return nil, nil, fmt.Errorf("bundle %s was learned from %d recordings: add those with the "+
			"hashes %s; what only they show would be forgotten", b.Dir, len(b.Manifest.Inputs),
			hashes(missing))
	case len(others) == 0:
		return nil, nil, fmt.Errorf("bundle %s was learned from all of these recordings: add a newer "+
			"one", b.Dir)
	}
	return own, others, nil
}

func hashes(inputs []bundle.Input) (text string) {
	for i, in := range inputs {
		if i > 0 {
			text += ", "
		}
		text += in.SHA256[:12]
	}
	return text
}

// Run refreshes the bundle, or says why not: errors may wrap facts.ErrWorse or facts.ErrNothingNew.
func (r Refresher) Run(ctx context.Context) (s RefreshSummary, err error) {
	p, err := imageplan.Open(r.Bundle, imageplan.Options{})
	if err != nil {
		return s, err
	}
	defer func() { err = errors.Join(err, p.Close()) }()
	b, old := p.Bundle(), p.Facts()
	if old == nil {
		return s, fmt.Errorf("bundle %s has a task graph: only bundles of facts are refreshed", b.Dir)
	}
	own, others, err := r.inputs(b)
	if err != nil {
		return s, err
	}
	frame, err := FrameOf(b)
	if err != nil {
		return s, err
	}
	recordings := slices.Concat(own, others)
	var paths []string
	for _, in := range recordings {
		paths = append(paths, in.bag)
	}
	load := func(from, to, actions int) (*Recording, error) {
		return loadAll(ctx, bags.Open, paths[from:to], frame, actions, func(k, n int) {
			if r.Progress != nil {
				r.Progress(reading(from+k, paths), n, 0, "")
			}
		})
	}
	all, err := load(0, len(own), 0)
	if err != nil {
		return s, err
	}
	defer func() { err = errors.Join(err, all.Close()) }()
	o := facts.RefreshOptions{Confirmed: r.Confirmed, Old: all.Data.Images(),
		Preset: facts.DefaultPreset(), Training: vision.Options{Seed: r.Seed, Threads: r.Threads,
			Device: r.Device}}
	more, err := load(len(own), len(paths), all.Data.Actions)
	if err != nil {
		return s, err
	}
	if err := all.Append(more); err != nil {
		return s, fmt.Errorf("new recordings: %w", errors.Join(err, more.Close()))
	}
	o.Beyond = all.beyond
	s.Recordings, s.Images = len(others), all.Data.Images()-o.Old
	if r.Progress != nil {
		r.Progress("learn what images look like", 0, 1, "")
	}
	z, refreshed, err := old.Refresh(ctx, all.Data, p.Model(), o)
	s.Refreshed = refreshed
	if err != nil {
		return s, err
	}
	parts, err := r.parts(b, z)
	if err != nil {
		return s, err
	}
	m := b.Manifest
	m.Seed, m.Versions.Program, m.Inputs = r.Seed, r.Version, nil
	for _, in := range recordings {
		m.Inputs = append(m.Inputs, in.Input)
	}
	if err := os.MkdirAll(r.Out, 0o777); err != nil {
		return s, fmt.Errorf("make output folder: %w", err)
	}
	written, err := write(r.Out, m, parts)
	if err == nil {
		s.Bundle = written.Dir
	}
	return s, err
}

// parts are those of the bundle, but for what reads its facts.
func (r Refresher) parts(b *bundle.Bundle, z *facts.Recognizer) (map[bundle.Role][]byte, error) {
	parts := map[bundle.Role][]byte{}
	for _, role := range []bundle.Role{bundle.Model, bundle.Reference, TrainingRole} {
		if _, ok := b.Part(role); !ok {
			continue
		}
		data, err := b.Read(role)
		if err != nil {
			return nil, err
		}
		parts[role] = data
	}
	var err error
	if parts[bundle.Classifier], err = z.Classifier.ExportLogits(); err != nil {
		return nil, err
	}
	var check bytes.Buffer
	err = z.Write(&check)
	parts[bundle.Facts] = check.Bytes()
	return parts, err
}
