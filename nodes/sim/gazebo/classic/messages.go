package classic

import (
	"time"

	"stripswm/nodes/sim/gazebo"
	"stripswm/nodes/sim/gazebo/internal/message"
)

// marshalModel writes gazebo.msgs.Model: put a body somewhere.
func marshalModel(b gazebo.Body) []byte {
	return message.Bytes(message.Text(nil, 1, b.Name), 4, message.Classic.AppendPose(nil, b))
}

// parsePoses reads gazebo.msgs.PosesStamped: what was moved, and when in the world's time.
func parsePoses(data []byte) (at time.Duration, bodies []gazebo.Body, err error) {
	err = message.Fields(data, func(f message.Field) (err error) {
		switch f.Number {
		case 1:
			at, err = message.Time(f.Bytes)
		case 2:
			var b gazebo.Body
			b, err = message.Classic.Body(f.Bytes)
			bodies = append(bodies, b)
		}
		return err
	})
	return at, bodies, err
}

// parseImage reads gazebo.msgs.ImageStamped.
func parseImage(data []byte) (p gazebo.Image, err error) {
	err = message.Fields(data, func(f message.Field) (err error) {
		switch f.Number {
		case 1:
			p.Time, err = message.Time(f.Bytes)
		case 2:
			err = message.Classic.Image(f.Bytes, &p)
		}
		return err
	})
	return p, err
}
