// Command stripswm is the command line of the project: it records simulated
// worlds, checks recordings, learns from them, plans from pictures and
// evaluates plans. `stripswm --help` lists the verbs; each is one file here, with
// its flags and what it prints: what it does is in the rooms (nodes/learn,
// nodes/eval, nodes/sim, models).
//
// A new verb is a file with a function that returns its cobra.Command, and a word
// in rootCommand; make docs writes its help into docs/command-line.md. Numeric flags
// are bounded where they are declared (atLeast, within), folders to write to are tried
// before the work (tryFolder), and errors get their exit code in exit.go.
package main
