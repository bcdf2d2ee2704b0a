package facts

import (
	"context"
	"runtime"
	"slices"
	"sync"

	"github.com/sourcegraph/conc/pool"

	"stripswm/models/dataset"
	"stripswm/models/strips"
	"stripswm/models/traces"
)

// newLook is how many limits an image may be from what it should look like to be taken for one of
// the known things as they stand from day to day. What is farther may be another thing.
const newLook = 1.5

// followed is what the images of a recording show by a model that is known.
type followed struct {
	shows   []int       // the static interval of each image; -1 of none
	targets [][]float32 // of each image; nil where model and sight do not agree
	images  []int       // that have targets
	strange []int       // images whose look is new, and that nobody confirmed: not among images
	cuts    int         // successes that contradict what is seen before and after
}

// scene is a static interval of a recording.
type scene struct {
	images []int
	read   []bool // what its images show, where all that are read surely agree; nil: nothing
	values []traces.Value
	via    strips.ActionID // the skill that led here; 0: nobody knows
}

// follow says what the images of a dataset show. What a recognizer reads surely in them counts
// where it is what a skill beside it says: the model leads from what is read before a success to
// what is read after it. From there values follow from skill to skill, through images that are not
// read surely, and what a skill needs and changes is known without any. A success that contradicts
// what is seen before and after it is cut out. The first old images are known to look as they
// should.
func (z *Recognizer) follow(ctx context.Context, d *dataset.Dataset, m *strips.Model,
	o RefreshOptions,
) (*followed, error) {
	seen, err := z.readSurely(ctx, d, o)
	if err != nil {
		return nil, err
	}
	f := &followed{shows: make([]int, d.Images()), targets: make([][]float32, d.Images())}
	for i := range f.shows {
		f.shows[i] = -1
	}
	interval := 0
	for _, segment := range scenes(Attempts(d)) {
		f.cuts += settle(segment, seen, m)
		for _, s := range segment {
			target := targetOf(s.values)
			for _, i := range s.images {
				f.shows[i] = interval
				switch {
				case target == nil || o.beyond(i):
				case seen[i].score <= newLook*z.Limit || o.Confirmed:
					f.targets[i], f.images = target, append(f.images, i)
				default:
					f.strange = append(f.strange, i)
				}
			}
			interval++
		}
	}
	slices.Sort(f.images)
	f.images = slices.Compact(f.images)
	return f, nil
}

// glance is what an image shows by itself.
type glance struct {
	values []bool // nil where they are not sure
	score  float64
}

