package node

import (
	"context"
	"fmt"
	"sync"
	"time"

	"stripswm/msgs"
	"stripswm/nodes/ros"
	"stripswm/nodes/sim"
	"stripswm/nodes/sim/scene"
	"stripswm/nodes/sim/sdf"
	"stripswm/nodes/sim/workcell"
)

// gazeboPatience is how long Gazebo may take to put one body in its place.
const gazeboPatience = 5 * time.Second

// bridged is Gazebo behind ros_gz_bridge, which passes a service on and publishes the camera's
// images by itself.
type bridged struct {
	own   // draws the images of goals: those of the bridge do not come here
	world *sim.World
	move  *ros.Client[*msgs.SetEntityPoseRequest, *msgs.SetEntityPoseResponse]

	mu    sync.Mutex
	shown map[string]sdf.Pose // as Gazebo confirmed
}

func (r *Node) openBridged() error {
	world, err := r.settings.simulated()
	if err != nil {
		return err
	}
	if _, err := sdf.Poses(world, world.Initial(), scene.NewJitter(0, 0)); err != nil {
		return err // at once, where the world has no bodies
	}
	move, err := ros.NewClient[*msgs.SetEntityPoseRequest, *msgs.SetEntityPoseResponse](r.node,
		"/world/"+sim.Table(world).Name()+"/set_pose")
	if err != nil {
		return err
	}
	r.stage = &bridged{own: own{r}, world: world, move: move, shown: map[string]sdf.Pose{}}
	go func() { // as soon as the bridge is there, before the first skill
		if move.WaitForService(r.node.Context()) == nil {
			r.node.WarnOf("not published: state", r.show())
		}
	}()
	return nil
}

// show moves the bodies that are not yet where the state has them. The first time it moves all.
func (g *bridged) show(ctx context.Context, s sim.State) error {
	poses, err := sdf.Poses(g.world, s, scene.NewJitter(0, 0))
	if err != nil {
		return err
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, p := range poses {
		if g.shown[p.Model] == p {
			continue
		}
		if err := g.put(ctx, p); err != nil {
			return fmt.Errorf("gazebo does not show the state: %w", err)
		}
		g.shown[p.Model] = p
	}
	return nil
}

func (g *bridged) put(ctx context.Context, p sdf.Pose) error {
	ctx, cancel := context.WithTimeout(ctx, gazeboPatience)
	defer cancel()
	q := &msgs.SetEntityPoseRequest{Entity: msgs.Entity{Name: p.Model, Type: msgs.EntityModel}}
	q.Pose.Position = msgs.Point{X: p.At.X, Y: p.At.Y, Z: p.At.Z}
	o := &q.Pose.Orientation
	o.X, o.Y, o.Z, o.W = p.Quaternion()
	res, err := g.move.Call(ctx, q)
	if err == nil && !res.Success {
		err = fmt.Errorf("%s refuses to move %s", g.move.Name(), p.Model)
	}
	return err
}

func (b *bridged) health(_, _ workcell.TickCount) (level uint8, message string,
	values []msgs.KeyValue) {
	if b.move.Ready() {
		return msgs.DiagnosticStatusOk, "the bridge is there", nil
	}
	return msgs.DiagnosticStatusError, "nobody serves " + b.move.Name() +
		": start gazebo and ros_gz_bridge", nil
}
