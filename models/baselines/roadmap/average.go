package roadmap

// Average is average linkage (UPGMA), which did best in the paper: clusters are as far apart as
// their points are on average. It follows chains of nearest neighbours (Murtagh 1983), which takes
// time in the square of the number of points, and a distance a pair of points in memory: 200 MB
// for 10,000.
func Average(p Points) Dendrogram {
	n := p.Len()
	d := newTriangle(n)
	for i := range n {
		for j := range i {
			d.set(i, j, distance(p.At(i), p.At(j)))
		}
	}
	size := make([]int, n) // of the cluster that point i stands for; 0 where another does
	for i := range size {
		size[i] = 1
	}
	var merges []merge
	var chain []int
	for first := 0; len(merges) < n-1; {
		if len(chain) == 0 {
			for size[first] == 0 {
				first++
			}
			chain = append(chain, first)
		}
		at := chain[len(chain)-1]
		next := -1
		if len(chain) > 1 {
			next = chain[len(chain)-2] // of equals, so that the chain ends
		}
		for i := range n {
			if i != at && size[i] > 0 && (next < 0 || d.at(at, i) < d.at(at, next)) {
				next = i
			}
		}
		if len(chain) < 2 || next != chain[len(chain)-2] {
			chain = append(chain, next)
			continue
		}
		chain = chain[:len(chain)-2]
		a, b := min(at, next), max(at, next)
		merges = append(merges, merge{a, b, d.at(a, b)})
		share := float32(size[b]) / float32(size[a]+size[b])
		for i := range n {
			if i != a && i != b && size[i] > 0 {
				d.set(a, i, (1-share)*d.at(a, i)+share*d.at(b, i))
			}
		}
		size[a], size[b] = size[a]+size[b], 0
	}
	return newDendrogram(n, merges)
}

// triangle is a symmetric matrix without its diagonal.
type triangle struct{ values []float32 }

func newTriangle(n int) triangle { return triangle{make([]float32, n*(n-1)/2)} }

func (t triangle) index(i, j int) int {
	if i < j {
		i, j = j, i
	}
	return i*(i-1)/2 + j
}

func (t triangle) at(i, j int) float32     { return t.values[t.index(i, j)] }
func (t triangle) set(i, j int, v float32) { t.values[t.index(i, j)] = v }
