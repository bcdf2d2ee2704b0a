package traces

// maxGap bounds the distinct actions in a gap that is kept. Longer gaps hardly ever decide a
// branch, and one that does is found in the trace before a region is accepted: a world ten times as
// large costs time, and no region is lost.
const maxGap = 24

// maxGaps bounds the gaps that are kept for a pair of actions, for the same reason.
const maxGaps = 64

// gaps has, for unordered pairs of actions, the inclusion-minimal sets of actions that occurred
// strictly between one of the two and the next of them. Where both have one sign in a region, some
// action of each such set has the other sign.
type gaps map[[2]int32][][]int32

func (g gaps) of(x, y int) [][]int32 { return g[pair(int32(x), int32(y))] }

func pair(x, y int32) [2]int32 { return [2]int32{min(x, y), max(x, y)} }

// findGaps goes through the trace once, with the actions of the segment in order of their last
// success: what is before x in this list occurred since x.
func findGaps(t *trace) gaps {
	g := gaps{}
	var recent []int32
	rank, together := make([]int, len(t.ids)), make([]bool, len(t.ids))
	for e, ev := range t.events {
		if e > 0 && t.segment(int32(e)) != t.segment(int32(e-1)) {
			recent = recent[:0]
		}
		at := len(recent)
		for r, x := range recent {
			if r <= maxGap && !together[x] && ev.with == 0 { // else what was between is unknown
				g.insert(pair(x, ev.action), recent[:r], rank)
			}
			if x == ev.action {
				at = r
				break
			}
		}
		if at == len(recent) {
			recent = append(recent, 0)
		}
		copy(recent[1:at+1], recent[:at])
		recent[0], together[ev.action] = ev.action, ev.with != 0
		for r, x := range recent[:at+1] {
			rank[x] = r
		}
	}
	return g
}

// insert adds a gap in place of those that contain it, unless it contains another one. An action's
// rank is its place in the list that the gap is the beginning of.
func (g gaps) insert(of [2]int32, gap []int32, rank []int) {
	all := g[of]
	kept := all[:0]
	for _, old := range all {
		shared := 0
		for _, c := range old {
			if r := rank[c]; r < len(gap) && gap[r] == c {
				shared++
			}
		}
		if shared == len(old) {
			return // nothing was removed yet, since no gap that is kept contains another one
		}
		if shared < len(gap) {
			kept = append(kept, old)
		}
	}
	if len(kept) < maxGaps {
		kept = append(kept, append([]int32(nil), gap...))
	}
	g[of] = kept
}
