package sdf

import (
	"fmt"
	"math"

	"stripswm/nodes/sim"
	"stripswm/nodes/sim/scene"
)

// A Pose is where a model stands: the origin of its shape, in metres, and its axes.
type Pose struct {
	Model string
	At    scene.Vec
	Rot   scene.Rot
}

// Poses returns the poses of all body models in a state, in the order of their names; j draws how
// they lie within their places. It fails on a state that the world does not have, and with ErrFlat
// on a world without bodies.
func Poses(w sim.World, s sim.State, j *scene.Jitter) ([]Pose, error) {
	sc, err := solid(w, s, j)
	if err != nil {
		return nil, err
	}
	var poses []Pose
	for _, b := range seen(sc) {
		poses = append(poses, Pose{model(len(poses)), b.At, b.Rot})
	}
	return poses, nil
}

// seen are the bodies that have models: a world's scenes have the same ones in the same order.
// Cutlery that hangs from the gripper has mirrored axes, which no rotation has: its z axis, across
// the sheet, is turned round.
func seen(sc *scene.Scene) []scene.Body {
	var bodies []scene.Body
	for _, b := range sc.Bodies {
		if !b.Unseen {
			b.Rot.Z = b.Rot.X.Cross(b.Rot.Y)
			bodies = append(bodies, b)
		}
	}
	return bodies
}

func model(i int) string { return fmt.Sprintf("body_%02d", i) }

// Quaternion returns the rotation as geometry_msgs has it. (S. W. Shepperd, Quaternion from
// rotation matrix, 1978: the largest component comes from the diagonal, the others from it.)
func (p Pose) Quaternion() (x, y, z, w float64) {
	r := p.Rot
	trace := r.X.X + r.Y.Y + r.Z.Z
	switch max(trace, r.X.X, r.Y.Y, r.Z.Z) {
	case trace:
		s := 2 * math.Sqrt(1+trace)
		return (r.Y.Z - r.Z.Y) / s, (r.Z.X - r.X.Z) / s, (r.X.Y - r.Y.X) / s, s / 4
	case r.X.X:
		s := 2 * math.Sqrt(1+2*r.X.X-trace)
		return s / 4, (r.X.Y + r.Y.X) / s, (r.Z.X + r.X.Z) / s, (r.Y.Z - r.Z.Y) / s
	case r.Y.Y:
		s := 2 * math.Sqrt(1+2*r.Y.Y-trace)
		return (r.X.Y + r.Y.X) / s, s / 4, (r.Y.Z + r.Z.Y) / s, (r.Z.X - r.X.Z) / s
	}
	s := 2 * math.Sqrt(1+2*r.Z.Z-trace)
	return (r.Z.X + r.X.Z) / s, (r.Y.Z + r.Z.Y) / s, s / 4, (r.X.Y - r.Y.X) / s
}

// angles returns roll, pitch and yaw as SDF has them: about the fixed x, y and z axes, in that
// order.
func angles(r scene.Rot) (roll, pitch, yaw float64) {
	if math.Abs(r.X.Z) > 1-1e-9 { // x up or down: roll and yaw are one
		return 0, math.Copysign(math.Pi/2, -r.X.Z), math.Atan2(-r.Y.X, r.Y.Y)
	}
	return math.Atan2(r.Y.Z, r.Z.Z), math.Asin(-r.X.Z), math.Atan2(r.X.Y, r.X.X)
}

func pose(at scene.Vec, rot scene.Rot) element {
	roll, pitch, yaw := angles(rot)
	return text("pose", numbers(at.X, at.Y, at.Z, roll, pitch, yaw))
}
