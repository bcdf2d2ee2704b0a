// Package networkstest has what tests of networks share: tensors with given numbers, and the
// comparison of gradients with finite differences.
package networkstest
