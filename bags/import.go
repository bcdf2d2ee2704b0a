package bags

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"stripswm/internal/files"
)

// Import makes a recording at out, which must not exist, of a folder of images with
// transitions.csv. All images are decoded on the way: one that cannot be ends it. An import that
// ends with an error, or with ctx, leaves nothing; one that is killed leaves a files.Draft. The
// same folder gives the same data.
func Import(ctx context.Context, dir, out string, decode Decoder,
	progress func(done, total int64),
) (*Report, error) {
	out, err := filepath.Abs(out)
	if err != nil {
		return nil, fmt.Errorf("import: %w", err)
	}
	if exists(out) {
		return nil, fmt.Errorf("import: %s is there already; choose another name or remove it", out)
	}
	if names, _, _, err := dataFiles(dir); err != nil {
		return nil, fmt.Errorf("import: %w", err)
	} else if names[0] != TableName {
		return nil, fmt.Errorf("import %s: %w: it is a recording already", dir, ErrUnsupported)
	}
	draft, err := files.Draft(out)
	if err != nil {
		return nil, fmt.Errorf("import: %w", err)
	}
	defer os.RemoveAll(draft)
	fresh := filepath.Join(draft, filepath.Base(out))
	w, err := Create(fresh, Options{SyncEvery: -1})
	if err != nil {
		return nil, fmt.Errorf("import: %w", err)
	}
	report, err := check(ctx, dir, decode, progress, func(m *Message) error {
		if err := w.AddTopic(*m.Topic); err != nil {
			return err
		}
		return w.WriteRaw(m.Topic.Name, m.Received, m.Published, m.Data)
	})
	if err == nil && report.FaultCount > 0 {
		err = report.Faults[0]
	}
	if err = errors.Join(err, w.Close()); err == nil {
		report.Path, report.Bytes = out, w.Size()
		if err = os.Rename(fresh, out); err == nil {
			err = files.SyncDir(filepath.Dir(out))
		}
	}
	if err != nil {
		return report, fmt.Errorf("import %s: %w", dir, err)
	}
	return report, nil
}
