package roadmap

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// drawn are a few points on a coarse grid, so that distances tie.
func drawn(t *rapid.T) Points {
	dims := rapid.IntRange(1, 3).Draw(t, "dims")
	n := rapid.IntRange(1, 12).Draw(t, "points")
	values := rapid.SliceOfN(rapid.Map(rapid.IntRange(0, 12), func(i int) float32 {
		return float32(i) / 4
	}), n*dims, n*dims).Draw(t, "values")
	p, err := NewPoints(dims, values)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// groups are the members of each cluster.
func groups(labels []int) [][]int {
	all := make([][]int, slices.Max(labels)+1)
	for i, label := range labels {
		all[label] = append(all[label], i)
	}
	return all
}

// TestSingleLinkageIsConnection cuts where points are joined if a chain of short steps connects
// them.
func TestSingleLinkageIsConnection(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := drawn(t)
		threshold := float32(rapid.IntRange(0, 12).Draw(t, "threshold")) / 4
		sets := newSets(p.Len())
		for i := range p.Len() {
			for j := range i {
				if distance(p.At(i), p.At(j)) <= threshold {
					sets.join(i, j)
				}
			}
		}
		if got, want := Single(p).Cut(threshold), sets.labels(); !slices.Equal(got, want) {
			t.Fatalf("threshold %g: %v, want %v", threshold, got, want)
		}
	})
}

// TestAverageLinkageJoinsTheNearest compares with the textbook: again and again the two clusters
// of least average distance are joined. Points are drawn without ties, which leave a choice.
func TestAverageLinkageJoinsTheNearest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 10).Draw(t, "points")
		p := Points{2, rapid.SliceOfN(rapid.Float32Range(0, 1), 2*n, 2*n).Draw(t, "values")}
		clusters := [][]int{}
		for i := range n {
			clusters = append(clusters, []int{i})
		}
		distinct := func(a, b []int) float64 {
			sum := 0.0
			for _, i := range a {
				for _, j := range b {
					sum += float64(distance(p.At(i), p.At(j)))
				}
			}
			return sum / float64(len(a)*len(b))
		}
		d := Average(p)
		for k, m := range d.merges {
			least, second, a, b := math.Inf(1), math.Inf(1), 0, 0
			for i := range clusters {
				for j := range i {
					if at := distinct(clusters[i], clusters[j]); at < least {
						least, second, a, b = at, least, j, i
					} else {
						second = min(second, at)
					}
				}
			}
			if math.Abs(float64(m.height)-least) > 1e-4 {
				t.Fatalf("merge %d at %g, want %g", k, m.height, least)
			}
			if second-least < 1e-4 {
				return // a choice
			}
			clusters[a] = append(clusters[a], clusters[b]...)
			clusters = slices.Delete(clusters, b, b+1)
		}
	})
}

// TestCutsAreNested says that a higher threshold only joins clusters, from every point for itself
// to all in one.
func TestCutsAreNested(t *testing.T) {
	for name, linkage := range map[string]func(Points) Dendrogram{"single": Single,
		"average": Average} {
		t.Run(name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				p := drawn(t)
				d := linkage(p)
				if len(d.merges) != p.Len()-1 {
					t.Fatalf("%d merges of %d points", len(d.merges), p.Len())
				}
				low := float32(rapid.IntRange(-1, 12).Draw(t, "low")) / 4
				fine, wider := d.Cut(low), d.Cut(low+float32(rapid.IntRange(0, 8).Draw(t, "more"))/4)
				for _, group := range groups(fine) {
					for _, i := range group {
						if wider[i] != wider[group[0]] {
							t.Fatalf("%v is cut in %v", group, wider)
						}
					}
				}
				if n := slices.Max(d.Cut(-1)); n != p.Len()-1 {
					t.Fatalf("below all distances there are %d clusters", n+1)
				}
				if n := slices.Max(d.Cut(float32(math.Inf(1)))); n != 0 {
					t.Fatalf("above all distances there are %d clusters", n+1)
				}
			})
		})
	}
}

