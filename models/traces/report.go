package traces

import "stripswm/models/strips"

// Report says what a model rests on.
type Report struct {
	Successes, Refusals int // refusals of an action within one interval count once
	Segments, Intervals int
	Mined               int     // regions found in the trace
	Atomic              int     // those that do not follow from others
	Unions              int     // candidates for derived predicates
	Support             int     // all regions that so many actions change, or fewer, were found
	Cut                 []Stage // what the steps did not suffice for
	Predicates          []PredicateReport
	Actions             []ActionReport // by action, of all; then those of further variants
}

// Unexplained is the number of refusals that no precondition explains.
func (r *Report) Unexplained() (n int) {
	for i := range r.Actions {
		n += r.Actions[i].Unexplained()
	}
	return n
}

// Unexplained is the number of refusals that no precondition explains.
func (a *ActionReport) Unexplained() (n int) {
	for _, r := range a.Refusals {
		if len(r.Violated) == 0 && !r.Unknown {
			n++
		}
	}
	return n
}

// PredicateReport is the evidence for a predicate of the model.
type PredicateReport struct {
	Adds, Dels int     // successes that added and deleted it; they alternate within each segment
	Nats       float64 // evidence for it, as a precondition of its actions, when it was chosen
}

// ActionReport is the evidence for an operator, and what is not identified.
type ActionReport struct {
	Action        strips.ActionID
	Successes     int
	Preconditions []Precondition
	Refusals      []Refusal
	Undecided     []Undecided
	// Unseen are the literals that held at all successes and in all intervals with the
	// preconditions: no interval of the recording can decide whether they are preconditions.
	Unseen []Literal
}

// Precondition is a literal with its evidence beside the others; an action may need it because it
// changes the predicate.
type Precondition struct {
	Literal
	Evidence
	Changes bool
}

// Refusal is an interval in which an action was refused, and the preconditions that failed. Without
// them it is unexplained, or Unknown: a precondition has no known value there.
type Refusal struct {
	Interval int
	Violated []Literal
	Unknown  bool
}

// Undecided is a literal that may be a precondition, without enough evidence. An attempt of the
// action in the state of the interval decides: all preconditions hold there and the literal does
// not.
type Undecided struct {
	Literal
	Evidence
	Interval int
}

// refusals explains those of an action.
func refusals(intervals []int32, regions []*region, required []requirement) []Refusal {
	var all []Refusal
	for _, i := range intervals {
		r := Refusal{Interval: int(i)}
		for _, q := range required {
			holds, fails := q.where(regions)
			if fails.Has(int(i)) {
				r.Violated = append(r.Violated, q.public())
			} else if !holds.Has(int(i)) {
				r.Unknown = true
			}
		}
		r.Unknown = r.Unknown && r.Violated == nil
		all = append(all, r)
	}
	return all
}
