package builder

import (
	"path/filepath"

	"stripswm/nodes/eval/heldout"
	"stripswm/nodes/eval/report"
	"stripswm/nodes/learn"
)

// HeldOut writes unforeseen.png to dir, the attempts of a recording that a model did not
// foresee, if there are any.
func HeldOut(dir string, r *heldout.Report, recording *learn.Recording) error {
	var list []report.ImagePair
	for _, e := range r.Examples {
		shown, err := attempt(recording, e.Before, e.After)
		if err != nil {
			return err
		}
		shown.Words = e.Verdict
		list = append(list, shown)
	}
	if len(list) == 0 {
		return nil
	}
	return report.WriteAttempts(filepath.Join(dir, "unforeseen.png"), list)
}

// attempt is the recorded images before and after a skill.
func attempt(recording *learn.Recording, before, after int) (a report.ImagePair, err error) {
	from, err := recording.Image(before)
	if err != nil {
		return a, err
	}
	to, err := recording.Image(after)
	if err != nil {
		return a, err
	}
	return report.ImagePair{Before: from.Image(), After: to.Image()}, nil
}
