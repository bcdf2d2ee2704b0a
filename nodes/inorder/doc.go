// Package inorder runs a stream of jobs on several goroutines and hands the
// results back in the order of the jobs: pictures are rendered and decoded on
// every core, and recordings, data sets and figures stay the same to the byte.
//
// Its one function is Map. Jobs go in as an iterator, results come out as one; a
// few jobs are in flight, so a stream of any length takes little memory:
//
//	for picture := range inorder.Map(ctx, states, runtime.GOMAXPROCS(0), render) {
//		...
//	}
package inorder
