// Command executor is the ROS 2 node that executes skills which are programs or scripts, one per
// skill. It is also an example of a skill executor: it serves and publishes all that the other
// nodes need.
//
//	executor --ros-args -p command:="ros2 run my_robot skill"
//
// It serves the action execute_skill and publishes skill_status. For skill 7 it runs "ros2 run
// my_robot skill 7". The exit code says the outcome:
//   - 0: succeeded
//   - 3: refused, the skill does not apply and nothing was moved
//   - any other: failed, the result is unknown
//
// The last line that the program prints is the message. When a goal is canceled, the program gets
// SIGTERM.
//
// The node prints "ready" when it accepts goals. ^C and SIGTERM end it.
package main

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	"stripswm/msgs"
	"stripswm/nodes/ros"
	"stripswm/nodes/ros/middleware"
)

type (
	goal     = *msgs.ExecuteSkillGoal
	feedback = *msgs.ExecuteSkillFeedback
	result   = *msgs.ExecuteSkillResult
)

// refused is the exit code of a program whose skill does not apply.
const refused = 3

// executor runs one skill at a time.
type executor struct {
	node    *ros.Node
	command []string
	status  *ros.Publisher[*msgs.SkillStatus]
	busy    atomic.Bool // while a skill runs
}

func main() { middleware.Main("executor", run) }

func run(ctx context.Context, n *ros.Node) error {
	s := &ros.Settings{Node: n}
	e := &executor{node: n, command: strings.Fields(ros.Setting(s, "command", "",
		"program with arguments that runs a skill, whose id comes last"))}
	if s.Err != nil {
		return s.Err
	}
	n.WarnUndeclared()
	if len(e.command) == 0 {
		return errors.New("parameter command is empty: name the program that runs a skill")
	}
	var err error
	if e.status, err = ros.Advertise[*msgs.SkillStatus](n, "skill_status",
		ros.QoS{Depth: 100}); err != nil {
		return err
	}
	if err := ros.ServeAction(n, "execute_skill", ros.Action[goal, feedback, result]{
		Accept: e.accept, Execute: e.execute}); err != nil {
		return err
	}
	n.Every(ctx, time.Second, func(time.Time) {
		if !e.busy.Load() {
			e.tell(msgs.UUID{}, 0, msgs.SkillStatusIdle, "")
		}
	})
	fmt.Println("ready")
	<-ctx.Done()
	return nil
}

func (e *executor) accept(g goal) error {
	if g.Action == 0 {
		return errors.New("action 0: ids begin at 1")
	}
	if e.busy.Swap(true) {
		return errors.New("another skill runs")
	}
	return nil
}

// execute says when the robot is about to move and when it is at rest again: what images show
// before the one and after the other is the transition.
func (e *executor) execute(ctx context.Context, g *ros.ServerGoal[goal, feedback]) (result, error) {
	defer e.busy.Store(false)
	started := e.tell(g.ID, g.Goal.Action, msgs.SkillStatusStarted, "")
	outcome, phase, err := e.move(ctx, g.Goal.Action)
	message := ""
	if err != nil {
		message = err.Error()
	}
	ended := e.tell(g.ID, g.Goal.Action, phase, message)
	return &msgs.ExecuteSkillResult{Outcome: outcome, Started: started, Ended: ended,
		Message: message}, err
}

// move runs the program of a skill.
func (e *executor) move(ctx context.Context, action uint32) (outcome, phase uint8, err error) {
	program := exec.CommandContext(ctx, e.command[0], slices.Concat(e.command[1:],
		[]string{strconv.Itoa(int(action))})...)
	program.Cancel = func() error { return program.Process.Signal(syscall.SIGTERM) }
	program.Stderr = os.Stderr
	said, err := program.Output()
	lines := strings.Split(strings.TrimSpace(string(said)), "\n")
	message := lines[len(lines)-1]
	var exit *exec.ExitError
	switch {
	case err == nil:
		return msgs.ExecuteSkillResultSucceeded, msgs.SkillStatusSucceeded, nil
	case ctx.Err() != nil:
		return msgs.ExecuteSkillResultFailed, msgs.SkillStatusCanceled, context.Cause(ctx)
	case errors.As(err, &exit) && exit.ExitCode() == refused:
		return msgs.ExecuteSkillResultRefused, msgs.SkillStatusRefused,
			fmt.Errorf("skill %d does not apply: %s", action, message)
	}
	return msgs.ExecuteSkillResultFailed, msgs.SkillStatusFailed, fmt.Errorf("skill %d: %s: %w",
		action, message, err)
}

// tell publishes a status and returns its time.
func (e *executor) tell(id msgs.UUID, action uint32, phase uint8, message string) msgs.Time {
	now := msgs.TimeFrom(e.node.Clock().Now())
	err := e.status.Publish(&msgs.SkillStatus{Header: msgs.Header{Stamp: now}, ExecutionID: id,
		Action: action, Phase: phase, Progress: float32(math.NaN()), Message: message})
	if err != nil {
		e.node.Log().Error("no status could be published", "error", err)
	}
	return now
}
