// Package endtoend tests the command line as a user runs it: real recordings,
// real training, real plans from pictures, and what happens with bad input.
//
// The tests share one bundle, which `stripswm demo` learns once from a small
// recording (demo). What does not matter how it was learned uses the bundle of the
// launch tests.
package endtoend
