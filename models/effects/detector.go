package effects

import (
	"context"
	"math"
	"slices"
)

// detectors tell each skill's effect in any change.
type detectors struct {
	*changes
	skillful []*detector // by skill; nil where there are too few successes, or nothing is seen
	response [][]float32 // by skill and row: 1 where its effect comes, -1 where it goes
	likeness [][]float32 // 1 where the change is as its own where it is seen, 0 where it has nothing of it
}

// detector is a linear function of changes.
type detector struct {
	cells     []int32
	weight    []float32
	mean      []float32 // by cell, in standard deviations
	scales    []float32 // 1 / standard deviation
	own       float64   // standard deviation of responses to its skill's changes
	still     float64   // and to changes where nothing happened
	alikeness float64   // standard deviation of own likenesses
	nats      float64   // evidence that its skill's changes are alike
}

// detect learns a detector for each skill and asks it about all changes.
func detect(ctx context.Context, c *changes) (*detectors, error) {
	d := &detectors{changes: c, skillful: make([]*detector, len(c.skills)),
		response: make([][]float32, len(c.skills)), likeness: make([][]float32, len(c.skills))}
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
	for a, own := range c.of {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if len(own) >= fewSuccesses {
			d.learn(a, all[a], pooled)
		}
	}
	return d, nil
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

func (m *moments) less(o moments) moments {
	l := moments{m.n - o.n, make([]float64, len(m.sum)), make([]float64, len(m.sum))}
	for v := range m.sum {
		l.sum[v], l.square[v] = m.sum[v]-o.sum[v], m.square[v]-o.square[v]
	}
	return l
}

// discriminant is the detector of changes with these moments: what they change on average, by the
// variance of each value, where it is clear that they change it, and nearly as clear as anywhere: a
// slight change of the whole image, in values that vary together, would count too much. Nil if that
// is nowhere.
func (c *changes) discriminant(m moments, pooled []float64) *detector {
	clear := 2 * math.Log(float64(c.values)*float64(len(c.skills))) / m.n
	mean, variance := make([]float64, c.values), make([]float64, c.values)
	most := 0.0
	for v := range mean {
		mean[v] = m.sum[v] / m.n
		variance[v] = max((m.n*m.variance(v)+priorSuccesses*pooled[v])/(m.n+priorSuccesses), c.noise[v])
		most = max(most, mean[v]*mean[v]/variance[v])
	}
	d, scale := &detector{}, 0.0
	for v := range mean {
		if mean[v]*mean[v] > max(clear, nearly*nearly*most)*variance[v] {
			w, s := mean[v]/(variance[v]+c.noise[v]), 1/math.Sqrt(variance[v]+c.noise[v])
			d.cells, d.weight = append(d.cells, int32(v)), append(d.weight, float32(w))
			d.mean, d.scales = append(d.mean, float32(mean[v]*s)), append(d.scales, float32(s))
			scale += w * mean[v]
		}
	}
	if len(d.cells) == 0 {
		return nil
	}
	d.scale(1 / scale)
	return d
}

func (d *detector) scale(by float64) {
	for i := range d.weight {
		d.weight[i] *= float32(by)
	}
}

func (d *detector) of(row []float32) float32 {
	var sum float32
	for i, v := range d.cells {
		sum += d.weight[i] * row[v]
	}
	return sum
}

// alike is the cosine of a change and the skill's mean, in standard deviations.
func (d *detector) alike(row []float32) float32 {
	var own, its, both float32
	for i, v := range d.cells {
		x := row[v] * d.scales[i]
		own += d.mean[i] * d.mean[i]
		its += x * x
		both += x * d.mean[i]
	}
	return both / float32(math.Sqrt(float64(own*its))+math.SmallestNonzeroFloat32)
}

// learn makes the detector of a skill. The responses to its own changes are by detectors that were
// learned without them.
func (d *detectors) learn(a int, m moments, pooled []float64) {
	whole := d.discriminant(m, pooled)
	if whole == nil {
		return
	}
	own := d.of[a]
	at, likes := make([]float32, len(own)), make([]float32, len(own))
	for f := range folds {
		var left []int
		for k := f; k < len(own); k += folds {
			left = append(left, own[k])
		}
		part := d.discriminant(m.less(d.moments(left)), pooled)
		for k := f; k < len(own) && part != nil; k += folds {
			at[k] = part.of(d.row(d.during[own[k]]))
			likes[k] = part.alike(d.row(d.during[own[k]]))
		}
	}
	middle := median(at)
	if middle <= 0 {
		return
	}
	for k := range at {
		at[k] /= middle
	}
	r := make([]float32, d.rows.Rows)
	for i := range r {
		r[i] = whole.of(d.row(i))
	}
	for k, i := range own {
		r[d.during[i]] = at[k]
	}
	whole.own = max(deviation(at, 1), leastSpread)
	var still []float32
	for _, i := range d.still {
		still = append(still, r[i])
	}
	whole.still = max(deviation(still, 0), leastSpread)
	for _, x := range at {
		whole.nats += logMix(float64(x)-1, whole.own) - logMix(float64(x), whole.still)
	}
	if whole.nats > math.Log(float64(len(d.skills))) {
		d.skillful[a], d.response[a] = whole, r
		usual := median(likes)
		like := make([]float32, d.rows.Rows)
		for i := range like {
			like[i] = whole.alike(d.row(i)) / usual
		}
		for i := range likes {
			likes[i] /= usual
		}
		whole.alikeness = max(deviation(likes, 1), leastSpread/2)
		d.likeness[a] = like
	}
}

// logMix is the log likelihood of a response that is off by so much, where some are recorded wrong.
func logMix(off, deviation float64) float64 {
	z := off / deviation
	return math.Log((1-wrongShare)*math.Exp(-z*z/2)/(deviation*math.Sqrt(2*math.Pi)) +
		wrongShare/spanned)
}

func median(values []float32) float32 {
	if len(values) == 0 {
		return 0
	}
	return slices.Sorted(slices.Values(values))[len(values)/2]
}

// deviation is the standard deviation around a mean of normal values among which are some others.
func deviation(values []float32, mean float32) float64 {
	off := make([]float32, len(values))
	for i, v := range values {
		off[i] = max(v-mean, mean-v)
	}
	const normal = 1.4826 // standard deviations a median of distances from the mean is
	return normal * float64(median(off))
}
