package bundle

import "encoding/json"

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
