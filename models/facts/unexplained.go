package facts

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distuv"

	"stripswm/internal/spread"
	"stripswm/models/internal/packed"
	"stripswm/models/pixels"
	"stripswm/models/strips"
	"stripswm/models/traces"
)

// Unexplained is a skill whose own images differ, before and after, where no fact of its effect is
// seen: it does something that the facts do not tell, such as to flip a lamp. So nobody knows what
// it leaves, and two images with the same facts may show two states.
type Unexplained struct {
	Action    strips.ActionID `json:"action"`
	Name      string          `json:"name"` // of the skill, for people; empty in Learned
	Successes int             `json:"successes"`
	Changes   int             `json:"changes"` // successes that clearly change the place
	Where     pixels.Region   `json:"where"`   // of the image; of the square that networks see, in Learned
	Example   [2]int          `json:"-"`       // images before and after the success that changes most
	cells     []int           // of the thumbnail, ascending
	parts     [][]float64     // what each predicate adds there [predicates][3 * cells]
	scale     []float64       // 1 / standard deviation of differences without an attempt [3 * cells]
	limit     float64         // of differ: two images that differ more show two states
	steady    float64         // how much of its changes is their mean, 0 to 1
}

const (
	// falseCells is the expected number of cells in which nothing unexplained changes and that are
	// found all the same, over all skills of a recording. It is divided by skills and cells: a robot
	// of ten times as many skills needs one or two more successes of each.
	falseCells = 0.01
	// rimCells is likewise for the cells around those found, each by itself.
	rimCells = 0.001
	// rareChange is the share of a skill's successes that exceed a cell's level by chance.
	rareChange = 0.1
	// uneven is how many times as often they do for some skills, since cells are not alike.
	uneven = 1.5
	// untoldShare is the share of intervals with another look of a place than facts tell: misread
	// ones, and wrong labels.
	untoldShare = 0.05
	// rarelyChanges is likewise for skills that change nothing by the facts, by pairs of images in
	// which nothing happens alone: to pick an object up from any of ten places changes each of them at
	// one success in ten.
	rarelyChanges = 0.02
	// clearEffect is how many standard errors a skill's mean effect on a cell is that facts explain.
	// With 4 a few of a thousand cells would be explained by chance.
	clearEffect = 5
	// weakEffect is the share of the standard deviation of what is left that such an effect has at
	// least: with many successes any drift of the light would be clear.
	weakEffect = 0.2
	// otherEffect is the share of a skill's mean effect on a cell that facts leave, at most, if they
	// explain it. A fact that is none, but that alternates by chance, explains half of it, since other
	// skills are said to change it, too.
	otherEffect = 0.3
	// fewChanges are too few successes to say what a skill changes.
	fewChanges = 5
	// apart is how many successes lie between two images that a limit is set by, at most, and
	// everyApart of how many such pairs one is compared: more would say the same.
	apart, everyApart = 16, 5
	// quietShare is the share of pairs between which nothing unexplained happened that are beyond a
	// limit: as many good pairs of start and goal are refused.
	quietShare = 0.01
	// leastDiffer is the least limit: a tenth of the noise, where hardly anything was compared.
	leastDiffer = 0.01
	// maxDiffer is what images can differ by, about: ten times the mean brightness in the least unit.
	maxDiffer = 100 / minVariance
	// surelyBeyond is the share of a skill's successes that are beyond it by chance, with tails.
	surelyBeyond = 0.05
)

// changes are the differences of the images of successes, of all skills.
type changes struct {
	recording Recording
	thumbs    []pixels.Thumbnail
	side      int
	actions   []strips.ActionID // by event
	images    [][2]int          // by event
	event     map[int]int       // by attempt, through all segments: those of successes with images
	shows     []int             // by image: the static interval that it shows, or -1
	result    *traces.Result
	facts     *mat.Dense // [events, predicates]: the facts that change
	effects   *mat.Dense // [events, values]: what these change
	diff      *mat.Dense // [events, values]
	scale     []float64  // 1 / standard deviation of differences in which nothing happens
	level     []float64  // by cell: what few differences exceed
	still     []float64  // by cell: what very few of those exceed in which nothing happens
	parts     *mat.Dense // [predicates, values]
	of        map[strips.ActionID][]int
}

