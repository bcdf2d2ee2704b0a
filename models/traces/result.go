package traces

import "stripswm/models/strips"

// Value is what a predicate is in a static interval.
type Value int8

// The values.
const (
	Unknown Value = iota // it does not follow from the attempts of the segment
	True
	False
)

// Result is what was learned from attempts.
type Result struct {
	Model  *Model
	Report Report
	// Before is the static interval in which an attempt began, by segment and attempt. Intervals
	// count from 0 through all segments: a success ends one, and a failure too.
	Before, After [][]int
	regions       []*region
	contexts      []context // by operator, without preconditions
	needs         *needs
}

// Value is what a predicate of the model is in an interval; that of others is unknown.
func (r *Result) Value(p strips.Predicate, interval int) Value {
	if p < 0 || int(p) >= len(r.regions) || interval < 0 || interval >= r.Report.Intervals {
		return Unknown
	}
	switch at := r.regions[p]; {
	case at.holds.Has(interval):
		return True
	case at.fails.Has(interval):
		return False
	}
	return Unknown
}

// Known says whether all values of an interval are known.
func (r *Result) Known(interval int) bool {
	for p := range r.regions {
		if r.Value(strips.Predicate(p), interval) == Unknown {
			return false
		}
	}
	return true
}

// State is the predicate vector of an interval; unknown values are false.
func (r *Result) State(interval int) strips.State {
	values := make([]bool, len(r.regions))
	for p := range values {
		values[p] = r.Value(strips.Predicate(p), interval) == True
	}
	return strips.StateOf(values)
}
