// Package progress shows how far long work has come.
//
// The main type is [Bar], which counts units of work. [Start] opens one, Add and Set move it, Done
// closes it:
//
//	work --Add, Set--> Bar --> terminal: one line; file or pipe: a line every few seconds
//
// On a terminal the line has description, count, rate and remaining time
// (github.com/schollz/progressbar). In quiet mode (--quiet, --json) nothing is written. When the
// context ends, the bar stops drawing, and Done says how far the work came.
package progress
