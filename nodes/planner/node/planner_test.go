package node_test

import (
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"stripswm/models/imageplan"
	"stripswm/models/pixels"
	"stripswm/models/strips"
	"stripswm/msgs"
	"stripswm/nodes/ros"
	"stripswm/nodes/ros/rostest"
	"stripswm/nodes/sim"
)

type client = ros.ActionClient[*msgs.PlanToImageGoal, *msgs.PlanToImageFeedback,
	*msgs.PlanToImageResult]

func (r *robot) client() *client {
	return must(ros.NewActionClient[*msgs.PlanToImageGoal, *msgs.PlanToImageFeedback,
		*msgs.PlanToImageResult](r.node, "plan_to_image"))
}

var within = rostest.Soon

func (r *robot) do(g *msgs.PlanToImageGoal,
	listen func(*msgs.PlanToImageFeedback),
) (*msgs.PlanToImageResult, ros.GoalStatus) {
	ctx := within(r.t)
	result, status, err := must(r.client().Send(ctx, g, listen)).Result(ctx)
	return must(result, err), status
}

func TestGoalsAreReached(t *testing.T) {
	hand := func(to sim.State) func(*robot, int) (uint8, bool) {
		return func(r *robot, skill int) (uint8, bool) {
			if skill == 1 {
				r.state = to
			}
			return msgs.ExecuteSkillResultSucceeded, skill == 1
		}
	}
	slips := func(outcome uint8) func(*robot, int) (uint8, bool) {
		return func(_ *robot, skill int) (uint8, bool) { return outcome, skill == 1 }
	}
	for name, c := range map[string]struct {
		fault  func(*robot, int) (uint8, bool)
		skills int // 0: not known beforehand
	}{
		"no faults":                {nil, 3},
		"moved by hand":            {hand(9), 0},
		"failing skill":            {slips(msgs.ExecuteSkillResultFailed), 4},
		"skill that did not do it": {slips(msgs.ExecuteSkillResultSucceeded), 4},
	} {
		t.Run(name, func(t *testing.T) {
			r := activeRobot(t)
			r.fault = c.fault
			var differing atomic.Int64
			want := r.distant(3)
			result, status := r.do(r.goal(want), func(f *msgs.PlanToImageFeedback) {
				differing.Add(int64(len(f.Differing)))
			})
			if status != ros.GoalSucceeded || result.ErrorCode != msgs.PlanToImageResultNone ||
				r.at() != want {
				t.Fatalf("%v, code %d %q, at state %d, want %d", status, result.ErrorCode, result.ErrorMsg,
					r.at(), want)
			}
			if c.skills != 0 && r.skills != c.skills {
				t.Errorf("%d skills, want %d", r.skills, c.skills)
			}
			if (differing.Load() > 0) != (c.fault != nil) {
				t.Errorf("%d differing predicates were named", differing.Load())
			}
		})
	}
}

