package facts

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"reflect"
	"slices"
	"strings"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"stripswm/models/bundle"
	"stripswm/models/inference"
	"stripswm/models/internal/bitset"
	"stripswm/models/internal/packed"
	"stripswm/models/pixels"
)

// file is a recognizer but for its network. Numbers are packed as float32, little endian.
type file struct {
	Predicates int         `json:"predicates"`
	Size       int         `json:"size"` // of images, pixels a side
	Limit      float64     `json:"limit"`
	Unit       float64     `json:"unit"`     // of the negative log-likelihood, nats
	Excludes   [][]literal `json:"excludes"` // by literal: 2p is predicate p, 2p+1 its negation
	OneHolds   [][]literal `json:"one_holds"`
	Sums       []sum       `json:"sums"`              // of facts, which never change
	Side       int         `json:"side,omitempty"`    // of what is compared, pixels
	Parts      []byte      `json:"parts"`             // [m+pairs+1, values]
	Pairs      []pair      `json:"pairs,omitempty"`   // of facts
	Met        []byte      `json:"met,omitempty"`     // how often facts meet [facts*facts]
	Noise      []byte      `json:"noise,omitempty"`   // [m+2, pixels]
	Common     []byte      `json:"common_modes"`      // [modes, values]
	Modes      [][]byte    `json:"part_modes"`        // by predicate [modes, values beside its part]
	Shrinks    [][]byte    `json:"shrinks,omitempty"` // of the modes: common, and by predicate
	Windows    []float64   `json:"windows,omitempty"` // limits of windows
	Shares     [][]byte    `json:"shares,omitempty"`  // limits of shares of parts, by predicate
	// Unexplained skills.
	Unexplained []unexplainedFile `json:"unexplained,omitempty"`

	// Of bundles from before there was a side.
	Mean   []byte  `json:"mean,omitempty"`  // [m]
	Scale  []byte  `json:"scale,omitempty"` // [values]
	Block  float64 `json:"block,omitempty"`
	False  []byte  `json:"filters_false,omitempty"` // [m]
	True   []byte  `json:"filters_true,omitempty"`  // [m]
	Shifts []byte  `json:"shifts,omitempty"`        // [directions, m]
}

// maxFileBytes bounds what Read reads, and maxPredicates and maxSize what it allocates.
const (
	maxFileBytes  = 256 << 20
	maxPredicates = 1 << 14
	maxSize       = 1 << 12
)

// What numbers of a file are at most. Greater ones would switch off what they are the limit of.
const (
	// maxLimit of scores in units that one image in 200 exceeds: limits of recordings are near 1, and
	// images a hundred times as far show something else.
	maxLimit = 100
	// maxNats of one predicate: a probability of less is no float32.
	maxNats = 104
	// maxMeasure of an image in Appearance: those of a block are greatest, 48 squares of values that
	// are at most 4 for image and parts together, in units of at least minVariance.
	maxMeasure = 48 * 4 * 4 / minVariance
	// tolerance of a length of 1, squared, stored as float32.
	tolerance = 1e-3
)

// Write writes all of a recognizer but its network, which vision.LearnedClassifier.ExportLogits
// gives.
func (z *Recognizer) Write(w io.Writer) error {
	a := z.Appearance
	f := file{Predicates: z.Constraints.predicates, Size: z.size, Limit: z.Limit, Unit: z.Unit,
		OneHolds: z.Constraints.atLeast, Sums: z.Constraints.sums, Side: a.side,
		Parts: packed.Floats(a.parts.RawMatrix().Data), Pairs: a.pairs, Met: a.met,
		Noise: packed.Floats(a.noise.RawMatrix().Data), Windows: a.limits.windows[:]}
	for _, limits := range a.limits.shares {
		f.Shares = append(f.Shares, packed.Floats(limits))
	}
	var shrinks []byte
	f.Common, shrinks = packModes(a.common)
	f.Shrinks = append(f.Shrinks, shrinks)
	for _, modes := range a.modes {
		rows, shrinks := packModes(modes)
		f.Modes, f.Shrinks = append(f.Modes, rows), append(f.Shrinks, shrinks)
	}
	for _, s := range z.Constraints.excludes {
		all := []literal{}
		for l := range s.Each {
			all = append(all, l)
		}
		f.Excludes = append(f.Excludes, all)
	}
	for _, u := range z.Unexplained {
		f.Unexplained = append(f.Unexplained, u.file())
	}
	return json.NewEncoder(w).Encode(f)
}

func init() {
	bundle.Understand(bundle.Facts, func(r io.Reader) (map[string]int64, error) {
		f, _, err := decode(r)
		if err != nil {
			return nil, err
		}
		return map[string]int64{bundle.Predicates: int64(f.Predicates), bundle.Height: int64(f.Size),
			bundle.Width: int64(f.Size)}, nil
	})
}

