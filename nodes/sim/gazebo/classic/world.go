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
// called camera of a model called camera; its pictures are handed on in order, from one goroutine.
func Connect(ctx context.Context, uri, world string, pictures func(gazebo.Picture)) (gazebo.Link, error) {
	n, err := dial(ctx, uri)
	if err != nil {
		return nil, err
	}
	c := client{n, world}
	w := gazebo.NewWorld(c, pictures)
	if err := c.open(ctx, w); err != nil {
		n.Close()
		return nil, err
	}
	return w, nil
}

func (c client) topic(name string) string { return "/gazebo/" + c.world + "/" + name }

func (c client) open(ctx context.Context, w *gazebo.World) error {
	if err := c.await(ctx, c.world); err != nil {
		return err
	}
	err := c.subscribe(c.topic("pose/local/info"), "gazebo.msgs.PosesStamped", func(data []byte) error {
		at, bodies, err := parsePoses(data)
		if err == nil {
			w.Poses(at, bodies)
		}
		return err
	})
	if err != nil {
		return err
	}
	err = c.subscribe(c.topic("camera/link/camera/image"), "gazebo.msgs.ImageStamped", func(data []byte) error {
		p, err := parsePicture(data)
		if err == nil {
			w.Picture(p)
		}
		return err
	})
	if err != nil {
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
