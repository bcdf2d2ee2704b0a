package regions

import (
	"testing"

	"github.com/go-air/gini/z"
)

// Whatever an effect says of values, it must say of literals too.
func TestEffectsFitAsTheirClauses(t *testing.T) {
	from, to := z.Var(1).Pos(), z.Var(2).Pos()
	for _, e := range everything {
		for _, values := range [][2]bool{{false, false}, {false, true}, {true, false}, {true, true}} {
			value := map[z.Lit]bool{from: values[0], from.Not(): !values[0], to: values[1],
				to.Not(): !values[1]}
			satisfied := true
			for _, clause := range e.clauses(from, to) {
				some := false
				for _, lit := range clause {
					some = some || value[lit]
				}
				satisfied = satisfied && some
			}
			if satisfied != e.fits(values[0], values[1]) {
				t.Errorf("effect %d from %t to %t: clauses %t, fits %t", e, values[0], values[1], satisfied,
					!satisfied)
			}
		}
	}
}
