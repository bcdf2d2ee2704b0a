package report

import (
	"html/template"
	"strings"
)

// diagnosed is a diagnostic with its images in one.
type diagnosed struct {
	What, Do string
	Drawing  template.URL // none where it is empty
}

func (p *page) addDiagnostics() error {
	for _, d := range p.Diagnostics {
		shown := diagnosed{What: sentence(d.What), Do: sentence(d.Do)}
		if len(d.Images) > 0 {
			sheet, err := attemptsSheet(d.Images)
			if err != nil {
				return err
			}
			uri, err := dataURI(sheet)
			if err != nil {
				return err
			}
			shown.Drawing = template.URL(uri)
		}
		p.Diagnosed = append(p.Diagnosed, shown)
	}
	return nil
}

// sentence gives words a capital letter and a full stop.
func sentence(words string) string {
	return strings.ToUpper(words[:1]) + words[1:] + "."
}
