package ros_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"stripswm/msgs"
	"stripswm/nodes/ros"
)

type (
	skillGoal     = *msgs.ExecuteSkillGoal
	skillFeedback = *msgs.ExecuteSkillFeedback
	skillResult   = *msgs.ExecuteSkillResult
)

// skills executes action 1 with feedback, waits in action 2 until it is canceled, fails in action 3
// and refuses others.
func skills(n *ros.Node) error {
	return ros.ServeAction(n, "skill", ros.Action[skillGoal, skillFeedback, skillResult]{
		Accept: func(g skillGoal) error {
			if g.Action > 3 {
				return errors.New("no such skill")
			}
			return nil
		},
		Execute: func(ctx context.Context, g *ros.ServerGoal[skillGoal, skillFeedback]) (skillResult,
			error) {
			switch g.Goal.Action {
			case 1:
				for _, p := range []float32{0.5, 1} {
					g.Feedback(&msgs.ExecuteSkillFeedback{Progress: p})
				}
				return &msgs.ExecuteSkillResult{Outcome: msgs.ExecuteSkillResultSucceeded, Message: "done"}, nil
			case 2:
				<-ctx.Done()
				return &msgs.ExecuteSkillResult{Message: "stopped"}, context.Cause(ctx)
			}
			return nil, errors.New("the gripper is stuck")
		},
	})
}

func TestActions(t *testing.T) {
	noLeaks(t)
	w := newWorld(t)
	server, client := w.node("server"), w.node("client")
	must(0, skills(server))
	c := must(ros.NewActionClient[skillGoal, skillFeedback, skillResult](client, "skill"))

	t.Run("succeeded, with feedback", func(t *testing.T) {
		progress := make(chan float32, 8)
		g := must(c.Send(soon(t), &msgs.ExecuteSkillGoal{Action: 1}, func(f skillFeedback) {
			progress <- f.Progress
		}))
		if p := []float32{receive(t, progress), receive(t, progress)}; p[0] != 0.5 || p[1] != 1 {
			t.Errorf("progress %v", p)
		}
		res, status, err := g.Result(soon(t))
		if err != nil || status != ros.GoalSucceeded || res.Message != "done" {
			t.Errorf("%v %v %v", res, status, err)
		}
		if err := g.Cancel(soon(t)); err == nil {
			t.Error("a goal that has ended can be canceled")
		}
		if _, status, err := g.Result(soon(t)); err != nil || status != ros.GoalSucceeded {
			t.Errorf("asked again: %v %v", status, err)
		}
	})
	t.Run("canceled", func(t *testing.T) {
		g := must(c.Send(soon(t), &msgs.ExecuteSkillGoal{Action: 2}, nil))
		must(0, g.Cancel(soon(t)))
		res, status, err := g.Result(soon(t))
		if err != nil || status != ros.GoalCanceled || res.Message != "stopped" {
			t.Errorf("%v %v %v", res, status, err)
		}
	})
	t.Run("aborted", func(t *testing.T) {
		g := must(c.Send(soon(t), &msgs.ExecuteSkillGoal{Action: 3}, nil))
		if res, status, err := g.Result(soon(t)); err != nil || status != ros.GoalAborted || res == nil {
			t.Errorf("%v %v %v", res, status, err)
		}
	})
	t.Run("rejected", func(t *testing.T) {
		if _, err := c.Send(soon(t), &msgs.ExecuteSkillGoal{Action: 4}, nil); !errors.Is(err,
			ros.ErrRejected) {
			t.Errorf("error %v", err)
		}
	})
	t.Run("statuses for those who come late", func(t *testing.T) {
		got := make(chan *msgs.GoalStatusArray, 8)
		must(ros.Subscribe(w.node("late"), "skill/_action/status", ros.Latched,
			func(m *msgs.GoalStatusArray, _ ros.Info) { got <- m }))
		var statuses []ros.GoalStatus
		for _, s := range receive(t, got).StatusList {
			statuses = append(statuses, ros.GoalStatus(s.Status))
		}
		if len(statuses) != 3 || statuses[0] != ros.GoalSucceeded || statuses[1] != ros.GoalCanceled ||
			statuses[2] != ros.GoalAborted {
			t.Errorf("statuses %v", statuses)
		}
	})
	t.Run("an unknown goal", func(t *testing.T) {
		cancel := must(ros.NewClient[*msgs.CancelGoalRequest, *msgs.CancelGoalResponse](client,
			"skill/_action/cancel_goal"))
		id := msgs.GoalInfo{GoalID: msgs.UUID{UUID: [16]byte{1}}}
		if res := must(cancel.Call(soon(t), &msgs.CancelGoalRequest{
			GoalInfo: id})); res.ReturnCode != msgs.CancelGoalResponseErrorUnknownGoalID {
			t.Errorf("return code %d", res.ReturnCode)
		}
	})
	t.Run("a server that closes", func(t *testing.T) {
		g := must(c.Send(soon(t), &msgs.ExecuteSkillGoal{Action: 2}, nil))
		_ = g
		if err := server.Close(); err != nil {
			t.Error(err)
		}
	})
}

// TestGoalsWaitForTheirTurn sends goals faster than they are executed: as many as may wait are
// executed in order, one that is canceled waits no longer, and one more is told that the server is
// busy.
func TestGoalsWaitForTheirTurn(t *testing.T) {
	noLeaks(t)
	w := newWorld(t)
	const waiting = 3
	var order []uint32 // of one goal at a time
	goOn := make(chan bool)
	must(0, ros.ServeAction(w.node("server"), "skill", ros.Action[skillGoal, skillFeedback,
		skillResult]{
		Waiting: waiting,
		Execute: func(ctx context.Context, g *ros.ServerGoal[skillGoal, skillFeedback]) (skillResult,
			error) {
			if ctx.Err() != nil {
				return &msgs.ExecuteSkillResult{Message: context.Cause(ctx).Error()}, context.Cause(ctx)
			}
			<-goOn
			order = append(order, g.Goal.Action)
			return &msgs.ExecuteSkillResult{}, nil
		},
	}))
	c := must(ros.NewActionClient[skillGoal, skillFeedback, skillResult](w.node("client"), "skill"))
	send := func(action uint32) *ros.ClientGoal[skillResult] {
		return must(c.Send(soon(t), &msgs.ExecuteSkillGoal{Action: action}, nil))
	}
	ends := func(g *ros.ClientGoal[skillResult], want ros.GoalStatus, says string) {
		t.Helper()
		res, status, err := g.Result(soon(t))
		if err != nil || status != want || !strings.Contains(res.Message, says) {
			t.Errorf("%v %q %v, want %v %q", status, res.Message, err, want, says)
		}
	}
	goals := []*ros.ClientGoal[skillResult]{send(1), send(2), send(3), send(4)}
	ends(send(5), ros.GoalAborted, "busy: 3 goals wait")
	if err := goals[1].Cancel(soon(t)); err != nil {
		t.Error(err)
	}
	ends(goals[1], ros.GoalCanceled, "canceled")
	goals[1] = send(6)
	close(goOn)
	for _, g := range goals {
		ends(g, ros.GoalSucceeded, "")
	}
	if want := []uint32{1, 3, 4, 6}; !slices.Equal(order, want) {
		t.Errorf("executed in the order %v, want %v", order, want)
	}
}
