// Command stripswm is the command line of the project. It records simulated worlds, checks
// recordings, learns from them, plans from images and evaluates plans:
//
//	stripswm demo --world blocksworld --out runs/demo
//	stripswm plan --bundle runs/demo/bundle --start now.png --goal wanted.png
//
// `stripswm --help` lists the verbs. A verb, with its flags and its output, is one file here, and
// so are verbs that belong together, such as those of operators; the work is done by nodes/learn,
// nodes/eval, nodes/sim and models.
//
// A new verb is a function that returns its cobra.Command, and an entry in rootCommand. make docs
// writes its help into docs/command-line.md. Flags are required, and numbers bounded, where they
// are declared (require, atLeast, within). Output folders are tried before the work (tryFolder).
// common.print writes the result, as text or JSON. exit.go has the exit code of each error.
package main
