package facts

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"reflect"
	"slices"
	"strings"

	"gonum.org/v1/gonum/mat"

	"stripswm/models/bundle"
	"stripswm/models/inference"
	"stripswm/models/internal/bitset"
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
	Sums       []sum       `json:"sums"`         // of facts, which never change
	Mean       []byte      `json:"mean"`         // [m]
	Parts      []byte      `json:"parts"`        // [m+1, values]
	Scale      []byte      `json:"scale"`        // [values]
	Common     []byte      `json:"common_modes"` // [modes, values]
	Modes      [][]byte    `json:"part_modes"`   // by predicate [modes, values]
	Block      float64     `json:"block"`
	False      []byte      `json:"filters_false"` // [m]
	True       []byte      `json:"filters_true"`  // [m]
	Shifts     []byte      `json:"shifts"`        // [directions, m]
	// Unexplained skills; none in files of before there were such.
	Unexplained []unexplainedFile `json:"unexplained,omitempty"`
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
		OneHolds: z.Constraints.atLeast, Sums: z.Constraints.sums, Mean: pack(a.mean),
		Parts: pack(a.parts.RawMatrix().Data),
		Scale: pack(a.scale), Common: packRows(a.common), Block: a.block, False: pack(a.filters[0]),
		True: pack(a.filters[1])}
	for _, s := range z.Constraints.excludes {
		all := []literal{}
		for l := range s.Each {
			all = append(all, l)
		}
		f.Excludes = append(f.Excludes, all)
	}
	for _, shift := range a.shifts {
		f.Shifts = append(f.Shifts, pack(shift)...)
	}
	for _, modes := range a.modes {
		f.Modes = append(f.Modes, packRows(modes))
	}
	for _, u := range z.Unexplained {
		f.Unexplained = append(f.Unexplained, u.file())
	}
	return json.NewEncoder(w).Encode(f)
}