// measureChanges compares the images of a recording; nil where there are too few.
func measureChanges(thumbs []pixels.Thumbnail, r Recording) *changes {
	h := &changes{recording: r, thumbs: thumbs, of: map[strips.ActionID][]int{}, event: map[int]int{}}
	still, moved, _ := r.pairs(thumbs)
	if len(still.all) < 2*pairsPerMode || len(moved.all) < 2*pairsPerMode {
		return nil
	}
	h.side = thumbs[0].Side()
	quiet := h.differences(spread.Evenly(still.all, fitPairs))
	h.scale = scales(quiet)
	h.diff = h.differences(moved.all)
	for k, m := range moved.all {
		h.images, h.event[m.Attempt] = append(h.images, m.Images), k
		h.actions = append(h.actions, m.Action)
		h.of[m.Action] = append(h.of[m.Action], k)
	}
	h.setLevel(quiet)
	return h
}

// unexplained lists the skills that may change images where no fact of their effect is seen, by id,
// and those of them that surely do: clearly more of their successes differ than other images.
// The result was learned from r.
func (h *changes) unexplained(r Recording, result *traces.Result) (all, sure []Unexplained) {
	h.shows, h.result = r.Intervals(result, len(h.thumbs)), result
	h.explain()
	may := map[strips.ActionID]bool{}
	for a := range result.Report.Actions {
		if u, ok := h.mayChange(strips.ActionID(a + 1)); ok {
			all = append(all, u)
			may[u.Action] = true
		}
	}
	return all, h.surelyChange(all, may)
}

// differences are the differences of pairs of images [pairs, values].
func (h *changes) differences(pairs []Contradiction) *mat.Dense {
	d := mat.NewDense(len(pairs), len(h.thumbs[0]), nil)
	for k, p := range pairs {
		h.thumbs[p.Images[1]].Difference(h.thumbs[p.Images[0]], d.RawRowView(k))
	}
	return d
}

// explain learns what each predicate adds to an image, by what the successes change (ridge
// regression).
func (h *changes) explain() {
	m := max(len(h.result.Model.Predicates), 1)
	n, values := h.diff.Dims()
	h.facts = mat.NewDense(n, m, nil)
	always := map[strips.ActionID]*strips.Operator{} // of skills with one operator
	for i := range h.result.Model.Operators {
		o := &h.result.Model.Operators[i]
		if _, several := always[o.Action]; several {
			o = nil
		}
		always[h.result.Model.Operators[i].Action] = o
	}
	for k, a := range h.actions {
		h.change(h.images[k], always[a], h.facts.RawRowView(k))
	}
	var gram, moment mat.Dense
	gram.Mul(h.facts.T(), h.facts)
	moment.Mul(h.facts.T(), h.diff)
	for p := range m {
		gram.Set(p, p, gram.At(p, p)+ridge)
	}
	h.parts, h.effects = mat.NewDense(m, values, nil), &mat.Dense{}
	_ = h.parts.Solve(&gram, &moment) // the ridge makes the matrix regular
	h.effects.Mul(h.facts, h.parts)
}

// change sets what a success changes, by predicate: its values before and after, and where they are
// not known what the skill's operator always changes, if it has one alone. Derived predicates add
// what their members do.
func (h *changes) change(images [2]int, always *strips.Operator, into []float64) {
	before, after := h.shows[images[0]], h.shows[images[1]]
	for i, predicate := range h.result.Model.Predicates {
		p := strips.Predicate(i)
		x, y := h.result.Value(p, before), h.result.Value(p, after)
		switch {
		case predicate.Members != nil:
		case x == traces.False && y == traces.True:
			into[i] = 1
		case x == traces.True && y == traces.False:
			into[i] = -1
		case x != traces.Unknown && y != traces.Unknown || always == nil:
		case slices.Contains(always.Add, p) && slices.Contains(always.PreNeg, p):
			into[i] = 1
		case slices.Contains(always.Del, p) && slices.Contains(always.PrePos, p):
			into[i] = -1
		}
	}
}