// Read reads what Write wrote, and takes the network of ExportLogits over. The error says what does
// not fit.
func Read(r io.Reader, network *inference.Network) (*Recognizer, error) {
	f, z, err := decode(r)
	if err != nil {
		return nil, fmt.Errorf("read recognizer of facts: %w; learn it again", err)
	}
	if network == nil {
		return z, nil
	}
	if network.Outputs != f.Predicates || network.Width != f.Size || network.Height != f.Size {
		return nil, fmt.Errorf("read recognizer of facts: the network has %d outputs of images of "+
			"%dx%d pixels, want %d and %dx%d; learn it again", network.Outputs, network.Width,
			network.Height, f.Predicates, f.Size, f.Size)
	}
	z.logits = func(ctx context.Context, images []uint8) ([]float32, error) {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		return network.Run(images)
	}
	return z, nil
}

// decode reads a file and validates it, and makes its recognizer.
func decode(r io.Reader) (f file, z *Recognizer, err error) {
	data, err := io.ReadAll(io.LimitReader(r, maxFileBytes+1))
	if err != nil {
		return f, nil, err
	}
	if len(data) > maxFileBytes {
		return f, nil, fmt.Errorf("larger than %d bytes", maxFileBytes)
	}
	// A field that is not there would leave its check out, and look like one of none.
	var there map[string]json.RawMessage
	if err := json.Unmarshal(data, &there); err != nil {
		return f, nil, err
	}
	for _, field := range reflect.VisibleFields(reflect.TypeFor[file]()) {
		name, optional, _ := strings.Cut(field.Tag.Get("json"), ",")
		if _, ok := there[name]; !ok && optional == "" {
			return f, nil, fmt.Errorf("%s is missing", name)
		}
	}
	if err := json.Unmarshal(data, &f); err != nil {
		return f, nil, err
	}
	if err := f.validate(); err != nil {
		return f, nil, err
	}
	a, err := f.appearance()
	if err != nil {
		return f, nil, err
	}
	z = &Recognizer{Constraints: &Constraints{predicates: f.Predicates, atLeast: f.OneHolds,
		sums: f.Sums, excludes: f.excludes()}, Appearance: a, Limit: f.Limit, Unit: f.Unit,
		size: f.Size}
	for _, u := range f.Unexplained {
		z.Unexplained = append(z.Unexplained, u.unexplained(f.Predicates))
	}
	return f, z, nil
}

// validate reports the first number, or count of numbers, that no recognizer has, beside those of
// its appearance.
func (f *file) validate() error {
	m := f.Predicates
	if m < 1 || m > maxPredicates || f.Size < windows[len(windows)-1] || f.Size > maxSize {
		return fmt.Errorf("%d predicates in images of %d pixels", m, f.Size)
	}
	if err := positive("limit", f.Limit, maxLimit); err != nil {
		return err
	}
	if err := positive("unit", f.Unit, float64(m)*maxNats); err != nil {
		return err
	}
	if err := f.validateConstraints(); err != nil {
		return err
	}
	side, _ := pixels.ThumbnailShape(f.Size)
	for _, u := range f.Unexplained {
		if err := u.validate(m, side); err != nil {
			return err
		}
	}
	return nil
}

// positive wants a number above 0, at most so large.
func positive(name string, value, most float64) error {
	if !(value > 0 && value <= most) { // NaN, too
		return fmt.Errorf("%s: %g, want more than 0 and at most %g", name, value, most)
	}
	return nil
}

// numberList has so many numbers of a range.
type numberList struct {
	name        string
	data        []byte
	count       int
	least, most float64
}

func (n numberList) validate() error {
	if len(n.data) != 4*n.count {
		return fmt.Errorf("%s: %d bytes, want %d", n.name, len(n.data), 4*n.count)
	}
	for i, v := range packed.Values(n.data) {
		if !(v >= n.least && v <= n.most) {
			return fmt.Errorf("%s: number %d is %g, want %g to %g", n.name, i, v, n.least, n.most)
		}
	}
	return nil
}

