package bundle

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
)

// Format is the version of the manifest that this package writes. It reads format 1, too: see
// upgrade.
const Format = 2

// ManifestName is the file of the manifest in a bundle.
const ManifestName = "manifest.json"

// Bounds on what is read, so that a damaged file cannot ask for the machine's memory.
const (
	MaxManifestBytes = 1 << 20
	MaxPartBytes     = 2 << 30
	MaxParts         = 64
	MaxSide          = 1 << 12 // of images, pixels
	MaxOutputs       = 1 << 22 // of networks
	maxFacts         = 32
	maxName          = 100
	maxLevels        = 1 << 8 // of a latent code's digit
)

// A Role is what a part is for. A bundle has at most one part of each role.
type Role string

// The roles whose content this package understands and checks; other roles are kept and hashed.
const (
	Graph      Role = "graph"      // task graph, JSON
	GraphDFA   Role = "graph-dfa"  // the same graph, .dfa
	Model      Role = "model"      // predicates and operators, JSON
	Encoder    Role = "encoder"    // image -> latent, ONNX
	Dynamics   Role = "dynamics"   // latent -> latent under each action, ONNX
	Classifier Role = "classifier" // image -> predicates, ONNX
	Appearance Role = "looks"      // image -> distance to the images of each node, ONNX
	// Facts is the check of a model of facts (package models/facts), JSON. A bundle with it has no
	// task graph, and its classifier reads facts of states that were never recorded.
	Facts Role = "facts"
	// Reference is what recorded images have in common (package align).
	Reference Role = "reference"
)

// The facts that this package reads from the parts. Where two parts state the same fact they must
// agree.
const (
	States     = "states"     // nodes of the task graph, |S|
	Actions    = "actions"    // action ids, L
	Edges      = "edges"      // distinct transitions of the task graph
	Predicates = "predicates" // m
	Height     = "height"     // of the networks' input, pixels
	Width      = "width"      // of the networks' input, pixels
	Latent     = "latent"     // dimensions of the encoder's output, and of what the dynamics take
)

// Manifest describes a bundle.
type Manifest struct {
	Format   int      `json:"format"` // set by Commit
	Domain   string   `json:"domain"`
	Preset   string   `json:"preset"`
	Seed     uint64   `json:"seed"`
	Versions Versions `json:"versions"`
	Inputs   []Input  `json:"inputs"`
	// Simulation is of which simulated world the recording is, if it is of one.
	Simulation *Simulation `json:"simulation,omitempty"`
	Image      *Image      `json:"image,omitempty"` // needed where there are networks
	Codes      *Codes      `json:"codes,omitempty"` // needed where there is an encoder
	// MaxDistance is how far an image may be from what its state looks like, in what part Appearance
	// measures or in limits of part Facts: more than 0, at most OldDistance. Of 0, it is 1 with
	// Facts, and else OldDistance.
	MaxDistance float64 `json:"max_distance,omitempty"`
	Parts       []Part  `json:"parts"` // filled by Writer, in the order of adding
}

// OldDistance is the limit of bundles made before there was a MaxDistance.
const OldDistance = 1.5

// Versions are those of the programs that made the bundle.
type Versions struct {
	Program     string `json:"program"`
	Go          string `json:"go"`
	ONNXRuntime string `json:"onnxruntime,omitempty"`
}

// Input is something from outside that the bundle was learned from, such as a recording.
type Input struct {
	Name   string `json:"name"`
	Bytes  int64  `json:"bytes"`
	SHA256 string `json:"sha256"` // of a file, or of a directory as HashDir gives it
}

// Simulation is a simulated world, the seed of the part of it that was explored, or that all of it
// was, and how: the fields of bags.Simulation.
type Simulation struct {
	World       string  `json:"world"`
	Seed        uint64  `json:"seed"`
	Whole       bool    `json:"whole,omitempty"`
	Policy      string  `json:"policy,omitempty"`
	Transitions int     `json:"transitions,omitempty"`
	Resets      float64 `json:"resets,omitempty"`
	Failures    float64 `json:"failures,omitempty"`
}

// encoding is the one that networks take.
const encoding = "rgb8"

// Image says what the networks take: uint8 [n, Height, Width, 3].
type Image struct {
	Height   int    `json:"height"`
	Width    int    `json:"width"`
	Encoding string `json:"encoding"` // "rgb8", and nothing else
	Resize   string `json:"resize"`   // how a camera image is brought to this size: a pixels.Fit
	// Region and Bits are the camera's, a pixels.Camera: the part of its images that is shown to the
	// networks, and the bits that its samples use.
	Region []float64 `json:"region,omitempty"`
	Bits   int       `json:"bits,omitempty"`
}

// Codes is the space of latent codes: the encoder's output has Dims numbers, and each is rounded to
// one of Levels values (finite scalar quantisation; the paper's [Levels]^Dims).
type Codes struct {
	Levels int `json:"levels"`
	Dims   int `json:"dims"`
}

// Part is one file of a bundle.
type Part struct {
	Role   Role             `json:"role"`
	File   string           `json:"file"`            // in the bundle's directory; no folders
	Bytes  int64            `json:"bytes"`           // set by Writer
	SHA256 string           `json:"sha256"`          // set by Writer
	From   map[Role]string  `json:"from,omitempty"`  // SHA-256 of the parts that this one was made from
	Facts  map[string]int64 `json:"facts,omitempty"` // Writer adds those that it reads from the file
}

// ErrManifest is returned, wrapped, for a manifest that is malformed or of another format.
var ErrManifest = errors.New("bad manifest")

