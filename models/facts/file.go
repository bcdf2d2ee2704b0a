package facts

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"

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
	Side       int         `json:"side"`         // of what is compared, pixels
	Parts      []byte      `json:"parts"`        // [m+pairs+1, values]
	Pairs      []pair      `json:"pairs"`        // of facts
	Met        []byte      `json:"met"`          // how often facts meet [facts*facts]
	Noise      []byte      `json:"noise"`        // [m+2, pixels]
	Common     []byte      `json:"common_modes"` // [modes, values]
	Modes      [][]byte    `json:"part_modes"`   // by predicate [modes, values beside its part]
	Shrinks    [][]byte    `json:"shrinks"`      // of the modes: common, and by predicate
	Windows    []float64   `json:"windows"`      // limits of windows
	Shares     [][]byte    `json:"shares"`       // limits of shares of parts, by predicate

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

// Write writes all of a recognizer but its network, which vision.LearnedClassifier.ExportLogits
// gives.
func (z *Recognizer) Write(w io.Writer) error {
	a := z.Appearance
	f := file{Predicates: z.Constraints.predicates, Size: z.size, Limit: z.Limit, Unit: z.Unit,
		OneHolds: z.Constraints.atLeast, Sums: z.Constraints.sums, Side: a.side,
		Parts: pack(a.parts.RawMatrix().Data), Pairs: a.pairs, Met: a.met,
		Noise: pack(a.noise.RawMatrix().Data), Windows: a.limits.windows[:]}
	for _, limits := range a.limits.shares {
		f.Shares = append(f.Shares, pack(limits))
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
	if m < 1 || m > maxPredicates || f.Size < windows[len(windows)-1] || f.Size > maxSize {
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
	a, err := f.appearance()
	if err != nil {
		return nil, err
	}
	return &Recognizer{Constraints: c, Appearance: a, Limit: f.Limit, Unit: f.Unit,
		size: f.Size}, nil
}

func (f *file) appearance() (*Appearance, error) {
	m := f.Predicates
	if f.Side == 0 {
		if err := f.update(); err != nil {
			return nil, err
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
		if len(part.from) != 4*part.rows*part.columns {
			return nil, fmt.Errorf("%s: %d bytes, want %d", part.name, len(part.from),
				4*part.rows*part.columns)
		}
		*part.to = mat.NewDense(part.rows, part.columns, unpack(part.from))
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
	limits := slices.Clone(f.Windows)
	for k, data := range f.Shares {
		if len(data) != 4*m {
			return nil, fmt.Errorf("shares: limits of %d bytes, want %d", len(data), 4*m)
		}
		a.limits.shares[k] = unpack(data)
		limits = append(limits, a.limits.shares[k]...)
	}
	for _, limit := range limits {
		if !(limit > 0) {
			return nil, fmt.Errorf("limit %g of a measure", limit)
		}
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
	if len(f.Mean) != 4*m || len(f.Parts) != 4*(m+1)*values || len(f.Scale) != 4*values ||
		len(f.Modes) != m || len(f.False) != 4*m || len(f.True) != 4*m || len(f.Shifts) < 4*m ||
		!(f.Block > 0) {
		return fmt.Errorf("mean, parts, scale and modes of %d, %d, %d and %d bytes, and a block of %g",
			len(f.Mean), len(f.Parts), len(f.Scale), len(f.Modes), f.Block)
	}
	f.Side = side
	parts := mat.NewDense(m+1, values, unpack(f.Parts))
	for p, mean := range unpack(f.Mean) {
		for i, v := range parts.RawRowView(p) {
			parts.Set(m, i, parts.At(m, i)-mean*v)
		}
	}
	f.Parts = pack(parts.RawMatrix().Data)
	noise, scale := make([]float64, (m+2)*side*side), unpack(f.Scale)
	for i := range side * side {
		for c := range 3 {
			noise[m*side*side+i] += 1 / (scale[3*i+c] * scale[3*i+c]) / 3
		}
		noise[m*side*side+i] -= minVariance
	}
	f.Noise = pack(noise)
	const shrink, never, blockSide = 0.1, math.MaxFloat32, 4
	shrinks := func(rows, columns int) []byte {
		return pack(slices.Repeat([]float64{shrink}, rows/(4*columns)))
	}
	f.Shrinks = [][]byte{shrinks(len(f.Common), values)}
	a := &Appearance{side: side, parts: parts, modes: make([][]mode, m)}
	for p, data := range f.Modes {
		at := a.beside(p)
		if len(data)%(4*values) != 0 {
			return fmt.Errorf("part_modes: %d bytes, want rows of %d", len(data), 4*values)
		}
		var rows []float64
		for row := range slices.Chunk(unpack(data), values) {
			for _, i := range at {
				rows = append(rows, row[3*i:3*i+3]...)
			}
		}
		f.Modes[p] = pack(rows)
		f.Shrinks = append(f.Shrinks, shrinks(len(data), values))
	}
	f.Windows = []float64{never, math.Sqrt(f.Block / (3 * blockSide * blockSide)), never}
	most := unpack(f.Shifts[:4*m])
	for k, v := range unpack(f.Shifts) {
		most[k%m] = max(most[k%m], v)
	}
	f.Shares = [][]byte{f.False, f.True, pack(most)}
	return nil
}

// packModes are the rows of modes, and their shrinkages.
func packModes(modes []mode) (rows, shrinks []byte) {
	for _, m := range modes {
		rows, shrinks = append(rows, pack(m.row)...), append(shrinks, pack([]float64{m.shrink})...)
	}
	return rows, shrinks
}

func unpackModes(name string, rows, shrinks []byte, at []int, columns int) (all []mode, err error) {
	if len(rows) != columns*len(shrinks) || len(shrinks)%4 != 0 {
		return nil, fmt.Errorf("%s: %d bytes, want %d", name, len(rows), columns*len(shrinks))
	}
	for k, shrink := range unpack(shrinks) {
		if !(shrink >= 0) {
			return nil, fmt.Errorf("%s: shrinkage %g", name, shrink)
		}
		row := unpack(rows[4*columns*k : 4*columns*(k+1)])
		all = append(all, mode{at: at, row: row, shrink: shrink})
	}
	return all, nil
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
