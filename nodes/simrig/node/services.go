package node

import (
	"context"
	"errors"
	"fmt"

	"stripswm/msgs"
	"stripswm/nodes/ros"
)

// trigger serves a std_srvs/Trigger. What act returns is the message; an error
// makes the answer a failure.
func (r *Node) trigger(name string, act func() (string, error)) error {
	_, err := ros.Serve(r.node, name,
		func(context.Context, *msgs.TriggerRequest) *msgs.TriggerResponse {
			text, err := act()
			if err != nil {
				return &msgs.TriggerResponse{Message: err.Error()}
			}
			return &msgs.TriggerResponse{Success: true, Message: text}
		})
	return err
}

// toggle serves a std_srvs/SetBool.
func (r *Node) toggle(name string, set func(bool)) error {
	_, err := ros.Serve(r.node, name,
		func(_ context.Context, q *msgs.SetBoolRequest) *msgs.SetBoolResponse {
			set(q.Data)
			r.node.Log().Info("fault", "service", name, "on", q.Data)
			return &msgs.SetBoolResponse{Success: true}
		})
	return err
}

func (r *Node) openFaults() error {
	if err := r.toggle("~/dropout", r.cell.Dropout); err != nil {
		return err
	}
	if err := r.toggle("~/blackout", r.cell.Blackout); err != nil {
		return err
	}
	if err := r.trigger("~/fail_next", func() (string, error) {
		r.cell.FailNext()
		return "the next skill fails", nil
	}); err != nil {
		return err
	}
	if err := r.trigger("~/slip_next", func() (string, error) {
		r.cell.SlipNext()
		return "the next skill moves nothing", nil
	}); err != nil {
		return err
	}
	return r.trigger("~/move_object", func() (string, error) {
		if err := r.cell.MoveObject(); err != nil {
			return "", err
		}
		return "an object was moved", r.show()
	})
}

func (r *Node) openGoals() error {
	pub, err := ros.Advertise[*msgs.Image](r.node, "~/goal_image", ros.Latched)
	if err != nil {
		return err
	}
	resets, err := ros.Advertise[*msgs.String](r.node, "scene_reset", ros.Default)
	if err != nil {
		return err
	}
	if err := r.trigger("~/reset", func() (string, error) {
		if err := r.cell.Reset(); err != nil {
			return "", err
		}
		// Told when the camera shows it and before the answer: a skill that follows finds it told.
		err := errors.Join(r.show(), resets.Publish(&msgs.String{Data: "the cell was reset"}))
		return "the world is in its initial state", err
	}); err != nil {
		return err
	}
	if err := r.trigger("~/state", func() (string, error) {
		state, text := r.cell.State()
		return fmt.Sprintf("%d %s", state, text), nil
	}); err != nil {
		return err
	}
	if err := r.trigger("~/new_goal", func() (string, error) {
		text, img, err := r.stage.newGoal()
		if err != nil {
			return "", err
		}
		return text, pub.Publish(img)
	}); err != nil {
		return err
	}
	_, err = ros.Serve(r.node, "~/goal_reached",
		func(context.Context, *msgs.TriggerRequest) *msgs.TriggerResponse {
			reached, err := r.cell.GoalReached()
			_, text := r.cell.State()
			if err != nil {
				text = err.Error()
			}
			return &msgs.TriggerResponse{Success: reached, Message: text}
		})
	return err
}
