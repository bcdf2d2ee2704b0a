package bundle

import (
	"fmt"
	"maps"
	"slices"
)

// sources says from which parts a part must say that it was made, where the bundle has both.
var sources = map[Role][]Role{
	Model:      {Graph},
	Classifier: {Model},
	Dynamics:   {Encoder},
	Appearance: {Graph},
}

// check says what does not belong together, or nil.
func (m *Manifest) check(dir string) error {
	if err := m.checkSources(dir); err != nil {
		return err
	}
	return m.checkFacts(dir)
}

func (m *Manifest) checkSources(dir string) error {
	for i := range m.Parts {
		p := &m.Parts[i]
		for _, role := range sources[p.Role] {
			source := m.part(role)
			if _, said := p.From[role]; source != nil && !said {
				return &Mismatch{dir, p.File, "source", "the SHA-256 of the " + string(role) +
					" that it was made from", "none", relearn}
			}
		}
		for _, role := range slices.Sorted(maps.Keys(p.From)) {
			source := m.part(role)
			if source != nil && source.SHA256 != p.From[role] {
				return &Mismatch{dir, p.File, "made from another " + string(role),
					fmt.Sprintf("%s (SHA-256 %s)", source.File, source.SHA256), "SHA-256 " + p.From[role], relearn}
			}
		}
	}
	return nil
}

// checkFacts compares each fact with the first part that states it.
func (m *Manifest) checkFacts(dir string) error {
	type said struct {
		by    string
		value int64
	}
	first := map[string]said{}
	if m.Image != nil {
		first[Height] = said{ManifestName, int64(m.Image.Height)}
		first[Width] = said{ManifestName, int64(m.Image.Width)}
	}
	if m.Codes != nil {
		first[Latent] = said{ManifestName, int64(m.Codes.Dims)}
	}
	for _, p := range m.Parts {
		for _, name := range slices.Sorted(maps.Keys(p.Facts)) {
			f, known := first[name]
			if !known {
				first[name] = said{p.File, p.Facts[name]}
				continue
			}
			if f.value != p.Facts[name] {
				return &Mismatch{dir, p.File, name, fmt.Sprintf("%d as in %s", f.value, f.by),
					fmt.Sprint(p.Facts[name]), relearn}
			}
		}
	}
	if _, network := first[Height]; network && m.Image == nil {
		return &Mismatch{dir, ManifestName, "image", "the size and preprocessing of the networks' input",
			"none", relearn}
	}
	if _, encoder := first[Latent]; encoder && m.Codes == nil && m.Format != 1 {
		return &Mismatch{dir, ManifestName, "codes",
			"the space of codes that the encoder's output is rounded to", "none", relearn}
	}
	return nil
}

func (m *Manifest) part(role Role) *Part {
	i := slices.IndexFunc(m.Parts, func(p Part) bool { return p.Role == role })
	if i < 0 {
		return nil
	}
	return &m.Parts[i]
}