// energy is the square of a cell's difference.
func energy(row []float64, cell int) float64 {
	v := row[3*cell : 3*cell+3]
	return floats.Dot(v, v)
}

// setLevel sets what few differences exceed: those in which nothing happens, and those of most
// skills, since the light and the places of things may change with each success.
func (h *changes) setLevel(quiet *mat.Dense) {
	n, _ := quiet.Dims()
	h.level, h.still = make([]float64, h.side*h.side), make([]float64, h.side*h.side)
	high := func(values []float64) float64 {
		slices.Sort(values)
		return values[len(values)-1-int(rareChange*float64(len(values)))]
	}
	for cell := range h.level {
		var values, usual []float64
		for k := range n {
			values = append(values, energy(quiet.RawRowView(k), cell))
		}
		for _, events := range h.of {
			if len(events) < fewChanges {
				continue
			}
			var own []float64
			for _, k := range events {
				own = append(own, energy(h.diff.RawRowView(k), cell))
			}
			usual = append(usual, high(own))
		}
		h.level[cell] = high(values)
		h.still[cell] = values[len(values)-1-int(rarelyChanges*float64(len(values)))]
		if len(usual) > 1 {
			slices.Sort(usual)
			h.level[cell] = max(h.level[cell], usual[len(usual)/2])
		}
	}
}

// explained are the cells in which the facts of a skill's effect are seen, and those beside them.
func (h *changes) explained(a strips.ActionID) []bool {
	near := make([]bool, h.side*h.side)
	events := h.of[a]
	for cell := range near {
		left, e, n := 0.0, 0.0, float64(len(events))
		mean, other := 0.0, 0.0 // squares: of the skill's mean, and of what facts leave of it
		for i := 3 * cell; i < 3*cell+3; i++ {
			sum, effect := 0.0, 0.0
			for _, k := range events {
				v, by := h.diff.At(k, i), h.effects.At(k, i)
				sum, effect, left = sum+v/n, effect+by/n, left+(v-by)*(v-by)/n
				e += by * by / n
			}
			mean, other = mean+sum*sum, other+(sum-effect)*(sum-effect)
		}
		if e > clearEffect*clearEffect*left/n && e > weakEffect*weakEffect*left &&
			other < otherEffect*otherEffect*mean {
			for _, beside := range around(cell, h.side, 1) {
				near[beside] = true
			}
		}
	}
	return near
}

// hot are the cells outside some that clearly more of the events change beyond a level than the
// share that does by chance, and those around them.
func (h *changes) hot(events []int, outside []bool, level []float64, share float64) (cells []int) {
	chance := make([]float64, h.side*h.side) // that as many exceed the level, if nothing changes there
	above := func(k, cell int) bool { return energy(h.diff.RawRowView(k), cell) > level[cell] }
	for cell := range chance {
		n := 0
		for _, k := range events {
			if above(k, cell) {
				n++
			}
		}
		b := distuv.Binomial{N: float64(len(events)), P: uneven * share}
		chance[cell] = b.Survival(float64(n) - 1)
	}
	tests := float64(len(h.of) * len(chance))
	in := make([]bool, len(chance))
	for cell, p := range chance {
		in[cell] = !outside[cell] && p < falseCells/tests
	}
	core := slices.Clone(in)
	for cell, hot := range core {
		for _, b := range around(cell, h.side, 1) {
			if hot && !outside[b] && chance[b] < rimCells {
				in[b] = true
			}
		}
	}
	for cell, is := range in {
		if is {
			cells = append(cells, cell)
		}
	}
	return cells
}

