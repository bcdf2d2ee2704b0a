package effects

import (
	"cmp"
	"context"
	"math"
	"slices"

	"stripswm/models/internal/median"
)

// part is a place where all successes of a skill change images alike, and a detector of that change
// in any other.
type part struct {
	skill    int
	from     []int     // its successes at which the effect came: at others it may have been on
	cells    []int32   // features
	mean     []float32 // change of each
	scale    []float32 // 1 / variance of each
	norm     float32   // such that the response to the mean is 1
	own      float64   // standard deviation of responses to the skill's changes
	still    float64   // and to changes where nothing happened
	nats     float64   // evidence that the skill's changes are alike
	alike    float64   // standard deviation of the likenesses of the skill's changes
	time     float64   // share of the attempts before which the effect is on
	response []float32 // by row: 1 where the effect comes, -1 where it goes
	likeness []float32 // by row: cosine of the change and the mean, 1 as usual for the skill's
}

// detect finds the parts of all skills.
func detect(ctx context.Context, c *changes, width, channels int) ([]*part, error) {
	all := make([]moments, len(c.skills))
	pooled, degrees := make([]float64, c.values), 0.0
	for a, own := range c.of {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		all[a] = c.moments(own)
		if n := float64(len(own)); n > 1 {
			for v := range pooled {
				pooled[v] += n * all[a].variance(v)
			}
			degrees += n - 1
		}
	}
	for v := range pooled {
		pooled[v] = max(pooled[v]/max(degrees, 1), c.noise[v])
	}
	var found []*part
	for a, own := range c.of {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if len(own) < fewSuccesses {
			continue
		}
		whole := c.discriminant(a, all[a], pooled)
		if some := c.effective(whole); len(some) < len(own) {
			whole = c.discriminant(a, c.moments(some), pooled)
			whole.from = some
		}
		for _, p := range whole.parts(width, channels) {
			if c.learn(p) {
				found = append(found, p)
			}
		}
	}
	return found, nil
}

// moments are sums over changes.
type moments struct {
	n           float64
	sum, square []float64
}

func (m *moments) variance(v int) float64 {
	mean := m.sum[v] / m.n
	return max(m.square[v]/m.n-mean*mean, 0)
}

func (c *changes) moments(attempts []int) moments {
	m := moments{float64(len(attempts)), make([]float64, c.values), make([]float64, c.values)}
	for _, i := range attempts {
		for v, x := range c.row(c.during[i]) {
			m.sum[v] += float64(x)
			m.square[v] += float64(x * x)
		}
	}
	return m
}

// discriminant is the detector of changes with these moments: what they change on average, by the
// variance of each value, where it is clear that they change it, and nearly as clear as anywhere: a
// slight change of the whole image, in values that vary together, would count too much.
func (c *changes) discriminant(a int, m moments, pooled []float64) *part {
	clear := 2 * math.Log(float64(c.values)*float64(len(c.skills))) / m.n
	mean, variance := make([]float64, c.values), make([]float64, c.values)
	most := 0.0
	for v := range mean {
		mean[v] = m.sum[v] / m.n
		variance[v] = max((m.n*m.variance(v)+priorSuccesses*pooled[v])/(m.n+priorSuccesses), c.noise[v])
		most = max(most, mean[v]*mean[v]/variance[v])
	}
	p := &part{skill: a, from: c.of[a]}
	for v := range mean {
		if mean[v]*mean[v] > max(clear, nearly*nearly*most)*variance[v] {
			p.cells, p.mean = append(p.cells, int32(v)), append(p.mean, float32(mean[v]))
			p.scale = append(p.scale, float32(1/(variance[v]+c.noise[v])))
		}
	}
	return p
}

// parts are those that do not touch, the clearest first, mostParts at most. Width 0: one part.
func (p *part) parts(width, channels int) []*part {
	if len(p.cells) == 0 {
		return nil
	}
	if width == 0 {
		return []*part{p}
	}
	at := map[[2]int][]int{} // cells by pixel
	for i, v := range p.cells {
		pixel := int(v) / channels
		xy := [2]int{pixel % width, pixel / width}
		at[xy] = append(at[xy], i)
	}
	var all []*part
	clear := map[*part]float64{}
	seen := map[[2]int]bool{}
	for _, v := range p.cells {
		pixel := int(v) / channels
		first := [2]int{pixel % width, pixel / width}
		if seen[first] {
			continue
		}
		seen[first] = true
		var members []int
		for queue := [][2]int{first}; len(queue) > 0; queue = queue[1:] {
			xy := queue[0]
			members = append(members, at[xy]...)
			for dy := -reach; dy <= reach; dy++ {
				for dx := -reach; dx <= reach; dx++ {
					near := [2]int{xy[0] + dx, xy[1] + dy}
					if at[near] != nil && !seen[near] {
						seen[near] = true
						queue = append(queue, near)
					}
				}
			}
		}
		slices.Sort(members)
		q := &part{skill: p.skill, from: p.from}
		for _, i := range members {
			q.cells, q.mean = append(q.cells, p.cells[i]), append(q.mean, p.mean[i])
			q.scale = append(q.scale, p.scale[i])
			clear[q] += float64(p.mean[i] * p.mean[i] * p.scale[i])
		}
		all = append(all, q)
	}
	slices.SortStableFunc(all, func(x, y *part) int { return cmp.Compare(clear[y], clear[x]) })
	return all[:min(len(all), mostParts)]
}