func TestGoalsThatCannotBeReached(t *testing.T) {
	for name, c := range map[string]struct {
		prepare func(*robot, *msgs.PlanToImageGoal)
		dark    bool
		code    uint16
		says    string
	}{
		"not an image": {func(_ *robot, g *msgs.PlanToImageGoal) { g.GoalImage.Encoding = "yuv" }, false,
			msgs.PlanToImageResultBadImage, "yuv"},
		"black goal": {func(_ *robot, g *msgs.PlanToImageGoal) { clear(g.GoalImage.Data) }, false,
			msgs.PlanToImageResultGoalUnknown, "contrast"},
		"no goal image": {func(_ *robot, g *msgs.PlanToImageGoal) {
			g.Source = msgs.PlanToImageGoalTopic
		}, false, msgs.PlanToImageResultNoImage, "goal_image"},
		"unknown fact": {func(_ *robot, g *msgs.PlanToImageGoal) {
			g.Source, g.GoalFacts = msgs.PlanToImageGoalFacts, "after_lunch"
		}, false, msgs.PlanToImageResultGoalUnknown, "after_lunch"},
		"region of three numbers": {func(_ *robot, g *msgs.PlanToImageGoal) {
			g.GoalRegion = []float64{0, 0, 1}
		}, false, msgs.PlanToImageResultGoalUnknown, "x, y, width and height"},
		"region, bundle without facts": {func(_ *robot, g *msgs.PlanToImageGoal) {
			g.GoalRegion = []float64{0, 0, 0.5, 1}
		}, false, msgs.PlanToImageResultGoalUnknown, "--method traces"},
		"dark table": {nil, true, msgs.PlanToImageResultStartUnknown, "contrast"},
		"skill that never works": {func(r *robot, _ *msgs.PlanToImageGoal) {
			r.fault = func(*robot, int) (uint8, bool) { return msgs.ExecuteSkillResultFailed, true }
		}, false, msgs.PlanToImageResultSkillFailed, "differ"},
	} {
		t.Run(name, func(t *testing.T) {
			r, p := newRobot(t, "policy:=stop", "retries:=1")
			r.dark = c.dark
			r.film()
			must(0, p.Start(within(t)))
			goal := r.goal(r.distant(2))
			if c.prepare != nil {
				c.prepare(r, goal)
			}
			result, status := r.do(goal, nil)
			if status != ros.GoalAborted || result.ErrorCode != c.code ||
				!strings.Contains(result.ErrorMsg, c.says) {
				t.Errorf("%v, code %d %q; want code %d and %q", status, result.ErrorCode, result.ErrorMsg,
					c.code, c.says)
			}
		})
	}
}

// TestFactsAreTheGoal names the values of a state's predicates, all and one.
func TestFactsAreTheGoal(t *testing.T) {
	r := activeRobot(t)
	images := must(imageplan.Open(bundleDir, imageplan.Options{}))
	defer images.Close()
	code := func(s sim.State) strips.State {
		img := must(r.camera.Render(r.world, s, 1<<51))
		return must(images.Recognize(pixels.FromImage(img))).Code
	}
	model := images.Model()
	ask := func(s sim.State, predicates ...strips.Predicate) strips.Goal {
		goal, words := strips.GoalOfSome(code(s), predicates), []string{}
		for _, l := range goal {
			word := model.PredicateLabel(l.Predicate)
			if l.Negated {
				word = "!" + word
			}
			words = append(words, word)
		}
		result, status := r.do(&msgs.PlanToImageGoal{Source: msgs.PlanToImageGoalFacts, Execute: true,
			GoalFacts: strings.Join(words, ",")}, nil)
		if status != ros.GoalSucceeded {
			t.Errorf("%v: %v, code %d %q", words, status, result.ErrorCode, result.ErrorMsg)
		}
		return goal
	}
	var all []strips.Predicate
	for p := range model.Predicates {
		all = append(all, strips.Predicate(p))
	}
	want := r.distant(3)
	if ask(want, all...); r.at() != want {
		t.Errorf("at state %d, want %d", r.at(), want)
	}
	differs := code(r.at()).Difference(code(r.distant(2)))[0]
	if goal := ask(r.distant(2), differs); !goal.Holds(code(r.at())) {
		t.Errorf("at state %d, where %v does not hold", r.at(), goal)
	}
}

func TestNoCamera(t *testing.T) {
	r, p := newRobot(t, "frame_timeout:=0.1")
	must(0, p.Start(within(t)))
	if result, _ := r.do(r.goal(3), nil); result.ErrorCode != msgs.PlanToImageResultNoImage {
		t.Errorf("code %d %q, want no image", result.ErrorCode, result.ErrorMsg)
	}
}

func TestCancelStopsTheSkill(t *testing.T) {
	r, ctx := activeRobot(t), within(t)
	r.block = make(chan struct{})
	goal := must(r.client().Send(ctx, r.goal(r.distant(2)), nil))
	second := must(r.client().Send(ctx, r.goal(r.distant(2)), nil))
	must(0, second.Cancel(ctx))
	if result, status, err := second.Result(ctx); err != nil || status != ros.GoalCanceled {
		t.Errorf("the goal that waits: %v, %q, error %v; want canceled", status, result.ErrorMsg, err)
	}
	must(0, goal.Cancel(ctx))
	result, status, err := goal.Result(ctx)
	if err != nil || status != ros.GoalCanceled || result.ErrorCode != msgs.PlanToImageResultCanceled {
		t.Errorf("%v, code %d, error %v; want canceled", status, result.ErrorCode, err)
	}
	close(r.block)
	if result, _ := r.do(r.goal(r.distant(1)), nil); result.ErrorCode != msgs.PlanToImageResultNone {
		t.Errorf("the goal after it: %q", result.ErrorMsg)
	}
}

