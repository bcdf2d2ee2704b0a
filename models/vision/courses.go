package vision

import "math"

// What training came to train with: Preset.Mild, Few or Lasting.
const (
	FallbackSmall     = "mild"
	FallbackFew       = "few"
	FallbackForesight = "lasting"
)

// fallback is one that training may take.
type fallback struct {
	Preset
	name     string
	disputed float64 // the share up to which it is to be believed (Evaluation.Disputed)
	visits   float64 // of a code, on average, up to which nothing better is to be expected of the next
}

// accepts says whether what came of a course is to be taken without trying the next.
func (c fallback) accepts(l *Learned, transitions int) bool {
	return l.Settled && l.Chosen.Disputed <= c.disputed && float64(transitions) <= c.visits*float64(l.Chosen.Codes)
}

// fallbacks are those to try with so many transitions, one after the other, until one convinces; lasts says whether what is no
// state lasts (lasting).
func (p Preset) fallbacks(lasts bool, transitions int) []fallback {
	mild := func(o Objective) Preset {
		q := p
		q.Objective, q.WorldModel.Stable = o, 0
		q.WorldModel.Steps = min(p.WorldModel.Steps, Small().WorldModel.Steps)
		return q
	}
	always := math.Inf(1)
	switch {
	case p.FallbackForesight != nil && lasts:
		const (
			hardly = 0.01 // misread or mislabelled
			plenty = 20   // of fewer visits foresight learns each by heart, of 43 what states there are
		)
		few, discrimination := mild(p.FallbackFew), p
		discrimination.Objective = p.FallbackForesight
		if transitions < 2*plenty { // no two states can have been visited so often
			return []fallback{{few, FallbackFew, 1, always}}
		}
		return []fallback{{few, FallbackFew, hardly, plenty}, {discrimination, FallbackForesight, 1, always}}
	case p.FallbackSmall != nil:
		return []fallback{{p, "", 1, always}, {mild(p.FallbackSmall), FallbackSmall, 1, always}}
	}
	return []fallback{{p, "", 1, always}}
}

// better says whether l is to be preferred to another: by how much codes tell of what attempts
// lead to (score), whichever settled.
func (l *Learned) better(other *Learned) bool { return l.Chosen.Score > other.Chosen.Score }
