package gz

import (
	"context"
	"errors"
	"fmt"
	"time"

	"stripswm/nodes/sim/gazebo"
	"stripswm/nodes/sim/sdf"
)

// client is a node that talks of one world.
type client struct {
	*node
	world string
}

// Connect links to a world once it runs.
func Connect(ctx context.Context, s Settings, world string,
	images func(gazebo.Image),
) (gazebo.Link, error) {
	n, err := join(ctx, s)
	if err != nil {
		return nil, err
	}
	return gazebo.Open(ctx, client{n, world}, images)
}

func (c client) topic(name string) string { return "/world/" + c.world + "/" + name }

// Subscribe waits for the world to run, with its camera.
func (c client) Subscribe(ctx context.Context, w *gazebo.World) error {
	if _, err := c.services.find(ctx, c.prefix+c.topic("set_pose_vector")); err != nil {
		return err
	}
	if err := c.subscribe(ctx, c.topic("pose/info"), w.Poses(parsePoses)); err != nil {
		return err
	}
	return c.subscribe(ctx, "/"+sdf.Topic, w.Images(parseImage))
}

// reply is how long the service may take to say that it will do it. A reply that does not
// come is no error: where the bodies are is told on a topic.
const reply = time.Second

// Put asks for bodies to be put in their places. Gazebo says yes once it has heard, also
// for bodies that it has not.
func (c client) Put(ctx context.Context, bodies []gazebo.Body) error {
	service := c.topic("set_pose_vector")
	soon, cancel := context.WithTimeout(ctx, reply)
	defer cancel()
	did, err := c.call(soon, service, marshalPoses(bodies))
	if err == nil && !did {
		return fmt.Errorf("%w: %s refuses to move %d bodies", gazebo.ErrNoBody, service, len(bodies))
	}
	if errors.Is(err, context.DeadlineExceeded) {
		return nil
	}
	return err
}