// ParseManifest reads a manifest strictly: unknown fields, unsafe file names and repeated roles are
// errors.
func ParseManifest(data []byte) (Manifest, error) {
	if len(data) > MaxManifestBytes {
		return Manifest{}, fmt.Errorf("%w: larger than %d bytes", ErrManifest, MaxManifestBytes)
	}
	var format struct {
		Format int `json:"format"`
	}
	if err := json.Unmarshal(data, &format); err != nil {
		return Manifest{}, fmt.Errorf("%w: %w", ErrManifest, err)
	}
	if format.Format < 1 || format.Format > Format {
		return Manifest{},
			fmt.Errorf(
				"%w: format %d, this program reads formats 1 to %d: learn again, or use the program that "+
					"wrote it",
				ErrManifest, format.Format, Format)
	}
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	var m Manifest
	if err := d.Decode(&m); err != nil {
		return Manifest{}, fmt.Errorf("%w: %w", ErrManifest, err)
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return Manifest{}, fmt.Errorf("%w: something follows the manifest", ErrManifest)
	}
	if err := m.validate(); err != nil {
		return Manifest{}, fmt.Errorf("%w: %w", ErrManifest, err)
	}
	return m, nil
}

func (m *Manifest) marshal() ([]byte, error) {
	m.Format = Format
	if m.Inputs == nil {
		m.Inputs = []Input{}
	}
	if err := m.validate(); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrManifest, err)
	}
	data, err := json.MarshalIndent(m, "", " ")
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrManifest, err)
	}
	return append(data, '\n'), nil
}

func (m *Manifest) validate() error {
	if len(m.Parts) > MaxParts {
		return fmt.Errorf("%d parts, at most %d are read", len(m.Parts), MaxParts)
	}
	for i, in := range m.Inputs {
		if !isSum(in.SHA256) || in.Bytes < 0 {
			return fmt.Errorf("input %d (%q): want a size and a SHA-256 of 64 hex digits", i, in.Name)
		}
	}
	if m.Image != nil && (min(m.Image.Height, m.Image.Width) < 1 ||
		max(m.Image.Height, m.Image.Width) > MaxSide) {
		return fmt.Errorf("image: %dx%d pixels, want 1 to %d a side", m.Image.Width, m.Image.Height,
			MaxSide)
	}
	if !(m.MaxDistance >= 0 && m.MaxDistance <= OldDistance) {
		return fmt.Errorf("max_distance %g: it is more than 0 and at most %g", m.MaxDistance, OldDistance)
	}
	if m.Image != nil && m.Image.Encoding != encoding {
		return fmt.Errorf("image: encoding %q: the networks are only ever shown %s", m.Image.Encoding,
			encoding)
	}
	if m.Codes != nil && (m.Codes.Levels < 2 || m.Codes.Levels > maxLevels || m.Codes.Dims < 1 ||
		m.Codes.Dims > MaxOutputs) {
		return fmt.Errorf("codes: %d levels, %d dimensions: want 2 to %d and 1 to %d", m.Codes.Levels,
			m.Codes.Dims, maxLevels, MaxOutputs)
	}
	if s := m.Simulation; s != nil && (s.Transitions < 0 || min(s.Resets, s.Failures) < 0 ||
		max(s.Resets, s.Failures) > 1) {
		return fmt.Errorf("simulation: %d transitions, resets %g, failures %g: want a number and shares",
			s.Transitions, s.Resets, s.Failures)
	}
	roles, files := map[Role]bool{}, map[string]bool{}
	for i, p := range m.Parts {
		if err := p.validate(); err != nil {
			return fmt.Errorf("part %d: %w", i, err)
		}
		if roles[p.Role] {
			return fmt.Errorf("part %d: role %q is repeated", i, p.Role)
		}
		// Compared in lower case, since some file systems do not distinguish them.
		if name := strings.ToLower(p.File); files[name] {
			return fmt.Errorf("part %d: file %q is repeated", i, p.File)
		} else {
			files[name] = true
		}
		roles[p.Role] = true
	}
	return nil
}

func (p *Part) validate() error {
	if !isName(string(p.Role)) {
		return fmt.Errorf("role %q: want letters, digits, '-', '_' and '.'", p.Role)
	}
	if !isName(p.File) || strings.EqualFold(p.File, ManifestName) {
		return fmt.Errorf(
			"file %q: want a plain file name of letters, digits, '-', '_' and '.', not beginning with "+
				"'.', not %s", p.File, ManifestName)
	}
	if p.Bytes < 0 || p.Bytes > MaxPartBytes {
		return fmt.Errorf("%s: %d bytes, want 0 to %d", p.File, p.Bytes, int64(MaxPartBytes))
	}
	if !isSum(p.SHA256) {
		return fmt.Errorf("%s: sha256 %q, want 64 hex digits", p.File, p.SHA256)
	}
	if len(p.Facts) > maxFacts || len(p.From) > MaxParts {
		return fmt.Errorf("%s: %d facts and %d sources, at most %d and %d are read", p.File, len(p.Facts),
			len(p.From), maxFacts, MaxParts)
	}
	for name := range p.Facts {
		if !isName(name) {
			return fmt.Errorf("%s: fact %q: want letters, digits, '-', '_' and '.'", p.File, name)
		}
	}
	for role, sum := range p.From {
		if !isName(string(role)) || !isSum(sum) {
			return fmt.Errorf("%s: made from %q, SHA-256 %q: want a role and 64 hex digits", p.File, role,
				sum)
		}
	}
	return nil
}

// isName also keeps paths out: no separator, no "..", no empty name.
func isName(s string) bool {
	if s == "" || len(s) > maxName || s[0] == '.' {
		return false
	}
	for _, c := range s {
		switch {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9', c == '-', c == '_',
			c == '.':
		default:
			return false
		}
	}
	return true
}

func isSum(s string) bool {
	b, err := hex.DecodeString(s)
	return err == nil && len(b) == 32 && s == strings.ToLower(s)
}
