package augment

import "math/rand/v2"

// Variation is how training images are varied.
type Variation int

const (
	// None leaves them as they are.
	None Variation = iota
	// Camera changes what differs between two images of one scene.
	Camera
	// Scene also changes what differs between two scenes of one state.
	Scene
)

// Apply writes a variation of an image to dst.
func (v Variation) Apply(dst, src []uint8, size int, rng *rand.Rand) {
	switch v {
	case None:
		copy(dst, src)
	case Camera:
		asCamera(dst, src, size, rng)
	case Scene:
		warped := make([]uint8, len(src))
		asScene(warped, src, size, rng)
		asCamera(dst, warped, size, rng)
	}
}