// mayChange says whether a skill changes cells where no fact of its effect is seen, or any where it
// has no effect.
func (h *changes) mayChange(a strips.ActionID) (u Unexplained, found bool) {
	events := h.of[a]
	if len(events) < fewChanges {
		return u, false
	}
	cells := h.hot(events, h.explained(a), h.level, rareChange)
	if len(cells) == 0 && !h.hasEffect(a) {
		cells = h.hot(events, make([]bool, h.side*h.side), h.still, rarelyChanges)
	}
	if len(cells) == 0 {
		return u, false
	}
	u = Unexplained{Action: a, Successes: len(events), cells: cells}
	u.steady = h.steady(cells, events)
	m, _ := h.parts.Dims()
	u.parts = make([][]float64, m)
	for _, cell := range u.cells {
		for i := 3 * cell; i < 3*cell+3; i++ {
			u.scale = append(u.scale, h.scale[i])
			for p := range u.parts {
				u.parts[p] = append(u.parts[p], h.parts.At(p, i))
			}
		}
	}
	u.Where = u.where(h.side)
	return u, true
}

// hasEffect says whether some operator of a skill changes a fact.
func (h *changes) hasEffect(a strips.ActionID) bool {
	return slices.ContainsFunc(h.result.Model.Operators, func(o strips.Operator) bool {
		return o.Action == a && o.Effects() > 0
	})
}

// where is the smallest region with all cells of a thumbnail.
func (u *Unexplained) where(side int) pixels.Region {
	x0, y0, x1, y1 := side, side, 0, 0
	for _, cell := range u.cells {
		x0, x1 = min(x0, cell%side), max(x1, cell%side+1)
		y0, y1 = min(y0, cell/side), max(y1, cell/side+1)
	}
	share := func(n int) float64 { return float64(n) / float64(side) }
	return pixels.Region{X: share(x0), Y: share(y0), Width: share(x1 - x0), Height: share(y1 - y0)}
}

// steady is the share of the squared differences of some events that is that of their mean.
func (h *changes) steady(cells, events []int) float64 {
	square, product := 0.0, 0.0
	for _, cell := range cells {
		for i := 3 * cell; i < 3*cell+3; i++ {
			sum := 0.0
			for _, k := range events {
				v := h.diff.At(k, i) * h.scale[i]
				sum, square = sum+v, square+v*v
			}
			product += sum * sum
		}
	}
	return product / (square * float64(len(events)))
}

// differ is how far a difference of two images is beyond what the change of the predicates explains
// in the cells inside: the mean square, in units of the scale. All cells are inside where inside is
// nil; it is 0 where none is.
func (u *Unexplained) differ(d, change []float64, inside []bool) (sum float64) {
	n := 0
	for k, cell := range u.cells {
		if inside != nil && !inside[cell] {
			continue
		}
		n++
		for c := range 3 {
			v := d[3*cell+c]
			for p, by := range change {
				if by != 0 {
					v -= by * u.parts[p][3*k+c]
				}
			}
			v *= u.scale[3*k+c]
			sum += v * v
		}
	}
	return sum / float64(max(3*n, 1))
}

// surelyChange sets the limits of skills by images of one segment between which no skill succeeded
// that may change something unexplained, and lists those of which clearly more of their own
// successes are beyond it: most of them, if the skill changes facts as well. Shadows and things
// that hide others differ in a part of the successes, too.
func (h *changes) surelyChange(all []Unexplained, may map[strips.ActionID]bool) (
	sure []Unexplained,
) {
	type seen struct {
		quiet, own []float64
		farthest   float64
	}
	by, d := make([]seen, len(all)), make([]float64, len(h.thumbs[0]))
	_, m := h.facts.Dims()
	first := 0 // attempt of the segment, through all
	for s, attempts := range h.recording.Segments {
		images := h.recording.Images[s]
		for i, at := range attempts {
			if images[i][0] < 0 {
				continue
			}
			if at.Outcome == traces.Succeeded && may[at.Action] {
				h.thumbs[images[i][1]].Difference(h.thumbs[images[i][0]], d)
				n := slices.IndexFunc(all, func(u Unexplained) bool { return u.Action == at.Action })
				v := all[n].differ(d, h.facts.RawRowView(h.event[first+i]), nil)
				if by[n].own = append(by[n].own, v); v > by[n].farthest {
					by[n].farthest, all[n].Example = v, images[i]
				}
			}
			change := make([]float64, m)
			for k, successes := i, 0; k < len(attempts) && successes < apart; k++ {
				at := attempts[k]
				if at.Outcome == traces.Failed || images[k][0] < 0 || at.With > 0 ||
					at.Outcome == traces.Succeeded && may[at.Action] {
					break
				}
				if at.Outcome == traces.Succeeded {
					successes++
					floats.Add(change, h.facts.RawRowView(h.event[first+k]))
				}
				if k == i || (i+k)%everyApart == 0 {
					h.thumbs[images[k][1]].Difference(h.thumbs[images[i][0]], d)
					for n := range by {
						by[n].quiet = append(by[n].quiet, all[n].differ(d, change, nil))
					}
				}
			}
		}
		first += len(attempts)
	}
	for n, u := range all {
		if h.isSure(&u, by[n].quiet, by[n].own) {
			sure = append(sure, u)
		}
	}
	return sure
}

