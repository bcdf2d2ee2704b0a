package strips

// Operator is a grounded propositional operator,
// ω_a = ⟨pre⁺, pre⁻, add, del⟩ in the paper, and beyond it the predicates that
// it toggles (x' = not x). An action has one or several: see [Model.Variants].
// Each mask lists its predicates in ascending order; PrePos and PreNeg are
// disjoint, and so are Add, Del and Toggle.
type Operator struct {
	Action ActionID
	Name   string // the action's label, the same in all its variants
	PrePos []Predicate
	PreNeg []Predicate
	Add    []Predicate
	Del    []Predicate
	Toggle []Predicate
}

// Applicable says whether the preconditions hold in s.
func (o *Operator) Applicable(s State) bool {
	for _, p := range o.PrePos {
		if !s.Get(p) {
			return false
		}
	}
	for _, p := range o.PreNeg {
		if s.Get(p) {
			return false
		}
	}
	return true
}

// Apply returns Add ∪ (s \ Del) with the predicates of Toggle inverted, whether
// or not the operator is applicable.
func (o *Operator) Apply(s State) State { return s.With(o.Add, o.Del).Toggled(o.Toggle) }

// Effects is the number of predicates that the operator adds, deletes or toggles.
func (o *Operator) Effects() int { return len(o.Add) + len(o.Del) + len(o.Toggle) }

// Violated lists the preconditions that do not hold in s: those that should be
// true, then those that should be false.
func (o *Operator) Violated(s State) (pos, neg []Predicate) {
	for _, p := range o.PrePos {
		if !s.Get(p) {
			pos = append(pos, p)
		}
	}
	for _, p := range o.PreNeg {
		if s.Get(p) {
			neg = append(neg, p)
		}
	}
	return pos, neg
}

// Excludes says whether one operator requires what the other forbids, so that no
// state has the preconditions of both.
func (o *Operator) Excludes(other *Operator) bool {
	_, contrary := overlap(o.PrePos, other.PreNeg)
	_, converse := overlap(o.PreNeg, other.PrePos)
	return contrary || converse
}