func (f *file) validateConstraints() error {
	n := 2 * f.Predicates
	if len(f.Excludes) != n {
		return fmt.Errorf("excludes: %d literals, want %d", len(f.Excludes), n)
	}
	for _, all := range slices.Concat(f.Excludes, f.OneHolds) {
		for _, l := range all {
			if l < 0 || int(l) >= n {
				return fmt.Errorf("literal %d of %d", l, n)
			}
		}
	}
	excludes := f.excludes()
	for l := range literal(n) {
		if !excludes[l].Has(l.Not()) {
			return fmt.Errorf("excludes: literal %d does not exclude its negation", l)
		}
		for k := range excludes[l].Each {
			if !excludes[k].Has(l) {
				return fmt.Errorf("excludes: literal %d excludes %d, which does not exclude it", l, k)
			}
		}
	}
	for k, all := range f.OneHolds {
		if len(all) == 0 {
			return fmt.Errorf("one_holds: set %d has no literals", k)
		}
	}
	for k, s := range f.Sums {
		if len(s.Weights) != f.Predicates {
			return fmt.Errorf("sum %d has %d weights, want %d", k, len(s.Weights), f.Predicates)
		}
		least, most := int64(0), int64(0)
		for p, w := range s.Weights {
			if w < -maxWeight || w > maxWeight {
				return fmt.Errorf("sum %d: weight %d of predicate %d, want %d to %d", k, w, p, -maxWeight,
					maxWeight)
			}
			least, most = least+min(w, 0), most+max(w, 0)
		}
		if least == most || s.Total < least || s.Total > most {
			return fmt.Errorf("sum %d: total %d, want %d to %d, which differ", k, s.Total, least, most)
		}
	}
	return nil
}

// excludes are the literals that each excludes, as sets.
func (f *file) excludes() (sets []set) {
	for _, all := range f.Excludes {
		s := bitset.Make[literal](2 * f.Predicates)
		for _, k := range all {
			s.Set(k)
		}
		sets = append(sets, s)
	}
	return sets
}

func (f *file) appearance() (*Appearance, error) {
	m := f.Predicates
	switch {
	case f.Side == 0:
		if err := f.update(); err != nil {
			return nil, err
		}
	case len(f.Met) == 0:
		return nil, errors.New("met is missing")
	default:
		for k, limit := range f.Windows {
			if err := positive(fmt.Sprintf("windows: number %d", k), limit, maxMeasure); err != nil {
				return nil, err
			}
		}
		for _, data := range f.Shares {
			n := numberList{"shares", data, m, math.SmallestNonzeroFloat32, maxMeasure}
			if err := n.validate(); err != nil {
				return nil, err
			}
		}
	}
	if f.Side < windows[len(windows)-1] || f.Side > f.Size {
		return nil, fmt.Errorf("images of %d pixels, compared at %d", f.Size, f.Side)
	}
	a := &Appearance{side: f.Side, pairs: f.Pairs, met: f.Met}
	values := 3 * f.Side * f.Side
	for _, part := range []struct {
		name          string
		to            **mat.Dense
		from          []byte
		rows, columns int
	}{
		{"parts", &a.parts, f.Parts, m + len(f.Pairs) + 1, values},
		{"noise", &a.noise, f.Noise, m + 2, values / 3},
	} {
		n := numberList{part.name, part.from, part.rows * part.columns, -math.MaxFloat32, math.MaxFloat32}
		if err := n.validate(); err != nil {
			return nil, err
		}
		*part.to = mat.NewDense(part.rows, part.columns, packed.Values(part.from))
	}
	facts := int(math.Sqrt(float64(len(f.Met))))
	if facts*facts != len(f.Met) || facts > m {
		return nil, fmt.Errorf("met: %d pairs of at most %d facts", len(f.Met), m)
	}
	for _, k := range f.Pairs {
		if min(k.P, k.Q) < 0 || max(k.P, k.Q) >= facts {
			return nil, fmt.Errorf("pair of the facts %d and %d, of %d", k.P, k.Q, facts)
		}
	}
	if len(f.Modes) != m || len(f.Shrinks) != m+1 || len(f.Windows) != len(windows) ||
		len(f.Shares) != shares {
		return nil, fmt.Errorf("modes of %d predicates, want %d; limits of %d windows and %d shares, "+
			"want %d and %d", len(f.Modes), m, len(f.Windows), len(f.Shares), len(windows), shares)
	}
	copy(a.limits.windows[:], f.Windows)
	for k, data := range f.Shares {
		a.limits.shares[k] = packed.Values(data)
	}
	a.modes = make([][]mode, m)
	a.setUp()
	var err error
	if a.common, err = unpackModes("common_modes", f.Common, f.Shrinks[0], nil, values); err != nil {
		return nil, err
	}
	for p, data := range f.Modes {
		at := a.local(p, 0).at
		if a.modes[p], err = unpackModes("part_modes", data, f.Shrinks[p+1], at, len(at)); err != nil {
			return nil, err
		}
	}
	return a, nil
}

