package facts

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"math"

	"gonum.org/v1/gonum/mat"

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

// Read reads what Write wrote, and takes the network of ExportLogits over. The error says what does
// not fit.
func Read(r io.Reader, network *inference.Network) (*Recognizer, error) {
	var f file
	if err := json.NewDecoder(io.LimitReader(r, maxFileBytes)).Decode(&f); err != nil {
		return nil, fmt.Errorf("read recognizer of facts: %w", err)
	}
	z, err := f.recognizer()
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

func (f *file) recognizer() (*Recognizer, error) {
	m := f.Predicates
	if m < 1 || m > maxPredicates || f.Size < blockSide || f.Size > maxSize {
		return nil, fmt.Errorf("%d predicates in images of %d pixels", m, f.Size)
	}
	if f.Unit <= 0 {
		return nil, fmt.Errorf("unit of %g nats", f.Unit)
	}
	c := &Constraints{predicates: m, atLeast: f.OneHolds, sums: f.Sums}
	if len(f.Excludes) != 2*m {
		return nil, fmt.Errorf("%d literals, want %d", len(f.Excludes), 2*m)
	}
	for _, all := range append(f.Excludes, f.OneHolds...) {
		for _, l := range all {
			if l < 0 || int(l) >= 2*m {
				return nil, fmt.Errorf("literal %d of %d", l, 2*m)
			}
		}
	}
	for k, s := range f.Sums {
		if len(s.Weights) != m {
			return nil, fmt.Errorf("sum %d has %d weights, want %d", k, len(s.Weights), m)
		}
	}
	for l, all := range f.Excludes {
		s := bitset.Make[literal](2 * m)
		for _, k := range all {
			if int(k) != l {
				s.Set(k)
			}
		}
		c.excludes = append(c.excludes, s)
	}
	side, _ := pixels.ThumbnailShape(f.Size)
	values := 3 * side * side
	a := &Appearance{side: side, block: f.Block}
	var parts, shifts []float64
	for _, part := range []struct {
		name string
		to   *[]float64
		from []byte
		want int
	}{
		{"mean", &a.mean, f.Mean, m}, {"parts", &parts, f.Parts, (m + 1) * values},
		{"scale", &a.scale, f.Scale, values},
		{"filters_false", (*[]float64)(&a.filters[0]), f.False, m},
		{"filters_true", (*[]float64)(&a.filters[1]), f.True, m},
		{"shifts", &shifts, f.Shifts, len(directions) * m},
	} {
		if len(part.from) != 4*part.want {
			return nil, fmt.Errorf("%s: %d bytes, want %d", part.name, len(part.from), 4*part.want)
		}
		*part.to = unpack(part.from)
	}
	a.parts = mat.NewDense(m+1, values, parts)
	if err := f.modes(a); err != nil {
		return nil, err
	}
	a.measureParts()
	for k := range directions {
		a.shifts = append(a.shifts, shifts[k*m:(k+1)*m])
	}
	z := &Recognizer{Constraints: c, Appearance: a, Limit: f.Limit, Unit: f.Unit, size: f.Size}
	for _, u := range f.Unexplained {
		read, err := u.unexplained(m, side)
		if err != nil {
			return nil, err
		}
		z.Unexplained = append(z.Unexplained, read)
	}
	return z, nil
}

// modes reads the modes of an appearance.
func (f *file) modes(a *Appearance) (err error) {
	if len(f.Modes) != len(a.mean) || a.block <= 0 {
		return fmt.Errorf("modes of %d predicates, want %d; unit of blocks %g", len(f.Modes),
			len(a.mean), a.block)
	}
	if a.common, err = unpackRows("common_modes", f.Common, len(a.scale), commonModes); err != nil {
		return err
	}
	a.modes = make([]*mat.Dense, len(f.Modes))
	for p, data := range f.Modes {
		if a.modes[p], err = unpackRows("part_modes", data, len(a.scale), partModes); err != nil {
			return err
		}
	}
	a.multiply()
	return nil
}

func packRows(m *mat.Dense) []byte {
	if m == nil {
		return nil
	}
	return pack(m.RawMatrix().Data)
}

// unpackRows returns at most that many rows; nil of none.
func unpackRows(name string, data []byte, columns, most int) (*mat.Dense, error) {
	rows := len(data) / (4 * columns)
	if len(data) != 4*columns*rows || rows > most {
		return nil, fmt.Errorf("%s: %d bytes, want at most %d times %d", name, len(data), most, 4*columns)
	}
	if rows == 0 {
		return nil, nil
	}
	return mat.NewDense(rows, columns, unpack(data)), nil
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
