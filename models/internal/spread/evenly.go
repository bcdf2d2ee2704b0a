package spread

// Evenly returns n of the items at even distances, the first one included; all where there are no
// more.
func Evenly[T any](items []T, n int) []T {
	if len(items) <= n {
		return items
	}
	some := make([]T, n)
	for i := range some {
		some[i] = items[i*len(items)/n]
	}
	return some
}
