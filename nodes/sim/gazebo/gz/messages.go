package gz

import (
	"time"

	"stripswm/nodes/sim/gazebo"
	"stripswm/nodes/sim/gazebo/internal/message"
)

// stamp reads a header's time.
func stamp(header []byte) (at time.Duration, err error) {
	err = message.Fields(header, func(f message.Field) (err error) {
		if f.Number == 1 {
			at, err = message.Time(f.Bytes)
		}
		return err
	})
	return at, err
}

// parsePoses reads gz.msgs.Pose_V: where everything is, models first, and when. Of a name that
// comes again, as those of links in models do, the first is taken.
func parsePoses(data []byte) (at time.Duration, bodies []gazebo.Body, err error) {
	names := map[string]bool{}
	err = message.Fields(data, func(f message.Field) (err error) {
		switch f.Number {
		case 1:
			at, err = stamp(f.Bytes)
		case 2:
			var b gazebo.Body
			if b, err = message.Gz.Body(f.Bytes); !names[b.Name] {
				names[b.Name] = true
				bodies = append(bodies, b)
			}
		}
		return err
	})
	return at, bodies, err
}

// marshalPoses writes gz.msgs.Pose_V.
func marshalPoses(bodies []gazebo.Body) (b []byte) {
	for _, body := range bodies {
		b = message.Bytes(b, 2, message.Gz.AppendBody(nil, body))
	}
	return b
}

// parseImage reads gz.msgs.Image.
func parseImage(data []byte) (p gazebo.Image, err error) {
	if err := message.Gz.Image(data, &p); err != nil {
		return p, err
	}
	err = message.Fields(data, func(f message.Field) (err error) {
		if f.Number == 1 {
			p.Time, err = stamp(f.Bytes)
		}
		return err
	})
	return p, err
}

// parseBoolean reads gz.msgs.Boolean.
func parseBoolean(data []byte) (v bool, err error) {
	err = message.Fields(data, func(f message.Field) error {
		if f.Number == 2 {
			v = f.Value != 0
		}
		return nil
	})
	return v, err
}
