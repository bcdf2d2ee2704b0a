package classic

import (
	"context"

	"stripswm/nodes/sim/gazebo"
)

// client is a node that talks of one world.
type client struct {
	*node
	world string
}

// Connect links to the world that the master at uri runs. The camera is a sensor
// called camera of a model called camera.
func Connect(ctx context.Context, uri, world string,
	images func(gazebo.Image),
) (gazebo.Link, error) {
	n, err := dial(ctx, uri)
	if err != nil {
		return nil, err
	}
	return gazebo.Open(ctx, client{n, world}, images)
}

func (c client) topic(name string) string { return "/gazebo/" + c.world + "/" + name }

// Subscribe waits for the world to run.
func (c client) Subscribe(ctx context.Context, w *gazebo.World) error {
	if err := c.await(ctx, c.world); err != nil {
		return err
	}
	if err := c.subscribe(c.topic("pose/local/info"), "gazebo.msgs.PosesStamped",
		w.Poses(parsePoses)); err != nil {
		return err
	}
	if err := c.subscribe(c.topic("camera/link/camera/image"), "gazebo.msgs.ImageStamped",
		w.Images(parseImage)); err != nil {
		return err
	}
	return c.advertise(c.topic("model/modify"), "gazebo.msgs.Model")
}

// Put asks for bodies to be put in their places. The world reads what is sent five times a
// second and says each time what it did; on a busy machine it drops messages.
func (c client) Put(ctx context.Context, bodies []gazebo.Body) error {
	var messages [][]byte
	for _, b := range bodies {
		messages = append(messages, marshalModel(b))
	}
	return c.publish(ctx, c.topic("model/modify"), messages...)
}
