package gazebo

import (
	"context"
	"errors"
	"time"
)

// Body is a model of the world and where it stands: metres, and a unit quaternion x, y, z, w.
type Body struct {
	Name        string
	Position    [3]float64
	Orientation [4]float64
}

// Image is what a camera of the world saw, rgb8, three bytes a pixel.
type Image struct {
	Width, Height int
	RGB           []byte
	Time          time.Duration // of the world
}

// Blank says whether it is of one colour throughout, which is what a camera of Gazebo sees
// until its scene is drawn.
func (p Image) Blank() bool {
	for i := 3; i < len(p.RGB); i++ {
		if p.RGB[i] != p.RGB[i-3] {
			return false
		}
	}
	return true
}

// Errors of links.
var (
	// ErrGone is wrapped by what fails since Gazebo has ended or does not answer.
	ErrGone = errors.New("gazebo is gone")
	// ErrNoBody is wrapped where the world has no body of a name.
	ErrNoBody = errors.New("gazebo's world has no such body")
)

// Link is a connection to a world that runs.
type Link interface {
	// Show puts bodies in their places and returns when an image that shows them there has
	// come. It fails with ErrNoBody, with ErrGone, or when ctx ends.
	Show(ctx context.Context, bodies []Body) error
	// Done is closed when the connection has ended, and Err says why.
	Done() <-chan struct{}
	Err() error
	Close() error
}
