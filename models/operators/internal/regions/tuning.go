package regions

// Numbers that are tuned, all of this package.

// The random numbers of one seed are kept apart by what they are for.
const (
	streamCover uint64 = iota
	streamClique
	streamSlim
)

// Limits of the exact search.
const (
	coverNodes     = 1_000_000 // branch and bound nodes for the fewest regions
	hittingNodes   = 20_000    // and for the preconditions of one action
	enumerateMost  = 2_000     // regions
	enumerateWork  = 400_000   // regions times states
	enumerateLeast = 200       // regions that must be affordable
)

// Limits of the search for small covers where the regions are too many to list.
const (
	coverShare        = 25      // per cent of the work for greedy covers
	greedyRounds      = 100     // greedy covers
	patience          = 2000    // attempts in a row that may fail while a region is stretched
	cliqueTries       = 300     // starts
	cliqueConstraints = 2000    // among which cliques are sought
	jointEdges        = 400_000 // edges times regions that are asked for at once
	slimRounds        = 10      // rounds over all regions
)
