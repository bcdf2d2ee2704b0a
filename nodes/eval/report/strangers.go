package report

import (
	"html/template"
	"image"
	"slices"
)

// byWorst puts the kinds most often taken for a wrong state first.
func byWorst(groups ...[]Stranger) []Stranger {
	return slices.SortedStableFunc(slices.Values(slices.Concat(groups...)), func(a, b Stranger) int { return b.Wrong*a.Pictures - a.Wrong*b.Pictures })
}

// strangersSheet puts an example of each kind together, with what it is taken for.
func strangersSheet(all []Stranger) (image.Image, error) {
	const side, across = 190, 6 // wide enough for the words
	columns := min(across, len(all))
	high := side + 2*lineStep + margin
	c, err := newCanvas(margin+columns*(side+margin), margin+(len(all)+columns-1)/columns*high)
	if err != nil {
		return nil, err
	}
	for i, s := range all {
		x, y := margin+i%columns*(side+margin), margin+i/columns*high
		colour := black
		if s.Wrong > 0 {
			colour = vermilion
		}
		c.put(s.Image, x, y, side, side)
		c.write(s.Kind, x, y+side+lineStep-4, side, black)
		c.write(s.Verdict, x, y+side+2*lineStep-6, side, colour)
	}
	return c, nil
}

// taken is a row of the table of strangers.
type taken struct {
	Kind, Wrong, Right, Refused string
	Pictures                    int
}

func rowOf(s Stranger) taken {
	return taken{s.Kind, share(s.Wrong, s.Pictures), share(s.Right, s.Pictures), share(s.Pictures-s.Wrong-s.Right, s.Pictures), s.Pictures}
}

func (p *page) addStrangers(sheet image.Image) error {
	for _, group := range []struct {
		name  string
		kinds []Stranger
	}{{"that show no state", p.Foreign}, {"that were tampered with", p.Altered}} {
		sum := Stranger{Kind: "all " + group.name}
		for _, s := range byWorst(group.kinds) {
			sum.Pictures, sum.Right, sum.Wrong = sum.Pictures+s.Pictures, sum.Right+s.Right, sum.Wrong+s.Wrong
			if s.Wrong > 0 {
				p.Strangers = append(p.Strangers, rowOf(s))
			}
		}
		if sum.Pictures > 0 {
			p.Strangers = append(p.Strangers, rowOf(sum))
		}
	}
	uri, err := dataURI(sheet)
	p.StrangersSheet = template.URL(uri)
	return err
}
