package learn

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"

	"github.com/sourcegraph/conc/stream"

	"stripswm/bags"
	"stripswm/models/align"
	"stripswm/models/bundle"
	"stripswm/models/dataset"
	"stripswm/models/identity"
	"stripswm/models/imageplan"
	"stripswm/models/inference"
	"stripswm/models/pixels"
	"stripswm/models/strips"
	"stripswm/models/vision"
	"stripswm/msgs"
	"stripswm/nodes/cvbridge"
)

// Recording is a recording in memory, as the networks see it.
type Recording struct {
	Data   *dataset.Dataset
	images []bags.Image // the recorded image behind each image of Data
	beyond []bool       // of each, that the camera had moved farther than can be corrected
	Names  []string     // of actions 1, 2, ...; nil where the recording has none
	// Simulation is of which simulated world the recording is; nil where it is of none.
	Simulation *bags.Simulation
	Frame      pixels.Frame // how its images were shown to the networks

	reader *bags.Reader
	more   []*bags.Reader // of recordings that were appended
}

// Close lets go of the recording's files; Image fails after it.
func (r *Recording) Close() error {
	err := r.reader.Close()
	for _, m := range r.more {
		err = errors.Join(err, m.Close())
	}
	return err
}

// Append adds another recording of the same skills, which follows nothing of this one and may have
// more of them. Its camera must show the same region. Closing this one closes both.
func (r *Recording) Append(other *Recording) error {
	if r.Frame != other.Frame {
		return fmt.Errorf("its camera has region %v and %d bits used, that of the first recording %v "+
			"and %d: say what is so for all", other.Frame.Region, other.Frame.Bits, r.Frame.Region,
			r.Frame.Bits)
	}
	for i, name := range other.Names {
		if i < len(r.Names) && r.Names[i] != name {
			return fmt.Errorf("action %d is %q, in the first recording %q: ids must keep their meaning",
				i+1, name, r.Names[i])
		}
	}
	if len(other.Names) > len(r.Names) {
		r.Names = other.Names
	}
	if other.Simulation != nil {
		r.Simulation = other.Simulation // what is there now
	}
	r.Data.Actions = max(r.Data.Actions, other.Data.Actions)
	if err := r.Data.Append(other.Data); err != nil {
		return err
	}
	r.images, r.beyond = append(r.images, other.images...), append(r.beyond, other.beyond...)
	r.more = append(append(r.more, other.reader), other.more...)
	return nil
}

// Image loads the recorded image behind an image of Data: all of the camera's region, in full
// resolution.
func (r *Recording) Image(image int) (pixels.RGB, error) {
	return decode(r.images[image], r.Frame.Camera)
}

// seen is where in the camera's image a region of the networks' square is.
func (r *Recording) seen(part pixels.Region, image int) (pixels.Region, error) {
	all, err := decode(r.images[image], pixels.Camera{Bits: r.Frame.Bits})
	if err != nil {
		return pixels.Region{}, err
	}
	return r.Frame.Seen(part, all.Width, all.Height), nil
}

func decode(im bags.Image, c pixels.Camera) (pixels.RGB, error) {
	m, err := im.Message()
	if err != nil {
		return pixels.RGB{}, err
	}
	p, err := cvbridge.Part(m, c)
	if err != nil {
		return p, fmt.Errorf("image %s: %w", im, err)
	}
	return p, nil
}

// Frame is what the networks make of an image: a square of so many pixels a side, of what the
// camera shows.
type Frame struct {
	Side int
	Fit  pixels.Fit
	// Camera is told what the recording says of its camera, and says what is so; nil takes that.
	Camera func(recorded pixels.Camera) pixels.Camera
	// Reference is what images are aligned to; nil: they are taken as they are.
	Reference *align.Reference
}

// FrameOf is that of a bundle with networks.
func FrameOf(b *bundle.Bundle) (Frame, error) {
	f, err := imageplan.FrameOf(b)
	return Frame{Side: f.Side, Fit: f.Fit, Reference: f.Reference,
		Camera: func(pixels.Camera) pixels.Camera { return f.Camera }}, err
}

// Load reads the recording at path, a bag or a folder of images, and brings its images into the
// frame. actions is L; 0 takes the highest action id that occurs.
func Load(ctx context.Context, path string, frame Frame, actions int,
	progress func(transitions int),
) (*Recording, error) {
	return loadWith(ctx, bags.Open, path, frame, actions, progress)
}

// loadAll is Load of several recordings of the same skills, as one. Progress is told which of them
// is read.
func loadAll(ctx context.Context, open func(string) (*bags.Reader, error), paths []string,
	frame Frame, actions int, progress func(recording, transitions int),
) (all *Recording, err error) {
	for k, path := range paths {
		r, err := loadWith(ctx, open, path, frame, actions, func(n int) { progress(k, n) })
		switch {
		case all == nil && err == nil:
			all = r
		case err == nil:
			if err = all.Append(r); err != nil {
				err = fmt.Errorf("recording %s: %w", path, errors.Join(err, r.Close()))
			}
		}
		if err != nil && all != nil {
			err = errors.Join(err, all.Close())
		}
		if err != nil {
			return nil, err
		}
	}
	return all, nil
}

