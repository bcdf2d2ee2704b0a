package builder

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"stripswm/models/bundle"
	"stripswm/models/operators"
	"stripswm/nodes/eval/report"
	"stripswm/nodes/learn"
)

// imagesPerEdge is how many transitions of a suspect edge are shown.
const imagesPerEdge = 6

// SuspectImages writes for each suspect edge a sheet of the recorded transitions
// behind it: the image before and the one after.
func SuspectImages(ctx context.Context, bundleDir, bag, out string,
	suspects []operators.Suspect,
) ([]string, error) {
	b, err := bundle.Open(bundleDir)
	if err != nil {
		return nil, err
	}
	frame, err := learn.FrameOf(b)
	if err != nil {
		return nil, err
	}
	recording, err := learn.Load(ctx, bag, frame, 0, nil)
	if err != nil {
		return nil, err
	}
	defer recording.Close()
	nodes, err := learn.Locate(ctx, b, recording)
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(out, 0o777); err != nil {
		return nil, err
	}
	var files []string
	for i, s := range suspects {
		var rows []report.ImagePair
		for _, t := range recording.Data.Transitions {
			if len(rows) == imagesPerEdge || nodes[t.Before] != s.Edge.Source ||
				nodes[t.After] != s.Edge.Target || t.Action != s.Edge.Action {
				continue
			}
			shown, err := attempt(recording, t.Before, t.After)
			if err != nil {
				return files, err
			}
			rows = append(rows, shown)
		}
		if len(rows) == 0 {
			continue // learned from another recording
		}
		path := filepath.Join(out, fmt.Sprintf("%02d_node%d_action%d_node%d.png", i+1, s.Edge.Source,
			s.Edge.Action, s.Edge.Target))
		if err := report.WriteAttempts(path, rows); err != nil {
			return files, err
		}
		files = append(files, path)
	}
	return files, nil
}
