package program

import (
	"context"
	"errors"
	"fmt"

	"github.com/crillab/gophersat/solver"
)

// ErrSolver is returned, wrapped, by Solve where gophersat contradicts the program or
// itself: now and then it gives an assignment that violates a constraint. Nothing
// is then known of the optimum.
var ErrSolver = errors.New("gophersat is wrong")

// Optimum is what a solver found out.
type Optimum struct {
	Values [4]int  // of the four objectives
	Proved [4]bool // whether each is optimal given those before it
	Value  []bool  // an assignment that reaches them, value[v-1] of variable v
}

// Solve minimises the objectives one after the other with gophersat, each held at
// its optimum from then on. If the context ends it returns the best so far;
// gophersat itself cannot be interrupted and goes on in the background until it
// finds a better solution or proves that there is none.
func (b *Program) Solve(ctx context.Context) (Optimum, error) {
	var best Optimum
	var held []solver.PBConstr
	for i, term := range b.Terms {
		if len(term.Vars) == 0 {
			best.Proved[i] = true
			continue
		}
		value, model, proved := b.minimise(ctx, held, term)
		if model == nil {
			if !proved {
				return best, nil
			}
			if best.Value != nil {
				return best,
					fmt.Errorf("program: %w: it proves that there is no assignment after it has found one",
						ErrSolver)
			}
			return best, fmt.Errorf("program: no assignment satisfies the constraints")
		}
		if !b.satisfied(model, held) {
			return best, fmt.Errorf("program: %w: its assignment for objective %d violates a constraint",
				ErrSolver, i+1)
		}
		best.Value = model
		for k, t := range b.Terms {
			best.Values[k] = t.value(model)
		}
		if best.Proved[i] = proved; !proved {
			return best, nil
		}
		held = append(held, term.atMost(value))
	}
	return best, nil
}

// satisfied checks an assignment against the program and what is held.
func (b *Program) satisfied(model []bool, held []solver.PBConstr) bool {
	for _, c := range b.Constraints {
		n := 0
		for _, lit := range c.Lits {
			if holds(model, lit) {
				n++
			}
		}
		if n < c.AtLeast {
			return false
		}
	}
	for _, c := range held {
		n := 0
		for i, lit := range c.Lits {
			if holds(model, lit) {
				n += c.Weights[i]
			}
		}
		if n < c.AtLeast {
			return false
		}
	}
	return true
}

// holds says whether a literal, v or -v, is true; variables left out are false.
func holds(model []bool, lit int) bool {
	v := max(lit, -lit)
	return (v <= len(model) && model[v-1]) == (lit > 0)
}

// minimise finds the least value of one objective.
func (b *Program) minimise(ctx context.Context, held []solver.PBConstr,
	term Term,
) (int, []bool, bool) {
	constraints := make([]solver.PBConstr, 0, len(b.Constraints)+len(held)+1)
	for _, c := range b.Constraints {
		constraints = append(constraints, solver.AtLeast(append([]int(nil), c.Lits...), c.AtLeast))
	}
	for _, c := range held { // the solver takes ownership
		constraints = append(constraints, solver.PBConstr{Lits: append([]int(nil), c.Lits...),
			Weights: append([]int(nil), c.Weights...), AtLeast: c.AtLeast})
	}
	last := b.Vars // mentioned in any case, so that every variable has a value
	constraints = append(constraints, solver.AtLeast([]int{last, -last}, 1))
	problem := solver.ParsePBConstrs(constraints)
	lits := make([]solver.Lit, len(term.Vars))
	weights := make([]int, len(term.Vars)) // Optimal fails without
	for i, v := range term.Vars {
		lits[i], weights[i] = solver.IntToLit(int32(v)), term.weight(i)
	}
	problem.SetCostFunc(lits, weights)
	results := make(chan solver.Result)
	go solver.New(problem).Optimal(results, nil)
	var model []bool
	for {
		select {
		case r, more := <-results:
			if !more {
				return term.value(model), model, true
			}
			if r.Status == solver.Sat {
				model = append([]bool(nil), r.Model...)
			}
		case <-ctx.Done():
			go func() {
				for range results { // let it end
				}
			}()
			return term.value(model), model, false
		}
	}
}

// value is the sum under an assignment.
func (t Term) value(model []bool) int {
	sum := 0
	for i, v := range t.Vars {
		if v <= len(model) && model[v-1] {
			sum += t.weight(i)
		}
	}
	return sum
}

func (t Term) weight(i int) int {
	if t.Weights == nil {
		return 1
	}
	return t.Weights[i]
}

// atMost holds the sum down: at least so much of the opposite literals.
func (t Term) atMost(n int) solver.PBConstr {
	c := solver.PBConstr{AtLeast: -n}
	for i, v := range t.Vars {
		c.Lits = append(c.Lits, -v)
		c.Weights = append(c.Weights, t.weight(i))
		c.AtLeast += t.weight(i)
	}
	return c
}
