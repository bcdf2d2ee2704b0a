package vision

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/gomlx/compute/dtypes"
	g "github.com/gomlx/gomlx/core/graph"

	"stripswm/models/networks"
)

// Objective is what stage 1 minimises: the losses in use, by name, with their weights.
type Objective map[string]Term

// Term is a loss's part in an objective.
type Term struct {
	Weight float64
	Warmup int // steps over which it grows from nothing to its weight
	Stable int // steps until it decays to decayedWeight, or Separated; 0: it never decays
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

// Discrimination is the loss that separates images beyond what actions need, contrast or foresight;
// empty where neither is in use.
func (o Objective) Discrimination() string {
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
	return slices.ContainsFunc(o.terms(),
		func(t term) bool { return slices.Contains(t.inputs, in) })
}

// shares are the shares of their weights that the losses in use have at a step; separated is as in
// decay.
func (o Objective) shares(step, separated int) []float32 {
	var shares []float32
	for _, t := range o.terms() {
		shares = append(shares, t.share(step, separated))
	}
	return shares
}

// lossValues returns the weighted total and the value of each loss in use, scalars;
// shares [terms] are Objective.shares.
func (m WorldModel) lossValues(w *networks.Weights, all inputs, shares *g.Node) (total *g.Node,
	values []*g.Node) {
	total = g.ScalarZero(shares.Graph(), dtypes.Float32)
	for i, t := range m.Objective.terms() {
		value := t.value(all.only(t.inputs),
			func(x *g.Node) *g.Node { return t.head(m).apply(w, x) })
		share := g.Reshape(g.Slice(shares, g.AxisElem(i)))
		total = g.Add(total, g.Mul(share, g.MulScalar(value, t.Weight)))
		values = append(values, value)
	}
	return total, values
}
