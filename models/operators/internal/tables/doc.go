// Package tables makes task graphs of known worlds, for tests and benchmarks.
package tables
