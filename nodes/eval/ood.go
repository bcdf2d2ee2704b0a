package eval

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image/jpeg"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"

	"stripswm/models/imageplan"
	"stripswm/models/pixels"
	"stripswm/models/strips"
	"stripswm/nodes/sim"
	"stripswm/nodes/sim/camera"
	"stripswm/nodes/sim/record"
	"stripswm/nodes/sim/scene"
)

// OutOfDistribution is what a planner makes of one kind of images that it should not plan
// from, or only from the state that was shown before they were corrupted.
type OutOfDistribution struct {
	Kind   string `json:"kind"`
	Images int    `json:"images"`
	Right  int    `json:"right"` // classified as the state that the corrupted image showed
	Wrong  int    `json:"wrong"` // classified as a state, another one or any
	// Mirror marks an alteration that may show another state of the world as it is.
	Mirror  bool                      `json:"mirror,omitempty"`
	Refused map[imageplan.Refusal]int `json:"refused,omitempty"` // by reason
	// Placed are refused images that say where they are like nothing recorded, and PlacedRight
	// those in which it is wrong there. Of Pairs only.
	Placed      int `json:"placed,omitempty"`
	PlacedRight int `json:"placed_right,omitempty"`
	// Example is an image that is classified as a wrong state, or else one for the right, or
	// else one that is refused.
	Example Sample `json:"-"`
}

// Add adds the counts of another kind.
func (s *OutOfDistribution) Add(o OutOfDistribution) {
	s.Images, s.Right, s.Wrong = s.Images+o.Images, s.Right+o.Right, s.Wrong+o.Wrong
}

// Sample is an image and what it is classified as.
type Sample struct {
	Image pixels.RGB
	imageplan.Recognition
	worth int
}

// How many images are shown of each kind.
const (
	unrelatedImages = 40
	corruptedImages = 60
	faultyImages    = 200
)

// unrelated has the planner look at images that show no state, those of other worlds
// included.
func unrelated(ctx context.Context, p *imageplan.Planner, from source,
	o Options,
) ([]OutOfDistribution, error) {
	const side = 128
	rng := rand.New(rand.NewPCG(o.Seed, streamUnrelated))
	kinds := Unrelated()
	worlds, err := otherWorlds(from.truth().World(), o)
	if err != nil {
		return nil, err
	}
	var all []OutOfDistribution
	for i, k := range append(kinds, worlds...) {
		s := OutOfDistribution{Kind: k.Name}
		for range unrelatedImages {
			if _, err := s.show(ctx, p, k.Draw(rng, side), strips.State{}); err != nil {
				return nil, err
			}
		}
		all = append(all, s)
		o.report("show unrelated images", i+1, len(kinds)+len(worlds))
	}
	return all, nil
}

// otherWorlds are kinds of images: those of our worlds but for the one evaluated, if
// that is one of them.
func otherWorlds(here *sim.World, o Options) ([]Kind, error) {
	var kinds []Kind
	for _, name := range sim.Tables() {
		if here != nil && name == sim.Table(here).Name() {
			continue
		}
		w, err := sim.New(name)
		if err != nil {
			return nil, err
		}
		g, err := sim.Explored(w, o.Seed)
		if err != nil {
			return nil, err
		}
		kinds = append(kinds, Kind{Name: "another world: " + name, Draw: func(rng *rand.Rand,
			side int) pixels.RGB {
			states := g.States()
			img, err := camera.New(side, side).Render(w, states[rng.IntN(len(states))],
				record.EvaluationSeed(o.Seed, rng.Uint64()))
			if err != nil {
				panic(fmt.Sprintf("camera: %v", err)) // of sizes that it does not take
			}
			return pixels.FromImage(img)
		}})
	}
	return kinds, nil
}

// corrupted has the planner look at images of known states that were tampered with.
func corrupted(ctx context.Context, p *imageplan.Planner, from source, s *stateRecognitions,
	o Options,
) ([]OutOfDistribution, error) {
	rng := rand.New(rand.NewPCG(o.Seed, streamCorrupted))
	fresh := from.fresh(0)
	var orders []order
	var shown []strips.State
	for range corruptedImages {
		i := rng.IntN(len(fresh))
		if len(fresh[i]) > 0 && s.majority[i] != (strips.State{}) {
			orders = append(orders, order{fresh[i][rng.IntN(len(fresh[i]))]})
			shown = append(shown, s.majority[i])
		}
	}
	var base []pixels.RGB
	if err := photograph(ctx, orders, o.Workers, func(taken shot) error {
		base = append(base, taken[0])
		return nil
	}); err != nil {
		return nil, err
	}
	var all []OutOfDistribution
	for i, a := range Corrupted() {
		k := OutOfDistribution{Kind: a.Name, Mirror: a.Mirror}
		for j, img := range base {
			if _, err := k.show(ctx, p, a.Corrupt(rng, img), shown[j]); err != nil {
				return nil, err
			}
		}
		all = append(all, k)
		o.report("show corrupted images", i+1, len(Corrupted()))
	}
	return all, nil
}

