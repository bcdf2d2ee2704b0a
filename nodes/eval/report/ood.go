package report

import (
	"html/template"
	"image"
	"slices"
)

// byWorst puts the kinds most often classified as a wrong state first.
func byWorst(groups ...[]OutOfDistributionRow) []OutOfDistributionRow {
	return slices.SortedStableFunc(slices.Values(slices.Concat(groups...)),
		func(a, b OutOfDistributionRow) int { return b.Wrong*a.Images - a.Wrong*b.Images })
}

// outOfDistributionSheet puts an example of each kind together, with what it is classified as.
func outOfDistributionSheet(all []OutOfDistributionRow) (image.Image, error) {
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

// taken is a row of the table of out-of-distribution images.
type taken struct {
	Kind, Wrong, Right, Refused string
	Images                      int
}

func rowOf(s OutOfDistributionRow) taken {
	return taken{s.Kind, share(s.Wrong, s.Images), share(s.Right, s.Images),
		share(s.Images-s.Wrong-s.Right, s.Images), s.Images}
}

func (p *page) addOutOfDistribution(sheet image.Image) error {
	for _, group := range []struct {
		name  string
		kinds []OutOfDistributionRow
	}{{"that show no state", p.Unrelated}, {"that were tampered with", p.Corrupted}} {
		sum := OutOfDistributionRow{Kind: "all " + group.name}
		for _, s := range byWorst(group.kinds) {
			sum.Images, sum.Right, sum.Wrong = sum.Images+s.Images, sum.Right+s.Right, sum.Wrong+s.Wrong
			if s.Wrong > 0 {
				p.OutOfDistribution = append(p.OutOfDistribution, rowOf(s))
			}
		}
		if sum.Images > 0 {
			p.OutOfDistribution = append(p.OutOfDistribution, rowOf(sum))
		}
	}
	uri, err := dataURI(sheet)
	p.OutOfDistributionDrawing = template.URL(uri)
	return err
}