// isSure sets the limit of a skill by what images differ between which nothing unexplained
// happened, and says whether its own successes surely differ more.
func (h *changes) isSure(u *Unexplained, quiet, own []float64) bool {
	slices.Sort(quiet)
	slices.Sort(own)
	u.limit = leastDiffer
	if len(quiet) > 0 {
		u.limit = max(u.limit, quiet[len(quiet)-1-int(quietShare*float64(len(quiet)))])
	}
	n, _ := slices.BinarySearch(own, math.Nextafter(u.limit, math.Inf(1)))
	u.Changes = len(own) - n
	if low := own[len(own)/20]; low > u.limit { // halfway, by ratio: other light is no other state
		u.limit = math.Sqrt(low * u.limit)
	}
	if h.tellsPart(u.Action) && float64(u.Changes) < mostRight*float64(len(own)) {
		return false // that facts tell a part of: without it, the planner would lose a skill that works
	}
	chance := distuv.Binomial{N: float64(len(own)), P: surelyBeyond}
	return chance.Survival(float64(u.Changes)-1) < falseCells/float64(len(h.of))
}

// tellsPart says whether facts change with most successes of a skill.
func (h *changes) tellsPart(a strips.ActionID) bool {
	n := 0
	for _, k := range h.of[a] {
		if row := h.facts.RawRowView(k); floats.Dot(row, row) > 0 {
			n++
		}
	}
	return 2*n > len(h.of[a])
}

// Cells are those of a thumbnail that the skill changes, by rows.
func (u Unexplained) Cells() []int { return u.cells }

// Words says what the skill does.
func (u Unexplained) Words() string {
	return fmt.Sprintf("%s changes the image at %s in %d of %d successes, and no fact tells what",
		u.Name, u.Where.Words(), u.Changes, u.Successes)
}

// Look is what an image is compared with others by.
type Look struct {
	thumb  pixels.Thumbnail
	values []bool
	view   view
}

// Look returns that of an image of the recognizer's size and what it shows; nil where no skill is
// unexplained. Of the part of an image only what is inside the mask counts, which may be nil.
func (z *Recognizer) Look(image []uint8, values []bool, mask Mask) *Look {
	if len(z.Unexplained) == 0 || values == nil {
		return nil
	}
	l := &Look{thumb: pixels.NewThumbnail(image, z.size), values: values}
	if mask != nil {
		_, l.view = z.Appearance.within(mask.small(z.size, z.Appearance.side))
		l.view.inside = resample(l.view.inside, z.Appearance.side, z.size)
	}
	return l
}

// resample says which cells of a thumbnail are inside, of those of a small image of another side.
func resample(inside []bool, side, size int) []bool {
	to, _ := pixels.ThumbnailShape(size)
	cells := make([]bool, to*to)
	for i := range cells {
		cells[i] = true
		x0, x1 := i%to*side/to, max((i%to+1)*side/to, i%to*side/to+1)
		y0, y1 := i/to*side/to, max((i/to+1)*side/to, i/to*side/to+1)
		for y := y0; y < y1; y++ {
			for x := x0; x < x1; x++ {
				cells[i] = cells[i] && inside[y*side+x]
			}
		}
	}
	return cells
}

