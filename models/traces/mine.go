package traces

// miner searches for the regions of minimal support: no support of another one is within theirs.
type miner struct {
	t        *trace
	contexts []context
	gaps     gaps
	work     steps
	limit    int      // actions in a support
	seed     int      // the first action of the support: none before it is tried
	sign     []int8   // by action: 1 adds, -1 deletes
	excluded [2][]int // by sign and action: branches that are without it
	support  []int
	met      []int // by action: the last question that met it in a gap
	question int
	found    []*region
	wide     []*region // that contain a found one
	prices   *pool
	barred   []bool  // by action: not tried
	within   [][]int // by action: the found regions with it
	scratch  []int32

	base  []bool   // by action: of the region that is widened
	wider *widened // nil while the regions of minimal support are searched
}

// newMiner returns one to which all supports of a size are equally likely.
func newMiner(t *trace, work steps) *miner {
	n := len(t.ids)
	return &miner{t: t, contexts: contexts(t), gaps: findGaps(t), work: work, prices: newPool(n),
		sign: make([]int8, n), met: make([]int, n), base: make([]bool, n), barred: make([]bool, n),
		excluded: [2][]int{make([]int, n), make([]int, n)}, within: make([][]int, n)}
}

// complete searches for regions of forms that are known among the actions that are in none, and
// says whether it found some.
func (m *miner) complete(f *pool) bool {
	m.prices = f
	before := len(m.found)
	for _, key := range f.pooled() {
		for a := range m.barred {
			m.barred[a] = f.forms[key].of[a] != nil
		}
		m.limit = key.size
		for m.seed = 0; m.seed < len(m.barred) && len(m.t.occurs[m.seed]) > 0; m.seed++ {
			if !m.barred[m.seed] {
				m.try(m.seed, 1)
			}
		}
	}
	return len(m.found) > before
}

// mine finds the regions with up to limit actions and more evidence than coincidence has, by
// iterative deepening, and returns up to how many actions all of them were found before the work
// ended.
func (m *miner) mine(limit int) (complete int) {
	n := len(m.sign)
	for m.limit = 2; m.limit <= limit; m.limit++ {
		for m.seed = 0; m.seed < n && len(m.t.occurs[m.seed]) > 0; m.seed++ {
			m.try(m.seed, 1)
		}
		if m.work.left < 0 {
			return m.limit - 1
		}
	}
	m.wide = m.widen(limit)
	m.wider = nil
	return limit
}

// try extends the support by an action with a sign.
func (m *miner) try(a int, sign int8) {
	m.sign[a], m.support = sign, append(m.support, a)
	if !m.contains(a) {
		m.extend()
	}
	m.sign[a], m.support = 0, m.support[:len(m.support)-1]
}

// extend completes the support to regions. It branches on a gap between two actions of one sign:
// one of its actions has the other sign.
func (m *miner) extend() {
	open, sign, least := m.open()
	if least == 0 {
		if open, sign = m.scan(); open == nil {
			return
		}
		least = 1
	}
	if len(m.support)+least > m.limit || m.work.left < 0 {
		return
	}
	excluded := m.excluded[(sign+1)/2]
	tried := make([]int32, 0, len(open))
	for _, c := range open {
		if m.free(c, sign) {
			m.try(int(c), sign)
			excluded[c]++ // the branches that follow are without it
			tried = append(tried, c)
		}
	}
	for _, c := range tried {
		excluded[c]--
	}
}

// free says whether an action may get the sign.
func (m *miner) free(c int32, sign int8) bool {
	return m.sign[c] == 0 && int(c) > m.seed && !m.barred[c] && m.excluded[(sign+1)/2][c] == 0
}

// contains says whether the support, whose last action is c, contains that of a found region,
// beside the one that is widened.
func (m *miner) contains(c int) bool {
next:
	for _, f := range m.within[c] {
		for _, e := range m.found[f].effects {
			m.work.spend(1)
			if m.sign[e.action] == 0 || m.base[e.action] {
				continue next
			}
		}
		return true
	}
	return false
}

