package camera

// point is a place on the table's light map, in cells.
type point struct{ x, y float64 }

// convexHull reorders points into their convex hull, counter-clockwise (Andrew's monotone chain).
// It sorts points and writes the hull into out, which must have room for len(points)+1.
func convexHull(points, out []point) []point {
	// Insertion sort: there are a few dozen points at most.
	for i := 1; i < len(points); i++ {
		p := points[i]
		j := i
		for ; j > 0 && (points[j-1].x > p.x || points[j-1].x == p.x && points[j-1].y > p.y); j-- {
			points[j] = points[j-1]
		}
		points[j] = p
	}
	out = out[:0]
	grow := func(p point, floor int) {
		for len(out) >= floor+2 && turn(out[len(out)-2], out[len(out)-1], p) <= 0 {
			out = out[:len(out)-1]
		}
		out = append(out, p)
	}
	for _, p := range points {
		grow(p, 0)
	}
	lower := len(out) - 1
	for i := len(points) - 2; i >= 0; i-- {
		grow(points[i], lower)
	}
	return out[:len(out)-1]
}

// turn is positive when a, b, c turn left.
func turn(a, b, c point) float64 {
	return (b.x-a.x)*(c.y-a.y) - (b.y-a.y)*(c.x-a.x)
}
