package classic

import (
	"context"
	"errors"
	"net"

	"stripswm/nodes/sim/gazebo"
)

// World is a link to a world of Gazebo classic.
type World struct {
	node *node
	name string

	watch *gazebo.Watch
}

var _ gazebo.Link = (*World)(nil)

// Connect links to the world that the master at uri runs. The camera is a sensor
// called camera of a model called camera; its pictures are handed on in order, from one
// goroutine, but for blank ones.
func Connect(ctx context.Context, uri, world string, pictures func(gazebo.Picture)) (*World, error) {
	n, err := dial(ctx, uri)
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

func (w *World) topic(name string) string { return "/gazebo/" + w.name + "/" + name }

func (w *World) open(ctx context.Context, pictures func(gazebo.Picture)) error {
	if err := w.node.world(ctx, w.name); err != nil {
		return err
	}
	err := w.node.subscribe(w.topic("pose/local/info"), "gazebo.msgs.PosesStamped", func(data []byte) error {
		at, bodies, err := parsePoses(data)
		if err == nil {
			w.watch.Poses(at, bodies)
		}
		return err
	})
	if err != nil {
		return err
	}
	err = w.node.subscribe(w.topic("camera/link/camera/image"), "gazebo.msgs.ImageStamped", func(data []byte) error {
		p, err := parsePicture(data)
		if err != nil {
			return err
		}
		if p.Blank() {
			return nil
		}
		pictures(p)
		w.watch.Picture(p.Time)
		return nil
	})
	if err != nil {
		return err
	}
	return w.node.advertise(w.topic("model/modify"), "gazebo.msgs.Model")
}

// Show puts bodies in their places. The world reads what is sent five times a second and says
// each time what it did.
func (w *World) Show(ctx context.Context, bodies []gazebo.Body) error {
	var messages [][]byte
	for _, b := range bodies {
		messages = append(messages, marshalModel(b))
	}
	return w.watch.Await(ctx, w.node.ctx, bodies, func(ctx context.Context) error {
		return w.node.publish(ctx, w.topic("model/modify"), messages...)
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
