package vision

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/gomlx/compute/dtypes"
	g "github.com/gomlx/gomlx/core/graph"
)

// Objective is what stage 1 minimises: the losses in use, by name, with their
// weights.
type Objective map[string]Term

// Term is a loss's part in an objective.
type Term struct {
	Weight float64
	Warmup int // steps over which it grows from nothing to its weight
	Stable int // steps until it decays, over as many more, to a tenth; 0: it never does; Found
}

// lossNames lists the losses that there are.
func lossNames() []string {
	names := make([]string, len(losses))
	for i, l := range losses {
		names[i] = l.name
	}
	return names
}

// With returns the objective with another weight for a loss, which 0 leaves out.
func (o Objective) With(name string, weight float64) (Objective, error) {
	changed := maps.Clone(o)
	t := changed[name]
	t.Weight = weight
	changed[name] = t
	return changed, changed.validate()
}

// Telling is the loss that tells images apart beyond what actions need, contrast or
// foresight; empty where neither is in use.
func (o Objective) Telling() string {
	for _, name := range []string{"contrast", "foresight"} {
		if o[name].Weight > 0 {
			return name
		}
	}
	return ""
}

func (o Objective) validate() error {
	names := lossNames()
	for _, name := range slices.Sorted(maps.Keys(o)) {
		if !slices.Contains(names, name) {
			return fmt.Errorf("no loss is called %q: choose %s", name, strings.Join(names, ", "))
		}
		if w := o[name].Weight; !(w >= 0) || math.IsInf(w, 1) {
			return fmt.Errorf("loss %s: weight %g: choose a number from 0", name, w)
		}
	}
	if len(o.terms()) == 0 {
		return fmt.Errorf("no loss has a weight")
	}
	return nil
}

// term is a loss in use.
type term struct {
	loss
	Term
}

// terms are the losses in use, in the order of the list.
func (o Objective) terms() []term {
	var terms []term
	for _, l := range losses {
		if t := o[l.name]; t.Weight != 0 {
			terms = append(terms, term{l, t})
		}
	}
	return terms
}

// asks says whether a loss in use compares a thing.
func (o Objective) asks(in input) bool {
	return slices.ContainsFunc(o.terms(), func(t term) bool { return slices.Contains(t.inputs, in) })
}

// shares are the shares of their weights that the losses in use have at a step; found is
// what training has found in place of Found, 0 while it has not.
func (o Objective) shares(step, found int) []float32 {
	var shares []float32
	for _, t := range o.terms() {
		shares = append(shares, t.share(step, found))
	}
	return shares
}

// share is the share of the weight that applies at a step: 0 to 1.
func (t Term) share(step, found int) float32 {
	const rest = 0.1
	return grown(step, t.Warmup) * (1 - (1-rest)*decayed(step, t.Stable, found))
}

// grown rises from 0 to 1 over a number of steps.
func grown(step, steps int) float32 {
	if step >= steps {
		return 1
	}
	return float32(step) / float32(steps)
}

// Found stands for the number of steps after which training distinguishes all that it
// will, which shows only then (distinguished). What decays from there does so over half as many.
const Found = -1

// decay are the steps from which something decays, and over how many; found is what
// stands for Found, 0 while it is not known.
func decay(stable, found int) (from, over int) {
	if stable == Found {
		return found, found / 2
	}
	return stable, stable
}

// decayed is how far a decay has come, 0 to 1.
func decayed(step, stable, found int) float32 {
	from, over := decay(stable, found)
	if over == 0 {
		return 0
	}
	return min(max(float32(step-from)/float32(over), 0), 1)
}

// lossValues returns the weighted total and the value of each loss in use, scalars;
// shares [terms] are Objective.shares.
func (m WorldModel) lossValues(w *weights, all inputs, shares *g.Node) (total *g.Node, values []*g.Node) {
	total = g.ScalarZero(shares.Graph(), dtypes.Float32)
	for i, t := range m.Objective.terms() {
		value := t.value(all.only(t.inputs), func(x *g.Node) *g.Node { return t.head(m).apply(w, x) })
		share := g.Reshape(g.Slice(shares, g.AxisElem(i)))
		total = g.Add(total, g.Mul(share, g.MulScalar(value, t.Weight)))
		values = append(values, value)
	}
	return total, values
}