// TestDensityFindsClustersOfDifferentDensity has a dense heap, a loose one, and a point alone.
func TestDensityFindsClustersOfDifferentDensity(t *testing.T) {
	p := Points{Dims: 1}
	var want []int
	for i := range 10 {
		p.values = append(p.values, float32(i)*0.01)
		want = append(want, 0)
	}
	for i := range 10 {
		p.values = append(p.values, 10+float32(i))
		want = append(want, 1)
	}
	p.values, want = append(p.values, 60), append(want, -1)
	if got := Density(p, 3); !sameGroups(got, want) {
		t.Errorf("clusters %v, want %v", got, want)
	}
	if got := Density(p, 11); slices.Max(got) != -1 {
		t.Errorf("clusters of 11 points: %v", got)
	}
}

// sameGroups says whether the same points are together, and the same in none.
func sameGroups(a, b []int) bool {
	for i := range a {
		for j := range a {
			if (a[i] == a[j]) != (b[i] == b[j]) || (a[i] < 0) != (b[i] < 0) {
				return false
			}
		}
	}
	return true
}

// TestDensityLaws says that clusters have the size asked for, do not depend on the unit of
// distance, and are nothing but numbers from 0 and -1.
func TestDensityLaws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 30).Draw(t, "points")
		least := rapid.IntRange(2, 5).Draw(t, "least")
		p := Points{
			2, rapid.SliceOfN(rapid.Map(rapid.IntRange(0, 40), func(i int) float32 { return float32(i) }),
				2*n, 2*n).Draw(t, "values")}
		labels := Density(p, least)
		sizes := map[int]int{}
		for _, label := range labels {
			sizes[label]++
		}
		for label := range slices.Max(labels) + 1 {
			if sizes[label] < least {
				t.Fatalf("cluster %d has %d points: %v", label, sizes[label], labels)
			}
		}
		if slices.Min(labels) < -1 {
			t.Fatalf("labels %v", labels)
		}
		double := Points{2, nil}
		for _, v := range p.values {
			double.values = append(double.values, 2*v)
		}
		if other := Density(double, least); !slices.Equal(labels, other) {
			t.Fatalf("at twice the distances %v, not %v", other, labels)
		}
	})
}

// TestChosenAreTheMostStable compares the choice of clusters with all choices.
func TestChosenAreTheMostStable(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		clusters := []condensed{{parent: -1}}
		for c := 0; c < len(clusters) && len(clusters) < 12; c++ {
			if c == 0 || rapid.Bool().Draw(t, "split") {
				clusters[c].split = true
				for range 2 {
					clusters = append(clusters, condensed{node: len(clusters), parent: c,
						stability: float64(rapid.IntRange(0, 20).Draw(t, "stability"))})
				}
			}
		}
		sum := func(all []condensed) (s float64) {
			for _, c := range all {
				s += c.stability
			}
			return s
		}
		got := chosen(clusters)
		best := 0.0
		for choice := range 1 << (len(clusters) - 1) {
			var some []condensed
			distinct := true
			for i := 1; i < len(clusters); i++ {
				if choice>>(i-1)&1 == 0 {
					continue
				}
				some = append(some, clusters[i])
				for up := clusters[i].parent; up > 0; up = clusters[up].parent {
					distinct = distinct && choice>>(up-1)&1 == 0
				}
			}
			if distinct {
				best = max(best, sum(some))
			}
		}
		if sum(got) != best {
			t.Fatalf("%v have %g, the best %g", got, sum(got), best)
		}
		for _, c := range got {
			for up := c.parent; up > 0; up = clusters[up].parent {
				if slices.ContainsFunc(got, func(o condensed) bool { return o.node == up }) {
					t.Fatalf("cluster %d is below another that was chosen", c.node)
				}
			}
		}
	})
}