func loadWith(ctx context.Context, open func(string) (*bags.Reader, error), path string,
	frame Frame, actions int, progress func(int),
) (*Recording, error) {
	reader, err := open(path)
	if err != nil {
		return nil, err
	}
	r := &Recording{reader: reader}
	if err := r.load(ctx, frame, actions, progress); err != nil {
		reader.Close()
		return nil, fmt.Errorf("recording %s: %w", path, err)
	}
	return r, nil
}

func (r *Recording) load(ctx context.Context, frame Frame, actions int, progress func(int)) error {
	images, err := r.survey(ctx, frame)
	if err != nil {
		return err
	}
	r.Data = dataset.New(frame.Side, actions, images)
	l := loader{recording: r, index: map[imageKey]int{}, lost: true,
		frame: align.Frame{Frame: r.Frame, Reference: frame.Reference}}
	if err := l.read(ctx, progress); err != nil {
		return err
	}
	if r.Data.Actions == 0 {
		r.Data.Actions = max(int(l.highest), len(r.Names))
	}
	return nil
}

// referenceOf learns what some images of a recording have in common, in a frame; nil if it has
// none.
func referenceOf(ctx context.Context, open func(string) (*bags.Reader, error), path string,
	frame Frame,
) (_ *align.Reference, err error) {
	reader, err := open(path)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, reader.Close()) }()
	r := &Recording{reader: reader}
	images, err := r.survey(ctx, frame)
	if err != nil {
		return nil, fmt.Errorf("recording %s: %w", path, err)
	}
	const least, some = 128, 200 // pixels a side, and images
	large := pixels.Frame{Side: frame.Side * max(1, least/frame.Side), Fit: frame.Fit}
	var seen [][]uint8
	for t, err := range reader.Transitions(ctx) {
		if err == nil && t.Index%max(1, images/2/some) != 0 {
			continue
		}
		var img pixels.RGB
		if err == nil {
			img, err = decode(t.Before, r.Frame.Camera)
		}
		if err == nil {
			img, err = large.Of(img)
		}
		if err != nil {
			return nil, fmt.Errorf("recording %s: transition %d: %w", path, t.Index, err)
		}
		seen = append(seen, img.Pix)
	}
	if len(seen) == 0 {
		return nil, nil
	}
	return align.Learn(seen, large.Side)
}

// survey says how much room the data set needs: two images a transition, where a
// camera's topic holds many more. On its way it finds the actions' names, the world and the camera,
// as the frame says.
func (r *Recording) survey(ctx context.Context, frame Frame) (images int, err error) {
	var text msgs.String
	for m, err := range r.reader.Messages(ctx) {
		switch {
		case err != nil:
			return 0, err
		case m.Topic.IsTransition():
			images += 2
		case m.Topic.Name == bags.NamesTopic && m.Decode(&text) == nil:
			r.Names = strings.Fields(text.Data)
		case m.Topic.Name == bags.SimulationTopic && m.Decode(&text) == nil:
			s, err := bags.Parse[bags.Simulation](&text)
			if err != nil {
				return 0, err
			}
			r.Simulation = &s
		case m.Topic.Name == bags.CameraTopic && m.Decode(&text) == nil:
			if err := r.recorded(&text); err != nil {
				return 0, err
			}
		}
	}
	r.Frame.Side, r.Frame.Fit = frame.Side, frame.Fit
	if frame.Camera != nil {
		r.Frame.Camera = frame.Camera(r.Frame.Camera)
	}
	return images, nil
}

// recorded takes what the recording says of its camera.
func (r *Recording) recorded(m *msgs.String) error {
	c, err := bags.Parse[bags.Camera](m)
	if err != nil {
		return err
	}
	if r.Frame.Camera, err = pixels.CameraOf(c.Region, c.Bits); err != nil {
		return fmt.Errorf("%s: %w", bags.CameraTopic, err)
	}
	return nil
}

type imageKey struct {
	topic string
	stamp msgs.Time
}

// shrunk is a transition whose images are ready for the networks.
type shrunk struct {
	action        strips.ActionID
	outcome       bags.Outcome
	reset         bool // the scene was changed before it
	before, after bags.Image
	pixels        [2][]uint8
	beyond        [2]bool
}

type loader struct {
	recording *Recording
	frame     align.Frame
	index     map[imageKey]int
	highest   strips.ActionID
	lost      bool // what the last transition left is not what the next will find
	failed    bool // an attempt has, since the last transition
}