// open returns the gap that lacks an action of a sign and in which the fewest may get it, and how
// many such gaps there are of which no two share one: the support needs as many more. That is the
// limit where some gap cannot be closed, and 0 where there is none.
func (m *miner) open() (gap []int32, sign int8, least int) {
	m.question++
	fewest := 0
	for i, x := range m.support {
		for _, y := range m.support[:i+1] {
			if m.sign[x] != m.sign[y] {
				continue
			}
			for _, g := range m.gaps.of(x, y) {
				free, disjoint, closed := m.count(g, -m.sign[x])
				switch {
				case closed:
					continue
				case free == 0:
					return nil, 0, m.limit
				case disjoint:
					least++
				}
				if gap == nil || free < fewest {
					gap, sign, fewest = g, -m.sign[x], free
				}
			}
		}
	}
	return gap, sign, least
}

// count says how many actions of a gap may get the sign, whether none of them is in a gap that was
// counted before, and whether one has it already.
func (m *miner) count(gap []int32, sign int8) (free int, disjoint, closed bool) {
	m.work.spend(1 + len(gap))
	disjoint = true
	for _, c := range gap {
		if m.sign[c] == sign {
			return 0, false, true
		}
		if m.free(c, sign) {
			free++
			disjoint = disjoint && m.met[c] != m.question
		}
	}
	if disjoint {
		for _, c := range gap {
			if m.free(c, sign) {
				m.met[c] = m.question
			}
		}
	}
	return free, disjoint, false
}

// scan looks in the trace for two events in a row of one sign, and returns what occurred between
// them and the sign that one of it must have. Where all alternate, the support is a region.
func (m *miner) scan() (gap []int32, sign int8) {
	m.scratch = m.events()
	due := 0 // events whose sign the one before determines
	for i, e := range m.scratch {
		m.work.spend(8) // most of which is for the order of the events
		if i == 0 || m.t.segment(m.scratch[i-1]) != m.t.segment(e) {
			continue
		}
		before := m.scratch[i-1]
		s := m.sign[m.t.events[e].action]
		if s == m.sign[m.t.events[before].action] {
			return m.between(before, e), -s
		}
		if !m.t.idle(m.scratch, i-1) {
			due++
		}
	}
	if len(m.support) == 1 { // which occurs once a segment: all others come into question
		return m.actions(m.t.events), -1
	}
	if m.wider != nil {
		m.wider.accept(m)
	} else {
		m.accept(alternation(due))
	}
	return nil, 0
}

// events are those of the support that change a region.
func (m *miner) events() []int32 {
	return m.t.cancel(m.t.merged(m.support, m.scratch),
		func(x, y int32) bool { return m.sign[x] == m.sign[y] })
}

// between lists the actions of the events between two, and of those that may be between them.
func (m *miner) between(x, y int32) []int32 {
	from, to := x+1, y
	if m.t.events[x].with < 0 {
		from = x - 1
	}
	if m.t.events[y].with > 0 {
		to = y + 2
	}
	return m.actions(m.t.events[from:to])
}

// actions lists those of events, each once.
func (m *miner) actions(events []event) (actions []int32) {
	m.question++
	m.work.spend(len(events))
	for _, ev := range events {
		if m.met[ev.action] != m.question {
			m.met[ev.action] = m.question
			actions = append(actions, ev.action)
		}
	}
	return actions
}

// accept keeps the region of the signs, if there is more evidence than it takes to name its
// actions: that they alternate or, for a region that seldom holds, when they succeeded.
func (m *miner) accept(alternate float64) {
	r := m.region()
	price, _ := m.prices.price(r.named(), nil)
	if alternate <= price && r.succeeds(m.contexts) <= price {
		return
	}
	for _, a := range m.support {
		m.within[a] = append(m.within[a], len(m.found))
	}
	m.found = append(m.found, r)
}

// region is that of the signs.
func (m *miner) region() *region {
	r := &region{}
	for a, s := range m.sign {
		if s != 0 {
			r.effects = append(r.effects, effect{a, s > 0})
		}
	}
	r.evaluate(m.t)
	m.work.spend(m.t.intervals)
	return r
}
