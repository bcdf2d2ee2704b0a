package vision

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
}

// courses are those to try, one after the other, until one settles.
func (p Preset) courses(d *Dataset) []course {
	mild := func(o Objective) Preset {
		q := p
		q.Objective, q.WorldModel.Stable = o, 0
		return q
	}
	switch {
	case p.Lasting != nil && lasting(d):
		const hardly = 0.01 // misread or mislabelled
		few, telling := mild(p.Few), p
		few.WorldModel.Steps = min(few.WorldModel.Steps, Small().WorldModel.Steps)
		telling.Objective = p.Lasting
		return []course{{few, Few, hardly}, {telling, Lasting, 1}}
	case p.Mild != nil:
		return []course{{p, "", 1}, {mild(p.Mild), Mild, 1}}
	}
	return []course{{p, "", 1}}
}

// better says whether l, which was trained after another had come to nothing convincing, is to be preferred to it. One with
// so many codes that nothing could contradict it is not, for having settled.
func (l *Learned) better(other *Learned, transitions int) bool {
	return l.Settled && 2*l.Chosen.Codes <= transitions || !other.Settled && l.Chosen.Conflicts < other.Chosen.Conflicts
}