// show counts what an image is classified as; the zero State stands for none.
func (s *OutOfDistribution) show(ctx context.Context, p *imageplan.Planner, img pixels.RGB,
	is strips.State,
) (imageplan.Recognition, error) {
	if err := ctx.Err(); err != nil {
		return imageplan.Recognition{}, err
	}
	r, err := p.Recognize(img)
	if err != nil {
		return r, fmt.Errorf("%s: %w", s.Kind, err)
	}
	s.Images++
	worth := 1 // as an example
	switch {
	case !r.Known():
		if s.Refused == nil {
			s.Refused = map[imageplan.Refusal]int{}
		}
		s.Refused[r.Refusal]++
	case is != (strips.State{}) && r.Code == is:
		s.Right++
		worth = 2
	default:
		s.Wrong++
		worth = 3
	}
	if worth > s.Example.worth {
		s.Example = Sample{img, r, worth}
	}
	return r, nil
}

// Faulty is how the recognition check does: it must accept good images, and refuse tables
// that show no state.
type Faulty struct {
	// Good are new images of known states, as they are and compressed again. Right are
	// accepted as their state, Wrong as another.
	Good []OutOfDistribution `json:"good"`
	// Faults are images of tables on which something is wrong. Right are accepted as the
	// state that the table had before, Wrong as another; both should be none.
	Faults []OutOfDistribution `json:"faults"`
	// Changed are good images of a camera that was bumped, or in other light, and ChangedFaults what
	// must be refused there as well.
	Changed       []OutOfDistribution `json:"changed,omitempty"`
	ChangedFaults []OutOfDistribution `json:"changed_faults,omitempty"`
}

// table is a kind of images: of a table that is good (0), one whose image is compressed again (1),
// or one with a fault (from 2 on), by a camera and in a light that may have changed, and what comes
// into view then.
type table struct {
	name   string
	kind   int
	change Change
	hides  func(rng *rand.Rand, p pixels.RGB) pixels.RGB
}

// tables lists those of Good, Faults, Changed and ChangedFaults.
func tables() (all [4][]table) {
	all[0] = []table{{name: "as it is"}, {name: "compressed again, JPEG quality 75", kind: 1}}
	for k, f := range scene.Faults() {
		all[1] = append(all[1], table{name: string(f), kind: k + 2})
		all[3] = append(all[3], table{name: string(f), kind: k + 2, change: Both()})
	}
	for _, c := range Changes() {
		all[2] = append(all[2], table{name: c.Name, change: c})
	}
	for _, c := range Corrupted() {
		if c.Hides {
			all[3] = append(all[3], table{name: c.Name, change: Both(), hides: c.Corrupt})
		}
	}
	return all
}

// faulty measures the recognition check. Only simulated worlds have faulty tables.
func faulty(ctx context.Context, p *imageplan.Planner, from source, s *stateRecognitions,
	o Options,
) (*Faulty, error) {
	w, ok := from.(*simulated)
	if !ok {
		return nil, nil
	}
	var known []int // states of the graph that the model knows
	for i, code := range s.majority {
		if code != (strips.State{}) {
			known = append(known, i)
		}
	}
	if len(known) == 0 {
		return nil, nil
	}
	rng := rand.New(rand.NewPCG(o.Seed, streamFaulty))
	var f Faulty
	lists, done, shown := tables(), 0, 0
	all := len(slices.Concat(lists[:]...))
	for l, to := range []*[]OutOfDistribution{&f.Good, &f.Faults, &f.Changed, &f.ChangedFaults} {
		for _, t := range lists[l] {
			kind := OutOfDistribution{Kind: t.name}
			for range faultyImages {
				at, img, _, err := w.faultyOf(t, known, uint64(shown), rng)
				if err != nil {
					return nil, err
				}
				shown++
				if _, err := kind.show(ctx, p, img, s.majority[at]); err != nil {
					return nil, err
				}
			}
			*to = append(*to, kind)
			done++
			o.report("show faulty tables", done, all)
		}
	}
	return &f, nil
}

