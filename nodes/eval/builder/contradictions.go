package builder

import (
	"fmt"

	"stripswm/models/facts"
	"stripswm/models/strips"
	"stripswm/nodes/eval/report"
	"stripswm/nodes/learn"
)

// contradictionsShown is how many are on a sheet.
const contradictionsShown = 60

// Contradictions writes a PNG file with the images of the first contradictions, if there are any.
func Contradictions(path string, all []facts.Contradiction, recording *learn.Recording,
	name func(strips.ActionID) string) error {
	var list []report.ImagePair
	for _, c := range all[:min(len(all), contradictionsShown)] {
		shown, err := attempt(recording, c.Images[0], c.Images[1])
		if err != nil {
			return err
		}
		shown.Words = fmt.Sprintf("%d: %s", c.Attempt, c.Words(name))
		list = append(list, shown)
	}
	if len(list) == 0 {
		return nil
	}
	return report.WriteAttempts(path, list)
}
