package effects

import (
	"cmp"
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
)

// closer divides looks of variables again, each in directions of its own: things that are much
// alike are one look beside others that are not.
func (c *changes) closer(ctx context.Context, s *album, all []Variable, price float64) ([]Variable,
	error) {
	for i := range all {
		seen := s.view(all[i].Cells, c.channels)
		for look := 0; look < all[i].Looks; {
			divided := false
			for _, fine := range c.finer(seen, &all[i], look, price) {
				v, beside := &all[i], func(w Variable) bool { // which is not a part of the same thing
					return fine.follows(all[i], w) && !c.changesWith(&w, &fine)
				}
				if slices.ContainsFunc(all[:i], beside) || slices.ContainsFunc(all[i+1:], beside) {
					break // a part of another thing is in view: this one is not several
				}
				some := slices.Clone(all)
				some[i] = fine
				some, err := c.foretold(ctx, some)
				if err != nil {
					return nil, err
				}
				divided = len(some) == len(all) && some[i].surprised <= max(v.surprised, mostSurprises)
				if divided {
					all = some
					break
				}
			}
			look += number(!divided)
		}
	}
	return all, nil
}

// finer are ways to divide a look of a variable of which skills tell more, those into few looks
// first, so that evidence for one is no evidence for others: its parts are divided again.
func (c *changes) finer(seen view, v *Variable, look int, price float64) (all []Variable) {
	whole := seen.looks(v)
	var divided []int // images that have the look
	for image, at := range whole {
		if at == look {
			divided = append(divided, image)
		}
	}
	if len(divided) < 2*fewLooks {
		return nil // two looks would be too few; all of them may have become another one
	}
	rows, means := seen.told(divided)
	for dims := 1; dims <= closeDims; dims++ {
		points := along(rows, means, dims)
		for _, parts := range cluster(points, nearby*math.Sqrt(float64(dims)/lookDims)) {
			if recenter(points, parts); fewest(parts) < fewLooks {
				continue
			}
			by := slices.Clone(whole)
			for k, image := range divided {
				switch {
				case parts[k] < 0:
					by[image] = -1
				case parts[k] > 0:
					by[image] = v.Looks + parts[k] - 1
				}
			}
			if slices.Max(by) >= mostLooks {
				continue
			}
			recenter(seen.between(by), by)
			fine := seen.variable(v.Cells, by)
			if fine.Nats = c.adds(&fine, v) - price*float64(fine.Looks-v.Looks); fine.Nats > 0 {
				all = append(all, fine)
			}
		}
	}
	slices.SortStableFunc(all, func(x, y Variable) int {
		return cmp.Or(cmp.Compare(x.Looks, y.Looks), cmp.Compare(y.Nats, x.Nats))
	})
	return all
}

// recenter gives each point that has a look the one whose mean is nearest (Lloyd's k-means): a
// leader between two looks leads some of both.
func recenter(points [][]float64, look []int) {
	for range recenterings {
		means, n := make([][]float64, slices.Max(look)+1), make([]float64, slices.Max(look)+1)
		for m := range means {
			means[m] = make([]float64, len(points[0]))
		}
		for i, m := range look {
			if m >= 0 {
				floats.Add(means[m], points[i])
				n[m]++
			}
		}
		for m := range means {
			floats.Scale(1/n[m], means[m]) // of none, it is far from all
		}
		for i, m := range look {
			if m < 0 {
				continue
			}
			least := math.Inf(1)
			for k := range means {
				if d := floats.Distance(points[i], means[k], 2); d < least {
					look[i], least = k, d
				}
			}
		}
	}
}

// fewest is how many points the look has that has fewest.
func fewest(look []int) int {
	n := make([]int, slices.Max(look)+1)
	for _, m := range look {
		if m >= 0 {
			n[m]++
		}
	}
	return slices.Min(n)
}
