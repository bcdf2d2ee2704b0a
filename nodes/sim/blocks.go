package sim

import (
	"fmt"
	"sync"

	"stripswm/models/strips"
)

// BlocksWorld sizes.
const (
	blockCount  = 3
	regionCount = 3
	blockPicks  = blockCount * regionCount
)

// blocks is BlocksWorld: three identical blocks in three stacking regions and a gripper that holds
// at most one. Action 1 + 3r + (h-1) picks the top block of region r, whose stack is h high; action
// 10 + 3r + (h-1) places the held block on region r, whose stack then is h high.
type blocks struct{ numbered[stacks] }

// stacks is how many blocks each region has; the one that is missing is held.
type stacks [regionCount]int8

func (s stacks) held() bool { return s[0]+s[1]+s[2] < blockCount }

func init() { worlds["blocksworld"] = func() World { return newBlocks() } }

// newBlocks begins with all blocks on region 0.
var newBlocks = sync.OnceValue(func() *blocks {
	return &blocks{number(stacks{blockCount}, 2*blockPicks, stacks.apply)}
})

func (s stacks) apply(a strips.ActionID) (stacks, bool) {
	place := a > blockPicks
	k := int(a-1) % blockPicks
	r, h := k/blockCount, int8(k%blockCount+1)
	if place == s.held() {
		if place && s[r] == h-1 {
			s[r]++
			return s, true
		}
		if !place && s[r] == h {
			s[r]--
			return s, true
		}
	}
	return s, false
}

func (w *blocks) Name() string     { return "blocksworld" }
func (w *blocks) Dataset() Dataset { return Dataset{States: 16, Actions: 18, Transitions: 5000} }

func (w *blocks) ActionName(a strips.ActionID) string {
	if a < 1 || int(a) > w.NumActions() {
		return fmt.Sprintf("unknown_%d", a)
	}
	verb := "pick"
	if a > blockPicks {
		verb = "place"
	}
	k := (int(a) - 1) % blockPicks
	return fmt.Sprintf("%s_%d_%d", verb, k/blockCount, k%blockCount+1)
}

func (w *blocks) Describe(s State) string {
	if s < 0 || int(s) >= len(w.states) {
		return fmt.Sprintf("no state %d", s)
	}
	n := w.states[s]
	hand := "empty"
	if n.held() {
		hand = "holds a block"
	}
	return fmt.Sprintf("blocks in regions 0, 1, 2: %d, %d, %d; gripper %s", n[0], n[1], n[2], hand)
}
