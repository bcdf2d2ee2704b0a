package launch

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"stripswm/msgs"
	"stripswm/nodes/ros"
	"stripswm/test/internal/process"
)

// TestExecutor runs skills that are a script, and says of each what its exit code says.
func TestExecutor(t *testing.T) {
	t.Parallel()
	s := newSystem(t)
	script := filepath.Join(t.TempDir(), "skill")
	const text = `#!/bin/sh
case $2 in
1) ;;
2) echo looking; echo no room; exit 3 ;;
3) echo stuck; exit 1 ;;
4) exec sleep 600 ;;
esac`
	must(0, os.WriteFile(script, []byte(text), 0o700))
	statuses := make(chan *msgs.SkillStatus, 100)
	must(ros.Subscribe(s.node, "/skill_status", ros.QoS{Depth: 100},
		func(m *msgs.SkillStatus, _ ros.Info) {
			statuses <- m
		}))
	s.start("executor", "command:="+script+" --skill")
	said := func(what string) *msgs.SkillStatus {
		t.Helper()
		for {
			if m := process.Receive(t, what, statuses); m.Phase != msgs.SkillStatusIdle {
				return m
			}
		}
	}
	process.Receive(t, "that the robot is idle", statuses) // so that it knows who listens
	skills := must(ros.NewActionClient[*msgs.ExecuteSkillGoal, *msgs.ExecuteSkillFeedback,
		*msgs.ExecuteSkillResult](s.node, "execute_skill"))
	defer skills.Close()

	for _, c := range []struct {
		action         uint32
		outcome, phase uint8
		message        string
	}{
		{1, msgs.ExecuteSkillResultSucceeded, msgs.SkillStatusSucceeded, ""},
		{2, msgs.ExecuteSkillResultRefused, msgs.SkillStatusRefused, "no room"},
		{3, msgs.ExecuteSkillResultFailed, msgs.SkillStatusFailed, "stuck"},
		{4, msgs.ExecuteSkillResultFailed, msgs.SkillStatusCanceled, "canceled"},
	} {
		goal := must(skills.Send(s.patience(), &msgs.ExecuteSkillGoal{Action: c.action}, nil))
		started := said("that a skill has started")
		if c.action == 4 {
			if _, err := skills.Send(s.patience(), &msgs.ExecuteSkillGoal{Action: 1}, nil); !errors.Is(err,
				ros.ErrRejected) {
				t.Errorf("while a skill runs another one: %v", err)
			}
			must(0, goal.Cancel(s.patience()))
		}
		result, _, err := goal.Result(s.patience())
		if err != nil {
			t.Fatal(err)
		}
		ended := said("that it has ended")
		if result.Outcome != c.outcome || !strings.Contains(result.Message, c.message) ||
			result.Ended != ended.Header.Stamp || result.Started != started.Header.Stamp {
			t.Errorf("skill %d: %+v, want outcome %d, %q", c.action, result, c.outcome, c.message)
		}
		if started.Phase != msgs.SkillStatusStarted || ended.Phase != c.phase ||
			started.ExecutionID != ended.ExecutionID || ended.Action != c.action {
			t.Errorf("skill %d: statuses %+v and %+v, want phase %d", c.action, started, ended, c.phase)
		}
	}
	if _, err := skills.Send(s.patience(), &msgs.ExecuteSkillGoal{}, nil); !errors.Is(err,
		ros.ErrRejected) {
		t.Errorf("action 0: %v", err)
	}
}