func init() {
	bundle.Understand(bundle.Facts, func(r io.Reader) (map[string]int64, error) {
		f, err := decode(r)
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
	f, err := decode(r)
	if err != nil {
		return nil, fmt.Errorf("read recognizer of facts: %w; learn it again", err)
	}
	z := f.recognizer()
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

// decode reads a file and validates it.
func decode(r io.Reader) (f file, err error) {
	data, err := io.ReadAll(io.LimitReader(r, maxFileBytes+1))
	if err != nil {
		return f, err
	}
	if len(data) > maxFileBytes {
		return f, fmt.Errorf("larger than %d bytes", maxFileBytes)
	}
	// A field that is not there would leave its check out, and look like one of none.
	var there map[string]json.RawMessage
	if err := json.Unmarshal(data, &there); err != nil {
		return f, err
	}
	for _, field := range reflect.VisibleFields(reflect.TypeFor[file]()) {
		name, optional, _ := strings.Cut(field.Tag.Get("json"), ",")
		if _, ok := there[name]; !ok && optional == "" {
			return f, fmt.Errorf("%s is missing", name)
		}
	}
	if err := json.Unmarshal(data, &f); err != nil {
		return f, err
	}
	return f, f.validate()
}

// validate reports the first number, or count of numbers, that no recognizer has.
func (f *file) validate() error {
	m := f.Predicates
	if m < 1 || m > maxPredicates || f.Size < blockSide || f.Size > maxSize {
		return fmt.Errorf("%d predicates in images of %d pixels", m, f.Size)
	}
	for _, n := range []struct {
		name  string
		value float64
		most  float64
	}{
		{"limit", f.Limit, maxLimit}, {"unit", f.Unit, float64(m) * maxNats},
		{"block", f.Block, maxMeasure},
	} {
		if !(n.value > 0 && n.value <= n.most) { // NaN, too
			return fmt.Errorf("%s: %g, want more than 0 and at most %g", n.name, n.value, n.most)
		}
	}
	if err := f.validateConstraints(); err != nil {
		return err
	}
	side, _ := pixels.ThumbnailShape(f.Size)
	values := 3 * side * side
	for _, n := range []struct {
		name        string
		data        []byte
		count       int
		least, most float64
	}{
		{"mean", f.Mean, m, 0, 1},
		{"parts", f.Parts, (m + 1) * values, -math.MaxFloat32, math.MaxFloat32},
		{"scale", f.Scale, values, math.SmallestNonzeroFloat32, 1 / math.Sqrt(minVariance)},
		{"filters_false", f.False, m, math.SmallestNonzeroFloat32, maxMeasure},
		{"filters_true", f.True, m, math.SmallestNonzeroFloat32, maxMeasure},
		{"shifts", f.Shifts, len(directions) * m, math.SmallestNonzeroFloat32, maxMeasure},
	} {
		if len(n.data) != 4*n.count {
			return fmt.Errorf("%s: %d bytes, want %d", n.name, len(n.data), 4*n.count)
		}
		for i, v := range unpack(n.data) {
			if !(v >= n.least && v <= n.most) {
				return fmt.Errorf("%s: number %d is %g, want %g to %g", n.name, i, v, n.least, n.most)
			}
		}
	}
	if len(f.Modes) != m {
		return fmt.Errorf("part_modes: of %d predicates, want %d", len(f.Modes), m)
	}
	if err := validateModes("common_modes", f.Common, values, commonModes); err != nil {
		return err
	}
	for _, data := range f.Modes {
		if err := validateModes("part_modes", data, values, partModes); err != nil {
			return err
		}
	}
	for _, u := range f.Unexplained {
		if err := u.validate(m, side); err != nil {
			return err
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

// validateModes wants rows no longer than 1.
func validateModes(name string, data []byte, columns, most int) error {
	rows := len(data) / (4 * columns)
	if len(data) != 4*columns*rows || rows > most {
		return fmt.Errorf("%s: %d bytes, want at most %d times %d", name, len(data), most, 4*columns)
	}
	for k := range rows {
		row := unpack(data[4*columns*k : 4*columns*(k+1)])
		if squares := dot(row, row); !(squares <= 1+tolerance) {
			return fmt.Errorf("%s: row %d has a length of %g, want at most 1", name, k, math.Sqrt(squares))
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

// recognizer is that of a valid file.
func (f *file) recognizer() *Recognizer {
	m := f.Predicates
	side, _ := pixels.ThumbnailShape(f.Size)
	values := 3 * side * side
	a := &Appearance{side: side, block: f.Block, mean: unpack(f.Mean), scale: unpack(f.Scale),
		filters: [2]unit{unpack(f.False), unpack(f.True)},
		parts:   mat.NewDense(m+1, values, unpack(f.Parts)), common: unpackRows(f.Common, values)}
	for _, data := range f.Modes {
		a.modes = append(a.modes, unpackRows(data, values))
	}
	a.multiply()
	a.measureParts()
	for shifts := range slices.Chunk(unpack(f.Shifts), m) {
		a.shifts = append(a.shifts, shifts)
	}
	z := &Recognizer{Constraints: &Constraints{predicates: m, atLeast: f.OneHolds, sums: f.Sums,
		excludes: f.excludes()}, Appearance: a, Limit: f.Limit, Unit: f.Unit, size: f.Size}
	for _, u := range f.Unexplained {
		z.Unexplained = append(z.Unexplained, u.unexplained(m))
	}
	return z
}

func packRows(m *mat.Dense) []byte {
	if m == nil {
		return nil
	}
	return pack(m.RawMatrix().Data)
}

// unpackRows returns nil of no rows.
func unpackRows(data []byte, columns int) *mat.Dense {
	if len(data) == 0 {
		return nil
	}
	return mat.NewDense(len(data)/(4*columns), columns, unpack(data))
}

func pack(values []float64) (data []byte) {
	for _, v := range values {
		data = binary.LittleEndian.AppendUint32(data, math.Float32bits(float32(v)))
	}
	return data
}

func unpack(data []byte) []float64 {
	values := make([]float64, len(data)/4)
	for i := range values {
		values[i] = float64(math.Float32frombits(binary.LittleEndian.Uint32(data[4*i:])))
	}
	return values
}
