// Package datasettest makes small datasets for tests: Lamps, a world that a network learns in
// seconds; House, a recording with aliased states; Noise, random pixels for benchmarks.
package datasettest
