package variants

import "stripswm/models/operators/internal/work"

// patience ends a search from which nothing has come for some time: twice
// as long as it had taken until then, and some time for each edge.
type patience struct {
	w     *work.Work
	began int64
	until int64
	some  int64
}

func newPatience(w *work.Work, g *Graph) *patience {
	p := &patience{w: w, began: w.Left(), some: int64(100_000 * len(g.Edges))}
	p.reset()
	return p
}

// reset is for when something came of it.
func (p *patience) reset() {
	spent := p.began - p.w.Left()
	p.until = 3*spent + p.some
}

func (p *patience) over() bool { return p.w.Over() || p.began-p.w.Left() > p.until }
