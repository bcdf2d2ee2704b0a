package regions

// Streams keep the random numbers of one seed apart.
const (
	streamIterate uint64 = iota
	streamClique
	streamSlim
	streamApproximate
	_
	streamSearch
)
