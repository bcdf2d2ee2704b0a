// Package bitset has sets of small numbers. Its main type is [Set], 64 numbers a
// word; two sets that meet have the same length:
//
//	states := bitset.New(100)
//	states.Set(7)
package bitset
