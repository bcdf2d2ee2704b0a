// Package endtoend tests the command line as a user runs it: real recordings,
// real training, real plans from pictures, and what happens with bad input.
//
// TestDemo learns a bundle from a small recording and has the tests of what is done
// with one. What does not depend on how it was learned uses that of the launch tests.
package endtoend
