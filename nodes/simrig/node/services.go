package node

import (
	"context"
	"errors"
	"fmt"

	"stripswm/msgs"
	"stripswm/nodes/ros"
)

// trigger serves a std_srvs/Trigger.
func (r *Node) trigger(name string, act func() (string, error)) error {
	return ros.Trigger(r.node, name, func(context.Context) (string, error) { return act() })
}

// toggle serves a std_srvs/SetBool.
func (r *Node) toggle(name string, set func(bool)) error {
	return ros.Serve(r.node, name,
		func(_ context.Context, q *msgs.SetBoolRequest) *msgs.SetBoolResponse {
			set(q.Data)
			r.node.Log().Info("fault", "service", name, "on", q.Data)
			return &msgs.SetBoolResponse{Success: true}
		})
}

func (r *Node) openFaults() error {
	return errors.Join(r.toggle("~/dropout", r.cell.Dropout), r.toggle("~/blackout", r.cell.Blackout),
		r.trigger("~/fail_next", func() (string, error) {
			r.cell.FailNext()
			return "the next skill fails", nil
		}),
		r.trigger("~/slip_next", func() (string, error) {
			r.cell.SlipNext()
			return "the next skill moves nothing", nil
		}),
		r.trigger("~/move_object", func() (string, error) {
			if err := r.cell.MoveObject(); err != nil {
				return "", err
			}
			return "an object was moved", r.show()
		}))
}

func (r *Node) openGoals() error {
	pub, err := ros.Advertise[*msgs.Image](r.node, "~/goal_image", ros.Latched)
	if err != nil {
		return err
	}
	resets, err := ros.Advertise[*msgs.String](r.node, "scene_reset", ros.Default)
	return errors.Join(err,
		r.trigger("~/reset", func() (string, error) {
			if err := r.cell.Reset(); err != nil {
				return "", err
			}
			// Told when the camera shows it and before the answer: a skill that follows finds it told.
			err := errors.Join(r.show(), resets.Publish(&msgs.String{Data: "the cell was reset"}))
			return "the world is in its initial state", err
		}),
		r.trigger("~/state", func() (string, error) {
			state, text := r.cell.State()
			return fmt.Sprintf("%d %s", state, text), nil
		}),
		r.trigger("~/new_goal", func() (string, error) {
			text, img, err := r.stage.newGoal()
			if err != nil {
				return "", err
			}
			return text, pub.Publish(img)
		}),
		r.trigger("~/goal_reached", func() (string, error) {
			reached, err := r.cell.GoalReached()
			_, text := r.cell.State()
			if err == nil && !reached {
				err = errors.New(text)
			}
			return text, err
		}))
}
