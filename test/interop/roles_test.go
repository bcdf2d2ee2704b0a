package interop

import (
	"context"
	"errors"
	"fmt"
	"time"

	"stripswm/msgs"
	"stripswm/nodes/ros"
)

// roles is what peers do that are this binary.
var roles = map[string]func(*ros.Node){
	"server":   serveAll,
	"camera":   publishImages,
	"listener": listen,
	"caller":   callOurs,
	"idle":     func(*ros.Node) {},
}

type (
	goal     = *msgs.ExecuteSkillGoal
	feedback = *msgs.ExecuteSkillFeedback
	result   = *msgs.ExecuteSkillResult
)

// serveAll has a service, an action and a parameter.
func serveAll(n *ros.Node) {
	rate := must(ros.Declare(n, "rate", 30.0, ros.Describe[float64]{Min: 1, Max: 100}))
	must(0, ros.Trigger(n, "~/rate",
		func(context.Context) (string, error) { return fmt.Sprint(rate.Get()), nil }))
	must(ros.Manage(n, ros.Lifecycle{}))
	must(0, ros.ServeAction(n, "skill", ros.Action[goal, feedback, result]{
		Execute: func(ctx context.Context, g *ros.ServerGoal[goal, feedback]) (result, error) {
			if g.Goal.Action == 0 {
				return nil, errors.New("no such skill")
			}
			for i := range g.Goal.Action {
				if err := g.Feedback(&msgs.ExecuteSkillFeedback{
					Progress: float32(i+1) / float32(g.Goal.Action)}); err != nil {
					return nil, err
				}
				if g.Goal.Action > 10 { // a long one, to be canceled
					if err := n.Clock().Sleep(ctx, 10*time.Millisecond); err != nil {
						return &msgs.ExecuteSkillResult{Message: "stopped"}, context.Cause(ctx)
					}
				}
			}
			return &msgs.ExecuteSkillResult{Outcome: msgs.ExecuteSkillResultSucceeded, Message: "done"}, nil
		},
	}))
}

// callOurs calls /ours 100 times, and says so if all replies are its own.
func callOurs(n *ros.Node) {
	c := must(ros.NewClient[*msgs.MarkFailedRequest, *msgs.MarkFailedResponse](n, "ours"))
	go func() {
		for i := range 100 {
			res, err := c.Call(n.Context(), &msgs.MarkFailedRequest{Note: "ours"})
			if err != nil || res.Message != "oursours" {
				fmt.Println("call", i, res, err)
				return
			}
		}
		fmt.Println("100 calls are right")
	}()
}

// publishImages sends small images all the time.
func publishImages(n *ros.Node) {
	pub := must(ros.Advertise[*msgs.Image](n, "image", ros.Default))
	m := img(64, 48)
	n.Every(context.Background(), 5*time.Millisecond, func(now time.Time) {
		m.Header.Stamp = msgs.TimeFrom(now)
		if err := pub.Publish(m); err != nil {
			n.Log().Error("publish", "error", err)
		}
	})
}

// listen says when images come.
func listen(n *ros.Node) {
	first := true
	must(ros.Subscribe(n, "image", ros.Default, func(m *msgs.Image, _ ros.Info) {
		if first {
			fmt.Println(told(m))
		}
		first = false
	}))
}
