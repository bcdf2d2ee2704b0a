package node

import "time"

// continuity knows whether the next transition finds what the last one left.
type continuity struct {
	broken bool
	reset  time.Time // when it was last heard that somebody changed the scene
}

// breaks is a transition of which it is not known what it left.
func (c *continuity) breaks() { c.broken = true }

// resets is somebody changing the scene, heard of at a time.
func (c *continuity) resets(at time.Time) { c.broken, c.reset = true, at }

// mends is a transition whose image after was taken at a time. One from before the reset that was
// heard of after it, on another topic, mends nothing; nor does a refused one, which leaves the
// scene as it is.
func (c *continuity) mends(after time.Time, refused bool) {
	c.broken = c.broken && refused || !after.After(c.reset)
}
