package node

import (
	"context"
	"errors"
	"math"
	"time"

	"stripswm/models/strips"
	"stripswm/msgs"
	"stripswm/nodes/ros"
	"stripswm/nodes/sim/workcell"
)

type (
	goal     = *msgs.ExecuteSkillGoal
	feedback = *msgs.ExecuteSkillFeedback
	result   = *msgs.ExecuteSkillResult
)

// feedbackPeriod is how often progress is told.
const feedbackPeriod = 100 * time.Millisecond

func (r *Node) openSkills() error {
	return ros.ServeAction(r.node, "execute_skill", ros.Action[goal, feedback, result]{
		Accept: func(g goal) error {
			if g.Action == 0 {
				return errors.New("action 0: ids begin at 1")
			}
			if r.cell.Busy() {
				return workcell.ErrBusy
			}
			return nil
		},
		Execute: r.execute,
	})
}

// execute runs one skill.
func (r *Node) execute(ctx context.Context, g *ros.ServerGoal[goal, feedback]) (result, error) {
	r.cell.Tune(func(t *workcell.Tuning) { *t = r.settings.tuning() })
	err := r.stage.ready()
	var e *workcell.Execution
	if err == nil {
		e, err = r.cell.Begin(strips.ActionID(g.Goal.Action), r.node.Clock().Now)
	}
	if err != nil {
		return &msgs.ExecuteSkillResult{Outcome: msgs.ExecuteSkillResultFailed, Message: err.Error()}, err
	}
	tell := func(at time.Time, phase uint8, progress float32, message string) {
		r.say(&msgs.SkillStatus{Header: msgs.Header{Stamp: msgs.TimeFrom(at)}, ExecutionID: g.ID,
			Action: g.Goal.Action, Phase: phase, Progress: progress, Message: message})
	}
	tell(e.Started, msgs.SkillStatusStarted, 0, "")
	stopped := r.wait(ctx, e, func(progress float32) {
		tell(e.Started, msgs.SkillStatusRunning, progress, "")
		r.node.WarnOf("not published: feedback",
			g.Feedback(&msgs.ExecuteSkillFeedback{Progress: progress}))
	})
	ended := r.node.Clock().Now()
	if stopped {
		r.cell.Cancel(e, ended)
		r.node.WarnOf("not published: state", r.show())
		tell(ended, msgs.SkillStatusCanceled, e.Progress(ended), e.Note)
	} else {
		r.cell.End(e)
		if err := r.show(); err != nil {
			e.Outcome, e.Note = msgs.ExecuteSkillResultFailed, err.Error()
		}
		ended = r.node.Clock().Now()
		tell(ended, phases[e.Outcome], 1, e.Note)
	}
	res := &msgs.ExecuteSkillResult{Outcome: e.Outcome, Started: msgs.TimeFrom(e.Started),
		Ended: msgs.TimeFrom(ended), Message: e.Note}
	switch {
	case stopped:
		return res, context.Cause(ctx)
	case e.Outcome != msgs.ExecuteSkillResultSucceeded:
		return res, errors.New(e.Note)
	}
	return res, nil
}

// wait lets the skill take its time, and returns true if it was stopped.
func (r *Node) wait(ctx context.Context, e *workcell.Execution, progress func(float32)) bool {
	clock := r.node.Clock()
	for {
		next := clock.Now().Add(feedbackPeriod)
		if !next.Before(e.Ends) {
			return clock.SleepUntil(ctx, e.Ends) != nil
		}
		if clock.SleepUntil(ctx, next) != nil {
			return true
		}
		progress(e.Progress(clock.Now()))
	}
}

// phases are the statuses by which skills end.
var phases = map[uint8]uint8{
	msgs.ExecuteSkillResultSucceeded: msgs.SkillStatusSucceeded,
	msgs.ExecuteSkillResultRefused:   msgs.SkillStatusRefused,
	msgs.ExecuteSkillResultFailed:    msgs.SkillStatusFailed,
}

// A statusLine sends statuses in order, each as late as status_delay said when it
// was made. The stamps stay true.
type statusLine struct{ queue chan delayed }

type delayed struct {
	due    time.Time
	status *msgs.SkillStatus
}

// statuses may wait to be sent; a delay of a minute has 600.
const statuses = 4096

func (r *Node) openStatus() error {
	pub, err := ros.Advertise[*msgs.SkillStatus](r.node, "skill_status", ros.QoS{Depth: 100})
	if err != nil {
		return err
	}
	r.status = &statusLine{queue: make(chan delayed, statuses)}
	go func() {
		for ctx := r.node.Context(); ; {
			select {
			case <-ctx.Done():
				return
			case d := <-r.status.queue:
				if r.node.Clock().SleepUntil(ctx, d.due) != nil {
					return
				}
				r.node.WarnOf("not published: skill status", pub.Publish(d.status))
			}
		}
	}()
	r.node.Every(context.Background(), time.Second, func(now time.Time) {
		if !r.cell.Busy() {
			r.say(&msgs.SkillStatus{Header: msgs.Header{Stamp: msgs.TimeFrom(now)},
				Phase: msgs.SkillStatusIdle, Progress: float32(math.NaN())})
		}
	})
	return nil
}

// say queues a status.
func (r *Node) say(s *msgs.SkillStatus) {
	select {
	case r.status.queue <- delayed{r.node.Clock().Now().Add(seconds(r.settings.delay)), s}:
	case <-r.node.Context().Done():
	}
}
