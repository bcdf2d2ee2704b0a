package compose

import (
	"path/filepath"

	"stripswm/nodes/eval/heldout"
	"stripswm/nodes/eval/report"
	"stripswm/nodes/learn"
)

// HeldOut writes unforeseen.png to dir, the attempts of a recording that a model did not
// foresee, if there are any.
func HeldOut(dir string, r *heldout.Report, recording *learn.Recording) error {
	var list []report.Attempt
	for _, e := range r.Examples {
		before, err := recording.Picture(e.Before)
		if err != nil {
			return err
		}
		after, err := recording.Picture(e.After)
		if err != nil {
			return err
		}
		list = append(list, report.Attempt{Before: before.Image(), After: after.Image(), Words: e.Verdict})
	}
	if len(list) == 0 {
		return nil
	}
	return report.WriteAttempts(filepath.Join(dir, "unforeseen.png"), list)
}
