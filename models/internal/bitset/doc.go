// Package bitset has sets of small numbers. The main type is [Set], 64 numbers a word. Two sets
// that are combined have the same length:
//
//	states := bitset.New(100)
//	states.Set(7)
package bitset
