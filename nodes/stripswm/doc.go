// Command stripswm is the command line of the project. It records simulated worlds, checks
// recordings, learns from them, plans from images and evaluates plans:
//
//	stripswm demo --world blocksworld --out runs/demo
//	stripswm plan --bundle runs/demo/bundle --start now.png --goal wanted.png
//
// `stripswm --help` lists the verbs. Each verb is one file here, with its flags and its output; the
// work is done by nodes/learn, nodes/eval, nodes/sim and models.
//
// A new verb is a file with a function that returns its cobra.Command, and an entry in rootCommand.
// make docs writes its help into docs/command-line.md. Numeric flags have bounds where they are
// declared (atLeast, within). Output folders are tried before the work (tryFolder). exit.go has the
// exit code of each error.
package main
