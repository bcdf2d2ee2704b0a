package compose

import (
	"stripswm/nodes/eval/report"
	"stripswm/nodes/learn"
	"stripswm/nodes/learn/doubts"
)

// doubted shows doubts with the recorded pictures.
func doubted(recording *learn.Recording, all []doubts.Doubt) ([]report.Doubt, error) {
	var list []report.Doubt
	for _, d := range all {
		shown := report.Doubt{What: d.What, Do: d.Do}
		for _, e := range d.Examples {
			pair, err := attempt(recording, e.Left, e.Right)
			if err != nil {
				return nil, err
			}
			pair.Words = e.Words
			shown.Pictures = append(shown.Pictures, pair)
		}
		list = append(list, shown)
	}
	return list, nil
}