// respond is the response to a change.
func (p *part) respond(row []float32) float32 {
	var sum float32
	for i, v := range p.cells {
		sum += p.mean[i] * p.scale[i] * row[v]
	}
	return sum / p.norm
}

// cosine is that of a change and the mean, in standard deviations.
func (p *part) cosine(row []float32) float32 {
	var own, its, both float32
	for i, v := range p.cells {
		own += p.mean[i] * p.mean[i] * p.scale[i]
		its += row[v] * row[v] * p.scale[i]
		both += p.mean[i] * row[v] * p.scale[i]
	}
	return both / float32(math.Sqrt(float64(own*its))+math.SmallestNonzeroFloat32)
}

// without is the response to one of the n changes that the mean is of, as if it were not.
func (p *part) without(row []float32, n float32) float32 {
	var sum, norm float32
	for i, v := range p.cells {
		mean := (n*p.mean[i] - row[v]) / (n - 1)
		sum += mean * p.scale[i] * row[v]
		norm += mean * p.scale[i] * mean
	}
	return sum / norm
}

// effective are the successes of a part's skill at which it changes something, where at the others
// nothing happens, such as to switch a lamp on that is on. All of them, where that is not so.
func (c *changes) effective(p *part) []int {
	own := c.of[p.skill]
	p.norm = 1
	at := make([]float32, len(own))
	for k, i := range own {
		at[k] = p.respond(c.row(c.during[i]))
	}
	if len(at) == 0 {
		return own
	}
	high := slices.Sorted(slices.Values(at))[len(at)*9/10] // the effect came there, if seldom
	var some []int
	var others []float32
	for k, i := range own {
		if at[k] > high/2 {
			some = append(some, i)
		} else {
			others = append(others, at[k])
		}
	}
	if len(some) < fewSuccesses || float64(len(others)) < 2*wrongShare*float64(len(own)) ||
		max(middle(others), -middle(others)) > high/4 {
		return own
	}
	return some
}

// learn measures the responses of a part to all changes, and says whether those to its own skill's
// are alike.
func (c *changes) learn(p *part) bool {
	p.norm = 0
	for i, m := range p.mean {
		p.norm += m * p.scale[i] * m
	}
	own := p.from
	at := make([]float32, len(own))
	for k, i := range own {
		at[k] = p.without(c.row(c.during[i]), float32(len(own)))
	}
	usual := middle(at)
	if !(usual > 0) {
		return false
	}
	p.norm *= usual
	p.response = make([]float32, c.rows.Rows)
	for i := range p.response {
		p.response[i] = p.respond(c.row(i))
	}
	for k, i := range own {
		at[k] /= usual
		p.response[c.during[i]] = at[k]
	}
	p.own = max(deviation(at, 1), leastSpread)
	var still []float32
	for _, i := range c.still {
		still = append(still, p.response[i])
	}
	p.still = max(deviation(still, 0), leastSpread)
	for _, x := range at {
		p.nats += logMix(float64(x)-1, p.own) - logMix(float64(x), p.still)
	}
	p.likeness = make([]float32, c.rows.Rows)
	for i := range p.likeness {
		p.likeness[i] = p.cosine(c.row(i))
	}
	for k, i := range own {
		at[k] = p.likeness[c.during[i]]
	}
	usual = middle(at)
	for i := range p.likeness {
		p.likeness[i] /= usual
	}
	for k := range at {
		at[k] /= usual
	}
	p.alike = max(deviation(at, 1), leastSpread/2)
	return p.nats > math.Log(float64(len(c.skills)*c.values))
}

// middle is the median of values, 0 of none.
func middle(values []float32) float32 {
	if len(values) == 0 {
		return 0
	}
	return median.Upper(slices.Clone(values))
}

// deviation is the standard deviation around a mean of normal values among which are some others.
func deviation(values []float32, mean float32) float64 {
	off := make([]float32, len(values))
	for i, v := range values {
		off[i] = max(v-mean, mean-v)
	}
	const normal = 1.4826 // standard deviations a median of distances from the mean is
	return normal * float64(middle(off))
}
