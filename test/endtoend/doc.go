// Package endtoend tests the command line as a user runs it: real recordings,
// real training, real plans from pictures, and what happens with bad input.
//
// The tests build the program once (TestMain) and share one learned bundle.
package endtoend
