package learn

import "slices"

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
		Names: r.Names, Simulation: r.Simulation, Frame: r.Frame, reader: r.reader,
	}
}