// read decodes transitions on several goroutines and adds them in order. It ends
// with the first error, which may be that of ctx.
func (l *loader) read(ctx context.Context, progress func(int)) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	images := stream.New().WithMaxGoroutines(runtime.GOMAXPROCS(0))
	done := 0
	for t, err := range l.recording.reader.Transitions(ctx) {
		if err != nil {
			cancel(fmt.Errorf("%w; `stripswm check` tells more", err))
		}
		if ctx.Err() != nil {
			break
		}
		images.Go(func() stream.Callback {
			s, err := shrink(t, l.frame)
			return func() {
				if err == nil && ctx.Err() == nil {
					err = l.add(s)
				}
				if err != nil {
					cancel(fmt.Errorf("transition %d: %w", t.Index, err))
				}
				if done++; ctx.Err() == nil && progress != nil {
					progress(done)
				}
			}
		})
	}
	images.Wait()
	return context.Cause(ctx)
}

// shrink decodes a transition's images and makes them fit the networks.
func shrink(t bags.Transition, frame align.Frame) (shrunk, error) {
	camera := frame.Camera
	frame.Camera = pixels.Camera{}
	s := shrunk{action: strips.ActionID(t.Action), outcome: t.Outcome, reset: t.Reset,
		before: t.Before, after: t.After}
	for i, im := range []bags.Image{t.Before, t.After} {
		img, err := decode(im, camera)
		if err != nil {
			return s, err
		}
		small, change, err := frame.Of(img)
		if err != nil {
			return s, fmt.Errorf("image %s: %w", im, err)
		}
		s.pixels[i], s.beyond[i] = small.Pix, change.Beyond()
	}
	return s, nil
}

// add appends a transition to the data set. An image that several transitions
// show is kept once.
func (l *loader) add(s shrunk) error {
	l.lost = l.lost || s.reset
	l.highest = max(l.highest, s.action)
	t := dataset.Transition{Action: s.action}
	var err error
	if t.Before, err = l.image(s.before, s.pixels[0], s.beyond[0]); err != nil {
		return err
	}
	if t.After, err = l.image(s.after, s.pixels[1], s.beyond[1]); err != nil {
		return err
	}
	switch s.outcome {
	case bags.Refused:
		return l.recording.Data.AddRefused(t)
	case bags.Failed:
		l.failed = true
		return l.recording.Data.AddFailed(t)
	}
	t.Follows, t.Resumes = !l.lost && !l.failed, !l.lost && l.failed
	l.lost, l.failed = false, false
	return l.recording.Data.AddTransition(t)
}

func (l *loader) image(im bags.Image, pix []uint8, beyond bool) (int, error) {
	key := imageKey{im.Topic, im.Stamp}
	if i, ok := l.index[key]; ok {
		return i, nil
	}
	i, err := l.recording.Data.AddImage(pix)
	if err != nil {
		return 0, err
	}
	l.index[key] = i
	l.recording.images = append(l.recording.images, im)
	l.recording.beyond = append(l.recording.beyond, beyond)
	return i, nil
}

// Split takes the last share of the transitions, and the attempts refused meanwhile, out
// of a recording. The first held one is left out if it shares an image with what
// is kept. The parts read what the recording reads: closing one closes all.
func (r *Recording) Split(share float64) (kept, held *Recording) {
	d := r.Data
	first := len(d.Transitions) - int(share*float64(len(d.Transitions)))
	image := d.Images() // the first of those that are held out
	if first < len(d.Transitions) {
		image = d.Transitions[first].Before
		if first > 0 {
			image = max(image, d.Transitions[first-1].After+1)
		}
	}
	return r.part(0, image), r.part(image, d.Images())
}

// part is what shows images from begin up to end only.
func (r *Recording) part(begin, end int) *Recording {
	return &Recording{
		Data: r.Data.Part(begin, end), images: slices.Clone(r.images[begin:end]),
		beyond: slices.Clone(r.beyond[begin:end]),
		Names:  r.Names, Simulation: r.Simulation, Frame: r.Frame, reader: r.reader, more: r.more,
	}
}

// Locate finds the node of a bundle's task graph that each image of a recording
// shows, -1 for none, with the bundle's encoder. The recording may be another than
// the bundle was learned from; it must be loaded at the size of the bundle's images.
func Locate(ctx context.Context, b *bundle.Bundle, recording *Recording) ([]strips.StateID, error) {
	return locate(ctx, b, recording.Data, inference.Options{Threads: 1})
}

func locate(ctx context.Context, b *bundle.Bundle, d *dataset.Dataset,
	o inference.Options) ([]strips.StateID, error) {
	graph, err := b.TaskGraph()
	if err != nil {
		return nil, err
	}
	coder, err := vision.OpenCoder(b, o)
	if err != nil {
		return nil, err
	}
	defer coder.Close()
	codes, err := coder.Codes(ctx, d)
	if err != nil {
		return nil, err
	}
	return identity.NewLocator(graph).Nodes(d, codes), nil
}
