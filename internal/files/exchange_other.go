//go:build !linux

package files

// Exchange lets two paths change places, in two steps between which nothing is at path.
func Exchange(from, path string) error { return exchangeInSteps(from, path) }