// explained is a view without the cells that unexplained skills change: no facts tell what is seen
// there, and Differing compares it.
func (z *Recognizer) explained(v view) view {
	if len(z.Unexplained) == 0 {
		return v
	}
	side := z.Appearance.side
	thumb, _ := pixels.ThumbnailShape(z.size)
	cells := make([]bool, thumb*thumb)
	for _, u := range z.Unexplained {
		for _, cell := range u.cells {
			cells[cell] = true
		}
	}
	inside := make([]bool, side*side)
	for i := range inside {
		cell := i/side*thumb/side*thumb + i%side*thumb/side
		inside[i] = !cells[cell] && (v.inside == nil || v.inside[i])
	}
	v.inside = inside
	return v
}

// Differing lists the unexplained skills at whose place two images differ beyond what their facts
// explain: no plan without these skills leads from one to the other.
func (z *Recognizer) Differing(a, b *Look) (differing []Unexplained) {
	if a == nil || b == nil {
		return nil
	}
	change := make([]float64, len(a.values))
	for p := range change {
		switch {
		case a.values[p] == b.values[p] || !a.view.counts(p) || !b.view.counts(p):
		case b.values[p]:
			change[p] = 1
		default:
			change[p] = -1
		}
	}
	inside := slices.Clone(a.view.inside)
	if inside == nil {
		inside = b.view.inside
	} else if b.view.inside != nil {
		for i, in := range b.view.inside {
			inside[i] = inside[i] && in
		}
	}
	d := make([]float64, len(a.thumb))
	b.thumb.Difference(a.thumb, d)
	for _, u := range z.Unexplained {
		if u.differ(d, change, inside) > u.limit {
			differing = append(differing, u)
		}
	}
	return differing
}

// unexplainedFile is an Unexplained in a file.
type unexplainedFile struct {
	Unexplained
	Cells []int   `json:"cells"`
	Parts []byte  `json:"parts"` // [predicates, 3 * cells]
	Scale []byte  `json:"scale"` // [3 * cells]
	Limit float64 `json:"limit"`
}

func (u Unexplained) file() unexplainedFile {
	f := unexplainedFile{Unexplained: u, Cells: u.cells, Scale: packed.Floats(u.scale), Limit: u.limit}
	for _, part := range u.parts {
		f.Parts = append(f.Parts, packed.Floats(part)...)
	}
	return f
}

// validate reports what no unexplained skill has beside m predicates and thumbnails of a side.
func (f unexplainedFile) validate(m, side int) error {
	n := 3 * len(f.Cells)
	if n == 0 || !slices.IsSorted(f.Cells) || f.Cells[0] < 0 || f.Cells[n/3-1] >= side*side {
		return fmt.Errorf("unexplained skill %d: cells %v, want some of %d, ascending", f.Action,
			f.Cells, side*side)
	}
	if len(f.Parts) != 4*m*n || len(f.Scale) != 4*n {
		return fmt.Errorf("unexplained skill %d: %d and %d bytes, want %d and %d", f.Action,
			len(f.Parts), len(f.Scale), 4*m*n, 4*n)
	}
	if !(f.Limit > 0 && f.Limit <= maxDiffer) {
		return fmt.Errorf("unexplained skill %d: limit %g, want more than 0 and at most %g", f.Action,
			f.Limit, maxDiffer)
	}
	for k, v := range slices.Concat(packed.Values(f.Scale), packed.Values(f.Parts)) {
		if math.IsNaN(v) || math.IsInf(v, 0) || k < n && !(v > 0 && v <= 1/math.Sqrt(minVariance)) {
			return fmt.Errorf("unexplained skill %d: number %d is %g", f.Action, k, v)
		}
	}
	return nil
}

// unexplained is that of a valid file of m predicates.
func (f unexplainedFile) unexplained(m int) Unexplained {
	u, n := f.Unexplained, 3*len(f.Cells)
	u.cells, u.scale, u.limit = f.Cells, packed.Values(f.Scale), f.Limit
	for all := packed.Values(f.Parts); len(u.parts) < m; {
		p := len(u.parts)
		u.parts = append(u.parts, all[p*n:(p+1)*n])
	}
	return u
}
