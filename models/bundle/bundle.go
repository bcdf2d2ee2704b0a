package bundle

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"maps"
	"os"
	"slices"

	"stripswm/internal/files"
	"stripswm/models/strips"
	"stripswm/models/taskgraph"
)

var (
	// ErrNoBundle is returned, wrapped, by Open for a directory without a manifest.
	ErrNoBundle = errors.New("not a bundle")
	// ErrNoPart is returned, wrapped, where a bundle has no part of the role asked for.
	ErrNoPart = errors.New("no such part in the bundle")
)

// Bundle is an opened bundle: all its parts were read and belong together.
type Bundle struct {
	Dir      string
	Manifest Manifest
}

// Open reads the bundle in dir and checks it: the size and SHA-256 of each part, that each part
// says of itself what the manifest says, and that the parts agree. It returns a [*Mismatch],
// ErrNoBundle or ErrManifest.
func Open(dir string) (*Bundle, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, fmt.Errorf("bundle: %w", err)
	}
	defer root.Close()
	m, err := readManifest(root, dir)
	if err != nil {
		return nil, err
	}
	for i := range m.Parts {
		if err := checkPart(root, dir, &m.Parts[i]); err != nil {
			return nil, err
		}
	}
	b := &Bundle{Dir: dir, Manifest: m}
	if err := b.upgrade(); err != nil {
		return nil, err
	}
	if err := b.Manifest.check(dir); err != nil {
		return nil, err
	}
	return b, nil
}

func readManifest(root *os.Root, dir string) (Manifest, error) {
	f, err := files.OpenIn(root, ManifestName, MaxManifestBytes)
	if errors.Is(err, fs.ErrNotExist) {
		return Manifest{},
			fmt.Errorf("%w: %s has no %s: name the directory that learn wrote, or learn again", ErrNoBundle,
				dir, ManifestName)
	}
	if err != nil {
		return Manifest{}, fmt.Errorf("bundle %s: %w: %w", dir, ErrManifest, err)
	}
	defer f.Close()
	data, err := io.ReadAll(f)
	if err != nil {
		return Manifest{}, fmt.Errorf("bundle %s: %w", dir, err)
	}
	m, err := ParseManifest(data)
	if err != nil {
		return Manifest{}, fmt.Errorf("bundle %s: %w", dir, err)
	}
	return m, nil
}

// checkPart compares a file with what the manifest says of it, in one pass.
func checkPart(root *os.Root, dir string, p *Part) error {
	f, err := files.OpenIn(root, p.File, MaxPartBytes)
	if errors.Is(err, fs.ErrNotExist) {
		return &Mismatch{dir, p.File, "file", "the " + string(p.Role), "none", restore}
	}
	if err != nil { // a device, a pipe, a link that leads out of the bundle
		return &Mismatch{dir, p.File, "file", "a regular file in the bundle", err.Error(), restore}
	}
	defer f.Close()
	if f.Size() != p.Bytes {
		return &Mismatch{dir, p.File, "size", fmt.Sprint(p.Bytes, " bytes"), fmt.Sprint(f.Size()),
			restore}
	}
	sum := sha256.New()
	facts, factsErr := readFacts(p.Role, io.TeeReader(f, sum))
	if _, err := io.Copy(sum, f); err != nil { // what readFacts left
		return fmt.Errorf("bundle %s: %s: %w", dir, p.File, err)
	}
	if found := hexSum(sum); found != p.SHA256 {
		return &Mismatch{dir, p.File, "SHA-256", p.SHA256, found, restore}
	}
	if factsErr != nil {
		return &Mismatch{dir, p.File, "content", "the " + string(p.Role), factsErr.Error(), relearn}
	}
	for _, name := range slices.Sorted(maps.Keys(facts)) {
		switch said, ok := p.Facts[name]; {
		case !ok: // in a bundle of a program that did not read as much
			if p.Facts == nil {
				p.Facts = map[string]int64{}
			}
			p.Facts[name] = facts[name]
		case said != facts[name]:
			return &Mismatch{dir, p.File, name, fmt.Sprintf("%d as %s says", said, ManifestName),
				fmt.Sprint(facts[name]), relearn}
		}
	}
	return nil
}

// Part is the manifest's entry for the role; false where there is none.
func (b *Bundle) Part(role Role) (Part, bool) {
	p := b.Manifest.part(role)
	if p == nil {
		return Part{}, false
	}
	return *p, true
}

