package sim

import (
	"fmt"
	"strings"
	"sync"

	"stripswm/models/strips"
)

const lampCount = 6

// lamps is a panel with a chain of six lamps and a button to each: action k toggles lamp k and its
// neighbours in the chain. Whatever is lit, every button can be pressed. Over GF(2) the buttons are
// independent, so that all 64 images can be had, each in one way but for the order.
type lamps struct{ numbered[lit] }

// lit has bit k set where lamp k, from 0, is on.
type lit uint8

func init() { worlds["lamps"] = func() World { return newLamps() } }

// newLamps begins in the dark.
var newLamps = sync.OnceValue(func() *lamps {
	return &lamps{number(lit(0), lampCount, func(l lit, a strips.ActionID) (lit, bool) {
		return l ^ button(a), true
	})}
})

// button returns the lamps that an action toggles.
func button(a strips.ActionID) lit { return (7 << (a - 1) >> 1) & (1<<lampCount - 1) }

func (w *lamps) Name() string     { return "lamps" }
func (w *lamps) Dataset() Dataset { return Dataset{States: 64, Actions: 6, Transitions: 4000} }

func (w *lamps) ActionName(a strips.ActionID) string {
	if a < 1 || int(a) > w.NumActions() {
		return fmt.Sprintf("unknown_%d", a)
	}
	return fmt.Sprintf("press_%d", a)
}

func (w *lamps) Describe(s State) string {
	if s < 0 || int(s) >= len(w.states) {
		return fmt.Sprintf("no state %d", s)
	}
	var on []string
	for k := range lampCount {
		if w.states[s]>>k&1 != 0 {
			on = append(on, fmt.Sprint(k+1))
		}
	}
	if len(on) == 0 {
		return "all lamps off"
	}
	return "lamps on: " + strings.Join(on, ", ")
}
