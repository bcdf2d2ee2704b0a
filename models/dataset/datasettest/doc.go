// Package datasettest makes small datasets for tests: Lamps, a world that a network learns in
// seconds; House, a recording with aliased states; Yard, a table with things that no fact tells;
// Noise, random pixels for benchmarks.
package datasettest