func TestLifecycle(t *testing.T) {
	r, p := newRobot(t)
	r.film()
	if result, _ := r.do(r.goal(1), nil); result.ErrorCode != msgs.PlanToImageResultNotActive {
		t.Errorf("unconfigured: code %d, want not active", result.ErrorCode)
	}
	steps := []string{"configure", "activate", "deactivate", "cleanup", "configure", "activate",
		"deactivate", "activate", "shutdown"}
	for _, label := range steps {
		if res := rostest.Call[*msgs.ChangeStateResponse](r.node, "/planner/change_state",
			&msgs.ChangeStateRequest{Transition: msgs.LifecycleTransition{Label: label}}); !res.Success {
			t.Fatalf("%s of %v: %v", label, steps, res)
		}
	}
	if err := p.Start(within(t)); err == nil {
		t.Error("a finalized planner started")
	}
}

func TestBadBundleIsRefused(t *testing.T) {
	for name, c := range map[string]struct{ bundle, says string }{
		"none named": {"", "empty"},
		"no bundle":  {t.TempDir(), "bundle"},
	} {
		t.Run(name, func(t *testing.T) {
			_, p := newRobot(t, "bundle:="+c.bundle)
			if err := p.Start(within(t)); err == nil || !strings.Contains(err.Error(), c.says) {
				t.Errorf("error %v does not say %q", err, c.says)
			}
		})
	}
}

func TestTopicGoalIsPlanned(t *testing.T) {
	r := activeRobot(t)
	plans := make(chan *msgs.ActionSequence, 8)
	must(ros.Subscribe(r.node, "action_sequence", ros.Latched, func(m *msgs.ActionSequence,
		_ ros.Info) {
		plans <- m
	}))
	goals := must(ros.Advertise[*msgs.Image](r.node, "goal_image", ros.Default))
	ctx := within(t)
	must(0, goals.WaitForSubscribers(ctx, 1))
	must(0, goals.Publish(&r.goal(r.distant(3)).GoalImage))
	select {
	case m := <-plans:
		if len(m.Actions) != 3 || len(m.Expected) != 4 || len(m.Bundle) != 64 ||
			m.Expected[3].KnownState < 0 {
			t.Errorf("plan %v with %d states of bundle %q", m.Actions, len(m.Expected), m.Bundle)
		}
	case <-ctx.Done():
		t.Fatal("no plan")
	}
	if res := rostest.Call[*msgs.TriggerResponse](r.node, "/planner/plan",
		&msgs.TriggerRequest{}); !res.Success || r.skills != 0 {
		t.Errorf("the service: %v after %d skills", res, r.skills)
	}
}

// A topic's goal that cannot be planned to, as no image comes, does not keep out a goal of the
// action.
func TestTopicGoalGivesWay(t *testing.T) {
	r, p := newRobot(t, "frame_timeout:=60.0")
	ctx := within(t)
	must(0, p.Start(ctx))
	goals := must(ros.Advertise[*msgs.Image](r.node, "goal_image", ros.Default))
	must(0, goals.WaitForSubscribers(ctx, 1))
	must(0, goals.Publish(&r.goal(r.distant(1)).GoalImage))
	time.Sleep(300 * time.Millisecond) // until it is worked on
	goal := must(r.client().Send(ctx, r.goal(r.distant(1)), nil))
	r.film()
	if result, status, err := goal.Result(ctx); err != nil || status != ros.GoalSucceeded {
		t.Errorf("%v, %q, %v", status, result.ErrorMsg, err)
	}
}
