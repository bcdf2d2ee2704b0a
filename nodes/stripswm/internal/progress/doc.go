// Package progress tells the person at the terminal how far long work has come.
//
// A [Bar] counts units of work: [Start] opens one, Add or Set moves it, Done closes it. On a terminal
// it is one line with description, count, rate and remaining time (github.com/schollz/progressbar). Where
// the output is a file or a pipe, it is a plain line every few seconds, so that logs stay readable. In
// quiet mode (--quiet, --json) nothing is written. When the context ends, the bar stops drawing and Done says
// how far the work came.
package progress