// update has a file from before there was a side say the same as others: the variance of each pixel
// is one, and of the windows one size counts.
func (f *file) update() error {
	m := f.Predicates
	side, _ := pixels.ThumbnailShape(f.Size)
	values := 3 * side * side
	if err := positive("block", f.Block, maxMeasure); err != nil {
		return err
	}
	const directions = 4 // in which parts were moved
	for _, n := range []numberList{
		{"mean", f.Mean, m, 0, 1},
		{"parts", f.Parts, (m + 1) * values, -math.MaxFloat32, math.MaxFloat32},
		{"scale", f.Scale, values, math.SmallestNonzeroFloat32, 1 / math.Sqrt(minVariance)},
		{"filters_false", f.False, m, math.SmallestNonzeroFloat32, maxMeasure},
		{"filters_true", f.True, m, math.SmallestNonzeroFloat32, maxMeasure},
		{"shifts", f.Shifts, directions * m, math.SmallestNonzeroFloat32, maxMeasure},
	} {
		if err := n.validate(); err != nil {
			return err
		}
	}
	if len(f.Modes) != m {
		return fmt.Errorf("part_modes: of %d predicates, want %d", len(f.Modes), m)
	}
	if len(f.Common)%(4*values) != 0 {
		return fmt.Errorf("common_modes: %d bytes, want rows of %d", len(f.Common), 4*values)
	}
	f.Side = side
	parts := mat.NewDense(m+1, values, packed.Values(f.Parts))
	for p, mean := range packed.Values(f.Mean) {
		for i, v := range parts.RawRowView(p) {
			parts.Set(m, i, parts.At(m, i)-mean*v)
		}
	}
	f.Parts = packed.Floats(parts.RawMatrix().Data)
	noise, scale := make([]float64, (m+2)*side*side), packed.Values(f.Scale)
	for i := range side * side {
		for c := range 3 {
			noise[m*side*side+i] += 1 / (scale[3*i+c] * scale[3*i+c]) / 3
		}
		noise[m*side*side+i] -= minVariance
	}
	f.Noise = packed.Floats(noise)
	const shrink, never, blockSide = 0.1, math.MaxFloat32, 4
	shrinks := func(rows, columns int) []byte {
		return packed.Floats(slices.Repeat([]float64{shrink}, rows/(4*columns)))
	}
	f.Shrinks = [][]byte{shrinks(len(f.Common), values)}
	a := &Appearance{side: side, parts: parts, modes: make([][]mode, m)}
	for p, data := range f.Modes {
		at := a.beside(edges(a.parts.RawRowView(p)))
		if len(data)%(4*values) != 0 {
			return fmt.Errorf("part_modes: %d bytes, want rows of %d", len(data), 4*values)
		}
		var rows []float64
		for row := range slices.Chunk(packed.Values(data), values) {
			if squares := floats.Dot(row, row); !(squares <= 1+tolerance) {
				return fmt.Errorf("part_modes: a row has a length of %g, want at most 1", math.Sqrt(squares))
			}
			for _, i := range at {
				rows = append(rows, row[3*i:3*i+3]...)
			}
		}
		f.Modes[p] = packed.Floats(rows)
		f.Shrinks = append(f.Shrinks, shrinks(len(data), values))
	}
	f.Windows = []float64{never, math.Sqrt(f.Block / (3 * blockSide * blockSide)), never}
	most := packed.Values(f.Shifts[:4*m])
	for k, v := range packed.Values(f.Shifts) {
		most[k%m] = max(most[k%m], v)
	}
	f.Shares = [][]byte{f.False, f.True, packed.Floats(most)}
	return nil
}

// packModes are the rows of modes, and their shrinkages.
func packModes(modes []mode) (rows, shrinks []byte) {
	for _, m := range modes {
		rows = append(rows, packed.Floats(m.row)...)
		shrinks = append(shrinks, packed.Floats([]float64{m.shrink})...)
	}
	return rows, shrinks
}

func unpackModes(name string, rows, shrinks []byte, at []int, columns int) (all []mode, err error) {
	if len(rows) != columns*len(shrinks) || len(shrinks)%4 != 0 {
		return nil, fmt.Errorf("%s: %d bytes, want %d", name, len(rows), columns*len(shrinks))
	}
	for k, shrink := range packed.Values(shrinks) {
		row := packed.Values(rows[4*columns*k : 4*columns*(k+1)])
		squares := floats.Dot(row, row)
		if !(shrink >= 0 && shrink <= math.MaxFloat32 && squares <= 1+tolerance) {
			return nil, fmt.Errorf("%s: row %d has a length of %g, want at most 1, and a shrinkage of %g",
				name, k, math.Sqrt(squares), shrink)
		}
		all = append(all, mode{at: at, row: row, shrink: shrink})
	}
	return all, nil
}
