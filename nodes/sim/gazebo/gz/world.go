package gz

import (
	"context"
	"errors"
	"fmt"
	"net"
	"time"

	"stripswm/nodes/sim/gazebo"
)

// World is a link to a world of Gazebo.
type World struct {
	node  *node
	name  string
	watch *gazebo.Watch
}

var _ gazebo.Link = (*World)(nil)

// cameraTopic is what the camera of our worlds publishes.
const cameraTopic = "/camera/image_raw"

// Connect links to a world once it runs. Its camera's pictures are handed on in order, from one
// goroutine, but for blank ones.
func Connect(ctx context.Context, s Settings, world string, pictures func(gazebo.Picture)) (*World, error) {
	n, err := join(ctx, s)
	if err != nil {
		return nil, err
	}
	w := &World{node: n, name: world, watch: gazebo.NewWatch()}
	if err := w.open(ctx, pictures); err != nil {
		n.close()
		return nil, err
	}
	return w, nil
}

func (w *World) topic(name string) string { return "/world/" + w.name + "/" + name }

func (w *World) open(ctx context.Context, pictures func(gazebo.Picture)) error {
	if _, err := w.node.services.find(ctx, w.node.prefix+w.topic("set_pose_vector")); err != nil {
		return err
	}
	err := w.node.subscribe(ctx, w.topic("pose/info"), func(data []byte) error {
		at, bodies, err := parsePoses(data)
		if err == nil {
			w.watch.Poses(at, bodies)
		}
		return err
	})
	if err != nil {
		return err
	}
	return w.node.subscribe(ctx, cameraTopic, func(data []byte) error {
		p, err := parsePicture(data)
		if err != nil || p.Blank() {
			return err
		}
		pictures(p)
		w.watch.Picture(p.Time)
		return nil
	})
}

// reply is how long the service may take to say that it will do it. A reply that does not
// come is no error: where the bodies are is told on a topic.
const reply = time.Second

// Show puts bodies in their places.
func (w *World) Show(ctx context.Context, bodies []gazebo.Body) error {
	service, request := w.topic("set_pose_vector"), marshalPoses(bodies)
	return w.watch.Await(ctx, w.node.ctx, bodies, func(ctx context.Context) error {
		soon, cancel := context.WithTimeout(ctx, reply)
		defer cancel()
		did, err := w.node.call(soon, service, request)
		if err == nil && !did {
			return fmt.Errorf("%w: %s refuses to move %d bodies", gazebo.ErrNoBody, service, len(bodies))
		}
		if errors.Is(err, context.DeadlineExceeded) {
			return nil
		}
		return err
	})
}

// Done is closed when the connection has ended.
func (w *World) Done() <-chan struct{} { return w.node.ctx.Done() }

// Err says why the connection has ended; nil while it has not, or where Close ended it.
func (w *World) Err() error {
	if err := context.Cause(w.node.ctx); !errors.Is(err, net.ErrClosed) {
		return err
	}
	return nil
}

// Close ends the connection.
func (w *World) Close() error {
	w.node.close()
	return nil
}