// faultyOf draws an image of a table in one of the known states, by index, and the same one without
// what is wrong. In some states a fault cannot be seen: then another state is drawn.
func (w *simulated) faultyOf(t table, known []int, number uint64,
	rng *rand.Rand,
) (at int, img, good pixels.RGB, err error) {
	const tries = 20
	for range tries {
		at = known[rng.IntN(len(known))]
		img, good, visible, err := w.faulty(t, w.graph.States()[at], number, rng)
		if err == nil && visible && t.hides != nil {
			img = t.hides(rng, img)
		}
		if err != nil || visible {
			return at, img, good, err
		}
	}
	return 0, img, good, fmt.Errorf("%s: %s: cannot be seen in %d states", w.graph.World().Name(),
		t.name, tries)
}

// faulty draws an image of a table, and the same one without the fault. A fault that is hardly
// seen, since something stands in front of it, is none: then another is drawn, and visible is
// false where that does not help.
func (w *simulated) faulty(t table, s sim.State, number uint64,
	rng *rand.Rand,
) (bad, good pixels.RGB, visible bool, _ error) {
	world, seed := w.graph.World(), record.EvaluationSeed(w.options.Seed, 1<<34+number)
	sc, err := world.Scene(s, scene.NewJitter(seed, w.options.Nuisance))
	if err != nil {
		return bad, good, false, err
	}
	var change Drawn
	if t.change != (Change{}) {
		change = t.change.Draw(rng)
	}
	if good, err = w.draw(sc, seed, change); err != nil {
		return bad, good, false, err
	}
	switch t.kind {
	case 0:
		return good, good, true, nil
	case 1:
		sent, err := recompressed(good)
		return sent, good, true, err
	}
	const tries = 20
	for range tries {
		sc, err := sim.Faulty(world, s, scene.Faults()[t.kind-2], rng, seed, w.options.Nuisance)
		if errors.Is(err, sim.ErrNoPlace) {
			return good, good, false, nil
		}
		if err != nil {
			return good, good, false, err
		}
		if bad, err = w.draw(sc, seed, change); err != nil {
			return bad, good, false, err
		}
		if Visible(good, bad) {
			return bad, good, true, nil
		}
	}
	return good, good, false, nil
}

func recompressed(p pixels.RGB) (pixels.RGB, error) {
	var b bytes.Buffer
	err := jpeg.Encode(&b, p.Image(), &jpeg.Options{Quality: 75})
	img, decodeErr := jpeg.Decode(&b)
	if err := errors.Join(err, decodeErr); err != nil {
		return p, err
	}
	return pixels.FromImage(img), nil
}

// Photographs are those of one kind, as they are and with camera and light changed. Right are
// accepted as the state that the photograph itself is, Wrong as another.
type Photographs struct {
	Kind    string              `json:"kind"`
	Changes []OutOfDistribution `json:"changes"`
}

// RecognizePhotographs has a planner look at the images of a folder. What a file's name begins
// with, as in arm_03.jpg, is their kind.
func RecognizePhotographs(ctx context.Context, p *imageplan.Planner, folder string,
) (all []Photographs, err error) {
	paths, err := filepath.Glob(filepath.Join(folder, "*_*.*g"))
	if err != nil {
		return nil, err
	}
	changes := append([]Change{{Name: "as it is"}}, Changes()...)
	rng := rand.New(rand.NewPCG(1, 0))
	for _, path := range paths {
		img, err := readPhoto(path)
		if err != nil {
			return nil, err
		}
		name := filepath.Base(path)
		kind := name[:strings.LastIndex(name, "_")]
		at := slices.IndexFunc(all, func(s Photographs) bool { return s.Kind == kind })
		if at < 0 {
			at = len(all)
			all = append(all, Photographs{Kind: kind})
			for _, c := range changes {
				all[at].Changes = append(all[at].Changes, OutOfDistribution{Kind: c.Name})
			}
		}
		itself, err := p.Recognize(img)
		if err != nil {
			return nil, err
		}
		for k, c := range changes {
			changed := img
			if k > 0 {
				d := c.Draw(rng)
				if changed, err = d.Moved(img); err != nil {
					return nil, err
				}
				changed = d.Lit(changed)
			}
			if _, err := all[at].Changes[k].show(ctx, p, changed, itself.Code); err != nil {
				return nil, err
			}
		}
	}
	return all, nil
}
