// Package identity decides which images show the same state.
package identity
