package spread

// Evenly returns n of the items at even distances, the first one included; all where there are no
// more.
func Evenly[T any](items []T, n int) []T {
	if len(items) <= n {
		return items
	}
	some := make([]T, n)
	for i, at := range Indices(len(items), n) {
		some[i] = items[at]
	}
	return some
}

// Indices returns n of the numbers from 0 to items-1 at even distances, or all of them.
func Indices(items, n int) []int {
	some := make([]int, min(items, n))
	for i := range some {
		some[i] = i * items / len(some)
	}
	return some
}
