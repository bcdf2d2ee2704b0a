// Package endtoend tests the command line as a user runs it: real recordings, real training, plans
// from images, and bad input.
//
// TestDemo learns a bundle from a small recording and runs the tests of this bundle. Tests that do
// not depend on how a bundle was learned use the bundle of the launch tests.
package endtoend
