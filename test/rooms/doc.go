// Package rooms holds the house to its plan: which folder may import which. The test
// reads the imports of every package, those of its tests included.
package rooms
