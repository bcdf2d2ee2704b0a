// Package rooms tests which folder may import which. The test reads the imports of every package
// and of its tests, and compares them with a list of rules.
package rooms
