package bundle

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"

	"stripswm/internal/files"
)

// Writer makes a bundle beside its destination and moves it into place when it is whole.
type Writer struct {
	dir      string // where the bundle shall be
	tmp      string // where it is made; "" after Commit or Abort
	manifest Manifest
}

// ErrDone is returned by a Writer's methods after Commit or Abort.
var ErrDone = errors.New("the bundle was already committed or aborted")

// Create starts a bundle that Commit puts at dir. An earlier bundle there stays until then;
// anything that is not [files.Replaceable] is refused. m is the manifest without its parts.
func Create(dir string, m Manifest) (*Writer, error) {
	dir = filepath.Clean(dir)
	if err := files.Replaceable(dir); err != nil {
		return nil, fmt.Errorf("bundle: %w", err)
	}
	tmp, err := files.Draft(dir)
	if err != nil {
		return nil, fmt.Errorf("bundle: %w", err)
	}
	m.Parts = nil
	return &Writer{dir: dir, tmp: tmp, manifest: m}, nil
}

// Add writes one part. It sets the part's Bytes and SHA256, adds the facts that it reads from the
// content, and refuses a fact stated otherwise. In p.From an empty hash stands for the part of that
// role added before.
func (w *Writer) Add(p Part, content []byte) error {
	if w.tmp == "" {
		return ErrDone
	}
	p.SHA256 = strings.Repeat("0", 64) // until it is known
	p.From = maps.Clone(p.From)
	for role, sum := range p.From {
		if source := w.manifest.part(role); sum == "" && source != nil {
			p.From[role] = source.SHA256
		}
	}
	next := w.manifest
	next.Parts = append(next.Parts[:len(next.Parts):len(next.Parts)], p)
	if err := next.validate(); err != nil {
		return fmt.Errorf("bundle: %w", err)
	}
	added := &next.Parts[len(next.Parts)-1]
	if err := w.write(added, content); err != nil {
		return fmt.Errorf("bundle: %s: %w", p.File, err)
	}
	w.manifest = next
	return nil
}

func (w *Writer) write(p *Part, content []byte) error {
	if len(content) > MaxPartBytes {
		return fmt.Errorf("larger than %d bytes", int64(MaxPartBytes))
	}
	p.Bytes, p.SHA256 = int64(len(content)), Sum(content)
	facts, err := readFacts(p.Role, bytes.NewReader(content))
	if err != nil {
		return err
	}
	stated := p.Facts
	p.Facts = facts
	for name, value := range stated {
		if read, ok := facts[name]; ok && read != value {
			return fmt.Errorf("%s: stated as %d, the file has %d", name, value, read)
		}
		if p.Facts == nil {
			p.Facts = map[string]int64{}
		}
		p.Facts[name] = value
	}
	return writeSynced(filepath.Join(w.tmp, p.File), content)
}

// Commit checks that the parts belong together, writes the manifest last and moves the bundle into
// place. It returns the bundle as Open would. After an error nothing is left behind and an earlier
// bundle stands.
func (w *Writer) Commit() (*Bundle, error) {
	if w.tmp == "" {
		return nil, ErrDone
	}
	defer w.Abort()
	data, err := w.manifest.marshal()
	if err != nil {
		return nil, fmt.Errorf("bundle: %w", err)
	}
	if err := w.manifest.check(w.dir); err != nil {
		return nil, err
	}
	if err := writeSynced(filepath.Join(w.tmp, ManifestName), data); err != nil {
		return nil, fmt.Errorf("bundle: %w", err)
	}
	if err := files.SyncDir(w.tmp); err != nil {
		return nil, fmt.Errorf("bundle: %w", err)
	}
	if err := files.Place(w.tmp, w.dir); err != nil {
		return nil, fmt.Errorf("bundle: %w", err)
	}
	return &Bundle{Dir: w.dir, Manifest: w.manifest}, nil
}

// Replace writes the bundle anew, with other content of one part. Parts that were made from it
// count as made from the new content: it must mean the same to them. The error may be ErrNoPart.
func (b *Bundle) Replace(role Role, content []byte) (*Bundle, error) {
	if _, has := b.Part(role); !has {
		return nil, fmt.Errorf("bundle %s: %s: %w", b.Dir, role, ErrNoPart)
	}
	w, err := Create(b.Dir, b.Manifest)
	if err != nil {
		return nil, err
	}
	defer w.Abort()
	for _, p := range b.Manifest.Parts {
		data := content
		if p.Role == role {
			p.Facts = nil // which are read from the content
		} else if data, err = b.Read(p.Role); err != nil {
			return nil, err
		}
		if _, from := p.From[role]; from {
			p.From = maps.Clone(p.From)
			p.From[role] = ""
		}
		if err := w.Add(p, data); err != nil {
			return nil, err
		}
	}
	return w.Commit()
}

// Abort gives the bundle up and removes what was written. After Commit it does nothing.
func (w *Writer) Abort() error {
	tmp := w.tmp
	w.tmp = ""
	if tmp == "" {
		return nil
	}
	return os.RemoveAll(tmp)
}

func writeSynced(path string, data []byte) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	return errors.Join(err, f.Sync(), f.Close())
}