// Read returns the content of the part with that role, hashed once more, so that it is what Open
// checked.
func (b *Bundle) Read(role Role) ([]byte, error) {
	p := b.Manifest.part(role)
	if p == nil {
		return nil, b.noPart(role)
	}
	root, err := os.OpenRoot(b.Dir)
	if err != nil {
		return nil, fmt.Errorf("bundle: %w", err)
	}
	defer root.Close()
	f, err := files.OpenIn(root, p.File, MaxPartBytes)
	if err != nil {
		return nil, fmt.Errorf("bundle %s: %w", b.Dir, err)
	}
	defer f.Close()
	data, err := io.ReadAll(f)
	if err != nil {
		return nil, fmt.Errorf("bundle %s: %s: %w", b.Dir, p.File, err)
	}
	if found := Sum(data); found != p.SHA256 {
		return nil, &Mismatch{b.Dir, p.File, "SHA-256", p.SHA256, found, restore}
	}
	return data, nil
}

// Unusable is the error of a part whose content cannot be used.
func (b *Bundle) Unusable(role Role, err error) error {
	p := b.Manifest.part(role)
	if p == nil {
		return b.noPart(role)
	}
	return &Mismatch{b.Dir, p.File, "content", "the " + string(role), err.Error(), relearn}
}

func (b *Bundle) noPart(role Role) error {
	return fmt.Errorf("%w: %s has no %s: learn the stage that makes it", ErrNoPart, b.Dir, role)
}

// Sum is the SHA-256 of data in hex, as manifests have it.
func Sum(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

func hexSum(h hash.Hash) string { return hex.EncodeToString(h.Sum(nil)) }

// Decode reads the part with that role as what it is.
func Decode[T any](b *Bundle, role Role, decode func(io.Reader) (T, error)) (content T, err error) {
	data, err := b.Read(role)
	if err != nil {
		return content, err
	}
	if content, err = decode(bytes.NewReader(data)); err != nil {
		return content, b.Unusable(role, err)
	}
	return content, nil
}

// Use opens the part with that role, such as a network by inference.Open.
func Use[T, Options any](b *Bundle, role Role, open func([]byte, Options) (T, error), o Options) (
	opened T, err error) {
	data, err := b.Read(role)
	if err != nil {
		return opened, err
	}
	if opened, err = open(data, o); err != nil {
		return opened, fmt.Errorf("bundle %s: %s: %w", b.Dir, role, err)
	}
	return opened, nil
}

// TaskGraph reads the bundle's task graph.
func (b *Bundle) TaskGraph() (*taskgraph.Graph, error) {
	return Decode(b, Graph, taskgraph.ReadJSON)
}

// Operators reads the bundle's operator model.
func (b *Bundle) Operators() (*strips.Model, error) { return Decode(b, Model, strips.ReadJSON) }

// Mismatch is why a bundle is refused: something in it is damaged, missing, or belongs to another
// bundle.
type Mismatch struct {
	Dir    string // the bundle
	File   string // the file at fault
	What   string // what disagrees, such as "predicates" or "SHA-256"
	Want   string // what the rest of the bundle says
	Found  string
	Advice string // what to do
}

func (e *Mismatch) Error() string {
	return fmt.Sprintf("bundle %s: %s: %s: expected %s, found %s; %s", e.Dir, e.File, e.What, e.Want,
		e.Found, e.Advice)
}

const (
	restore = "restore the file from a copy, or learn again"
	relearn = "put back the part that belongs to this bundle, or learn this stage again"
)

// upgrade fills what format 1 did not have in its manifest: it kept the space of codes in its
// training curves. One that was put together without them stays without, and its encoder cannot be
// used.
func (b *Bundle) upgrade() error {
	const training Role = "training"
	if _, kept := b.Part(training); b.Manifest.Format != 1 || !kept {
		return nil
	}
	data, err := b.Read(training)
	if err != nil {
		return err
	}
	var t struct{ FSQ *Codes }
	if err := json.Unmarshal(data, &t); err != nil {
		return b.Unusable(training, err)
	}
	b.Manifest.Codes = t.FSQ
	if err := b.Manifest.validate(); err != nil {
		return b.Unusable(training, err)
	}
	return nil
}

// HashDir hashes a directory, such as a recording: the SHA-256, in hex, of one line "<sha256>
// <size> <path>\n" for each regular file, paths sorted and with slashes. It also returns the files'
// bytes in all. Links are not followed.
func HashDir(dir string) (sum string, bytes int64, err error) {
	all := sha256.New()
	tree := os.DirFS(dir)
	err = fs.WalkDir(tree, ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		f, err := tree.Open(path)
		if err != nil {
			return err
		}
		defer f.Close()
		one := sha256.New()
		n, err := io.Copy(one, f)
		if err != nil {
			return err
		}
		bytes += n
		fmt.Fprintf(all, "%s %d %s\n", hexSum(one), n, path)
		return nil
	})
	if err != nil {
		return "", 0, fmt.Errorf("hash %s: %w", dir, err)
	}
	return hexSum(all), bytes, nil
}
