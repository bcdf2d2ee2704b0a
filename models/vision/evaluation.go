package vision

// Evaluation is the state of a training at one step. Losses are means since the evaluation before;
// codes are those of all images, by the teacher.
type Evaluation struct {
	Step   int                `json:"step"`
	Losses map[string]float64 `json:"losses"`
	Codes  int                `json:"codes"`
	// Nondeterministic is the number of pairs of code and action with several successors, the
	// paper's diagnostic; MinorityShare the share of transitions that do not lead to the most
	// frequent successor of their pair.
	Nondeterministic int     `json:"latent_nondeterminism"`
	MinorityShare    float64 `json:"dissent"` // the key of kept files
	// Conflicts is the number of those pairs that neither identity.Refine nor pruning resolves,
	// where a second successor was seen at least identity.ConflictSupport times: more often than
	// misread images and wrong labels explain.
	Conflicts int `json:"conflicts"`
	// Disputed is the share of all attempts that were refused where most attempts with their code
	// and action succeeded, or the other way round.
	Disputed float64 `json:"disputed,omitempty"`
	// Score is how much the codes tell of the outcomes of attempts (score).
	Score float64 `json:"score,omitempty"`
}

// InverseAccuracy is the share of transitions whose action the inverse head names right.
func (e Evaluation) InverseAccuracy() float64 { return e.Losses[inverseAccuracy] }

// discrimination is the discrimination loss: what separates images beyond what actions need.
func (e Evaluation) discrimination() float64 { return e.Losses["contrast"] + e.Losses["foresight"] }

// Better says whether a is preferred to b: the paper prefers lower latent nondeterminism among
// comparable checkpoints of low loss (appendix A.1).
func (a Evaluation) Better(b Evaluation) bool {
	la, lb := a.Losses["total"], b.Losses["total"]
	switch {
	case la*comparableLoss < lb:
		return true
	case lb*comparableLoss < la:
		return false
	case a.Nondeterministic != b.Nondeterministic:
		return a.Nondeterministic < b.Nondeterministic
	case a.MinorityShare != b.MinorityShare:
		return a.MinorityShare < b.MinorityShare
	}
	return la <= lb
}
