package builder

import (
	"stripswm/nodes/eval/report"
	"stripswm/nodes/learn"
	"stripswm/nodes/learn/diagnostics"
)

// diagnosed shows diagnostics with the recorded images.
func diagnosed(recording *learn.Recording,
	all []diagnostics.Diagnostic,
) ([]report.Diagnostic, error) {
	var list []report.Diagnostic
	for _, d := range all {
		shown := report.Diagnostic{What: d.What, Do: d.Do}
		for _, e := range d.Examples {
			pair, err := attempt(recording, e.Left, e.Right)
			if err != nil {
				return nil, err
			}
			pair.Words = e.Words
			shown.Images = append(shown.Images, pair)
		}
		list = append(list, shown)
	}
	return list, nil
}
