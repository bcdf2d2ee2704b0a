package scene

// Sheet is a flat image that the camera looks straight down at, in place of a table with bodies on
// it: there is no perspective and nothing throws a shadow. Its lengths are such that the shorter
// side of the image covers -1 to 1, X to the right and Y up; Z is ignored.
type Sheet struct {
	Ground Vec    // colour of what no mark covers
	Marks  []Mark // each covers those before it
	At     Vec    // where in the image the sheet's middle is seen
	Turn   float64
	Zoom   float64 // 1 shows lengths as they are
	Shade  Vec     // share of light gained from the image's middle to its right (X) and upper (Y) edge
}

// Mark is a flat figure somewhere on the sheet.
type Mark struct {
	Figure Figure
	At     Vec
	Turn   float64
	Paint  Paint
	Soft   float64 // width over which its border fades; 0 is sharp
	Object int     // as of a Body
	Glow   bool    // adds its light to what is there, as a lamp does, and covers nothing
}

// Paint is the colour of a mark, or two in a pattern that moves and turns with the mark.
type Paint struct {
	Color, Other Vec
	Pattern      Pattern
	Size         float64 // of the pattern: the side of a square, the distance of fibres
	Seed         uint64  // of the grain
}

// Pattern says where a paint has its other colour.
type Pattern uint8

// Plain has one colour, Checks two in turn, square by square, and Grain goes over from one to the
// other along fibres that run along x.
const (
	Plain Pattern = iota
	Checks
	Grain
)

// Thing makes marks part of an object. It changes and returns them.
func Thing(object int, marks ...Mark) []Mark {
	for i := range marks {
		marks[i].Object = object
	}
	return marks
}

// Group puts marks that were laid out around the origin somewhere, as one thing. It changes and
// returns them.
func Group(at Vec, turn float64, marks ...Mark) []Mark {
	rot := Yaw(turn)
	for i := range marks {
		marks[i].At = at.Add(rot.Apply(marks[i].At))
		marks[i].Turn += turn
	}
	return marks
}
