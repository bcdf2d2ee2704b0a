// Package datasettest makes small datasets for tests.
package datasettest
