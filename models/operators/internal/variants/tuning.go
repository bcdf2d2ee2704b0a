package variants

// Numbers that are tuned, all of this package. Steps are those of package work.

// searchStream is the first stream of random numbers that a search takes of a seed. Another one
// gives other models, as another seed does: 11 or 12 operators for key and door, 58 or 104 for
// five tiles.
const searchStream uint64 = 3

// How long the search goes on.
const (
	// Find is worth so many steps, and so many more for each edge: the puzzles of the tests are done
	// by then.
	enoughSteps     = 50_000_000
	enoughEdgeSteps = 90_000
	// A search ends when it has found nothing for twice as long as before, and so many steps an edge.
	patienceSteps = 100_000
	// collectSteps for each edge are spent on machines before they are put together.
	collectSteps = 1_000
	// A turn of a strategy takes so many steps for each edge, and an eighth of all before it.
	turnSteps = 3_000
)

// What one question to the SAT solver may take. One that takes longer counts as without an answer.
const (
	cheapestSAT = 40_000
	mergeSAT    = 300_000 // with toggles it is one of linear algebra, at which SAT is slow
	mostSplits  = 10      // variants that a region may add at most
	manyGuards  = 32      // literals made at a time, since the solver then looks at all clauses again
)

// How many are drawn for one that is taken.
const (
	drawnRegions      = 6
	drawnAbstractions = 4
	drawnEntries      = 6 // machines
)

// How many machines a library keeps, from how many on it is rich, and how many codes of each.
const (
	mostEntries = 60
	manyEntries = 30
	mostCodes   = 3
)

// How often in a row nothing may come of it before these give up.
const (
	trimIdle    = 20
	polishIdle  = 15
	improveIdle = 20
)
