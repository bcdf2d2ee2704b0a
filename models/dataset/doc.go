// Package dataset holds the transitions and refused attempts of a recording in memory.
package dataset
