package appearance

// Numbers that are tuned, all of this package.
const (
	halfImages = 2000 // in each of the two folds
	// sensorNoise is the standard deviation, grey levels, that is always allowed: JPEG compression
	// alone makes it.
	sensorNoise = 4
	blockSide   = 4 // side of a block, values of a thumbnail

	imagesOfMode = 5  // images for each mode, so that none is one image's alone
	valuesOfMode = 24 // values for each mode, so that modes do not explain everything

	changeImages = 4    // fewest images of a node with whose mean changes are computed
	changeEdge   = 0.25 // share of the greatest deviation from which a pixel belongs to a part
	leastChange  = 1    // deviations from which a pixel belongs to a part
	changePixels = 6    // fewest pixels of a part
	sameCosine   = 0.8  // cosine from which two changes are the same
	maxChanges   = 4096 // of a Model: 12 kB each

	// The least units, for recordings without noise: deviations of sensorNoise, and the share of a
	// change that noise always has.
	leastWhole, leastBlock, leastShare = 1, 2, 0.1
	// clearShare is the unit of a change from which its filter tells nothing.
	clearShare = 0.6
	// pooledImages is how many images the spread at all nodes counts for in that at one node.
	pooledImages = 20
)
