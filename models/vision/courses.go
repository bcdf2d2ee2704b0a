package vision

import "math"

// What training came to train with: Preset.Mild, Few or Lasting.
const (
	Mild    = "mild"
	Few     = "few"
	Lasting = "lasting"
)

// course is one that training may take.
type course struct {
	Preset
	name     string
	disputed float64 // the share up to which it is to be believed (Evaluation.Disputed)
	visits   float64 // of a code, on average, up to which nothing better is to be expected of the next
}

// convinces says whether what came of a course is to be taken without trying the next.
func (c course) convinces(l *Learned, transitions int) bool {
	return l.Settled && l.Chosen.Disputed <= c.disputed && float64(transitions) <= c.visits*float64(l.Chosen.Codes)
}

// courses are those to try with so many transitions, one after the other, until one convinces; lasts says whether what is no
// state lasts (lasting).
func (p Preset) courses(lasts bool, transitions int) []course {
	mild := func(o Objective) Preset {
		q := p
		q.Objective, q.WorldModel.Stable = o, 0
		q.WorldModel.Steps = min(p.WorldModel.Steps, Small().WorldModel.Steps)
		return q
	}
	always := math.Inf(1)
	switch {
	case p.Lasting != nil && lasts:
		const (
			hardly = 0.01 // misread or mislabelled
			plenty = 20   // of fewer visits foresight learns each by heart, of 43 what states there are
		)
		few, telling := mild(p.Few), p
		telling.Objective = p.Lasting
		if transitions < 2*plenty { // no two states can have been visited so often
			return []course{{few, Few, 1, always}}
		}
		return []course{{few, Few, hardly, plenty}, {telling, Lasting, 1, always}}
	case p.Mild != nil:
		return []course{{p, "", 1, always}, {mild(p.Mild), Mild, 1, always}}
	}
	return []course{{p, "", 1, always}}
}

// better says whether l is to be preferred to another: by how much codes tell of what attempts
// lead to (score), whichever settled.
func (l *Learned) better(other *Learned) bool { return l.Chosen.Score > other.Chosen.Score }
