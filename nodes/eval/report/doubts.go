package report

import (
	"html/template"
	"strings"
)

// doubted is a doubt with its pictures in one.
type doubted struct {
	What, Do string
	Sheet    template.URL // none where it is empty
}

func (p *page) addDoubts() error {
	for _, d := range p.Doubts {
		shown := doubted{What: sentence(d.What), Do: sentence(d.Do)}
		if len(d.Pictures) > 0 {
			sheet, err := attemptsSheet(d.Pictures)
			if err != nil {
				return err
			}
			uri, err := dataURI(sheet)
			if err != nil {
				return err
			}
			shown.Sheet = template.URL(uri)
		}
		p.Doubted = append(p.Doubted, shown)
	}
	return nil
}

// sentence gives words a capital letter and a full stop.
func sentence(words string) string {
	return strings.ToUpper(words[:1]) + words[1:] + "."
}
