package vision

import "math"

// Training fallbacks, as Learned.Fallback and files name them.
const (
	FallbackSmall     = "mild"    // Preset.FallbackSmall
	FallbackFew       = "few"     // Preset.FallbackFew
	FallbackForesight = "lasting" // Preset.FallbackForesight
)

// fallback is a training to try, and when its result is accepted (phases.go).
type fallback struct {
	Preset
	name     string  // "" for Preset.Objective
	disputed float64 // the greatest Evaluation.Disputed
	visits   float64 // the most transitions a code
}

// accepts says whether a result is accepted without a try of the next fallback.
func (f fallback) accepts(l *Learned, transitions int) bool {
	return l.Settled && l.Chosen.Disputed <= f.disputed &&
		float64(transitions) <= f.visits*float64(l.Chosen.Codes)
}

// fallbacks lists the trainings to try on a recording, one after the other.
func (p Preset) fallbacks(persists bool, transitions int) []fallback {
	always := math.Inf(1)
	settled := func(p Preset, name string) fallback { return fallback{p, name, 1, always} }
	switch {
	case p.FallbackForesight != nil && persists:
		few := p.asSmall(p.FallbackFew)
		if transitions < 2*foresightVisits { // no two states can have been visited so often
			return []fallback{settled(few, FallbackFew)}
		}
		foresight := p
		foresight.Objective = p.FallbackForesight
		return []fallback{
			{few, FallbackFew, acceptedDisputed, foresightVisits},
			settled(foresight, FallbackForesight),
		}
	case p.FallbackSmall != nil:
		return []fallback{settled(p, ""), settled(p.asSmall(p.FallbackSmall), FallbackSmall)}
	}
	return []fallback{settled(p, "")}
}

// asSmall trains with an objective as preset small does: without phase separate, and no longer.
func (p Preset) asSmall(o Objective) Preset {
	p.Objective, p.WorldModel.Stable = o, 0
	p.WorldModel.Steps = min(p.WorldModel.Steps, Small().WorldModel.Steps)
	return p
}

// better says whether l is preferred to another: by how much the codes tell of the outcomes of
// attempts (score), whichever settled.
func (l *Learned) better(other *Learned) bool { return l.Chosen.Score > other.Chosen.Score }
