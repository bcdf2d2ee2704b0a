// Command stripswm is the command line of the project: it records simulated
// worlds, checks recordings, learns from them, plans from pictures and
// evaluates plans. `stripswm --help` lists the verbs; each is one file here.
package main