// readSurely reads all images of a dataset, and says how far those after the first old ones are
// from what they should look like. Of these a thing may look unlike that where this was confirmed.
func (z *Recognizer) readSurely(ctx context.Context, d *dataset.Dataset, o RefreshOptions) (
	[]glance, error,
) {
	var one sync.Mutex // of the networks
	read := func(image []uint8) ([]float32, error) {
		one.Lock()
		defer one.Unlock()
		logits, err := z.logits(ctx, image)
		return slices.Clone(logits), err
	}
	const some = 256 // images in memory
	all, m := make([]glance, d.Images()), z.Constraints.predicates
	for begin := 0; begin < len(all); begin += some {
		end := min(begin+some, len(all))
		logits, err := read(d.Packed(begin, end))
		if err != nil {
			return nil, err
		}
		group := pool.New().WithErrors().WithMaxGoroutines(runtime.GOMAXPROCS(0))
		for k, i := 0, begin; i < end; k, i = k+1, i+1 {
			group.Go(func() (err error) {
				if err := ctx.Err(); err != nil || o.beyond(i) {
					return err
				}
				all[i], err = z.glance(logits[k*m:(k+1)*m], d.Image(i), read, i >= o.Old, o.Confirmed)
				return err
			})
		}
		if err := group.Wait(); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// glance reads an image, and says how far a new one is from what it should look like.
func (z *Recognizer) glance(logits []float32, image []uint8,
	read func([]uint8) ([]float32, error), isNew, confirmed bool,
) (g glance, err error) {
	r := z.decode(logits, logits, view{})
	if r.Values != nil && r.NegLogLikelihood <= z.Unit && // skills beside it say the same, too
		z.Constraints.confidence(logits, r.Values, view{}) >= leastConfidence {
		g.values = r.Values
	}
	if !isNew {
		return g, nil
	}
	r = z.RecognizeLogits(logits, image, nil)
	if g.score = r.Score; r.Refusal == "" || !confirmed {
		return g, nil
	}
	r, err = z.RecognizeUnlike(r, logits, image, nil, read)
	if g.values = nil; r.Refusal == "" {
		g.values = r.Values
	}
	return g, err
}

// scenes are the static intervals of a recording, by segment.
func scenes(r Recording) (all [][]*scene) {
	for s, attempts := range r.Segments {
		now := &scene{}
		segment := []*scene{now}
		for i, a := range attempts {
			before, after := r.Images[s][i][0], r.Images[s][i][1]
			now.images = append(now.images, before)
			switch a.Outcome {
			case traces.Refused:
				now.images = append(now.images, after)
			case traces.Succeeded:
				now = &scene{via: a.Action, images: []int{after}}
				segment = append(segment, now)
			default: // the image after it may show anything
				now = &scene{}
				segment = append(segment, now)
			}
		}
		all = append(all, segment)
	}
	return all
}

// settle finds the values of the scenes of a segment, and returns how many successes it cut out.
func settle(segment []*scene, seen []glance, m *strips.Model) (cuts int) {
	for _, s := range segment {
		for k, i := range s.images {
			if k == 0 || s.read == nil {
				s.read = seen[i].values
			} else if seen[i].values != nil && !slices.Equal(s.read, seen[i].values) {
				s.read = nil
				break
			}
		}
	}
	agree := make([]bool, len(segment))
	for i := 1; i < len(segment); i++ {
		from, to := segment[i-1], segment[i]
		if from.read == nil || to.read == nil || to.via == 0 {
			continue
		}
		before, after := strips.StateOf(from.read), strips.StateOf(to.read)
		led := slices.ContainsFunc(operatorsOf(m, to.via), func(o *strips.Operator) bool {
			return o.Applicable(before) && o.Apply(before) == after
		})
		if led {
			agree[i-1], agree[i] = true, true
		} else {
			cuts++
			to.via = 0
		}
	}
	for {
		for i, s := range segment {
			s.values = make([]traces.Value, m.Predicates)
			if agree[i] {
				for p, v := range s.read {
					s.values[p] = traces.ValueOf(v)
				}
			}
		}
		broken := propagate(segment, m)
		if broken == nil {
			return cuts
		}
		cuts++
		broken.via = 0
	}
}

// propagate takes known values from scene to scene until no more are known. It returns a scene to
// which no operator can have led, if there is one.
func propagate(segment []*scene, m *strips.Model) (broken *scene) {
	for changed := true; changed; {
		changed = false
		through := func(i int) bool {
			from, to := segment[i-1], segment[i]
			all := operatorsOf(m, to.via)
			if len(all) == 0 {
				return true
			}
			var before, after [][]traces.Value
			for _, o := range all {
				if b, a, ok := happened(o, from.values, to.values); ok {
					before, after = append(before, b), append(after, a)
				}
			}
			if len(before) == 0 {
				broken = to
				return false
			}
			learned := take(from.values, before)
			changed = take(to.values, after) || learned || changed
			return true
		}
		for i := 1; i < len(segment); i++ {
			if !through(i) {
				return broken
			}
		}
		for i := len(segment) - 1; i > 0; i-- {
			if !through(i) {
				return broken
			}
		}
	}
	return nil
}

// happened returns what is known before and after an operator, given what was known; not ok if it
// cannot have happened.
func happened(o *strips.Operator, before, after []traces.Value) (b, a []traces.Value, ok bool) {
	b, a = slices.Clone(before), slices.Clone(after)
	changes := make([]bool, len(b))
	ok = true
	put := func(to []traces.Value, all []strips.Predicate, v traces.Value) {
		for _, p := range all {
			ok = ok && (to[p] == v || to[p] == traces.Unknown)
			to[p] = v
		}
	}
	put(b, o.PrePos, traces.True)
	put(b, o.PreNeg, traces.False)
	put(a, o.Add, traces.True)
	put(a, o.Del, traces.False)
	for _, p := range slices.Concat(o.Add, o.Del, o.Toggle) {
		changes[p] = true
	}
	for p := range b {
		switch {
		case changes[p] || b[p] == a[p]:
		case b[p] == traces.Unknown:
			b[p] = a[p]
		case a[p] == traces.Unknown:
			a[p] = b[p]
		default:
			ok = false
		}
	}
	return b, a, ok
}

// take sets values that are unknown to those that all possibilities agree on.
func take(to []traces.Value, all [][]traces.Value) (changed bool) {
	for p, v := range to {
		if v != traces.Unknown {
			continue
		}
		v = all[0][p]
		for _, other := range all[1:] {
			if other[p] != v {
				v = traces.Unknown
			}
		}
		to[p] = v
		changed = changed || v != traces.Unknown
	}
	return changed
}

func operatorsOf(m *strips.Model, a strips.ActionID) (all []*strips.Operator) {
	for i := range m.Operators {
		if m.Operators[i].Action == a {
			all = append(all, &m.Operators[i])
		}
	}
	return all
}
