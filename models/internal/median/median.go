package median

import "cmp"

// Upper is the upper median of values, of which there is one at least. It moves them about.
// (Quickselect: Hoare 1961. Sorting took half of the time of an image's gain.)
func Upper[T cmp.Ordered](values []T) T {
	k := len(values) / 2
	for from, to := 0, len(values)-1; from < to; {
		pivot, i, j := values[(from+to)/2], from, to
		for i <= j {
			for values[i] < pivot {
				i++
			}
			for values[j] > pivot {
				j--
			}
			if i <= j {
				values[i], values[j] = values[j], values[i]
				i, j = i+1, j-1
			}
		}
		switch {
		case k <= j:
			to = j
		case k >= i:
			from = i
		default:
			return values[k]
		}
	}
	return values[k]
}
