package launch

import (
	"syscall"
	"testing"
	"time"

	"stripswm/msgs"
	"stripswm/nodes/ros"
	"stripswm/nodes/sim"
	"stripswm/test/internal/process"
)

// TestFromNothingToGoals is the whole life of a table: rig and recorder are
// brought up, somebody tries skills until 300 transitions are recorded, the
// learner makes a bundle of them, and the planner reaches goals with it.
func TestFromNothingToGoals(t *testing.T) {
	t.Parallel()
	const transitions = 300
	s := newSystem(t)
	dir := t.TempDir()
	s.start("simrig", append([]string{"rate:=100.0"}, quick...)...)
	recorder := s.start("recorder", "directory:="+dir+"/bag", "settle:=0.02", "motion_window:=0.03",
		"min_free:=1")
	begin := time.Now()
	s.explore(transitions, nil)
	recorder.Stop(syscall.SIGTERM)
	t.Logf("%d transitions recorded in %v", transitions, time.Since(begin).Round(time.Second))

	begin = time.Now()
	bundle := s.learn("bag:="+dir+"/bag", "out:="+dir+"/out", "budget:=2.0", "threads:=1", most)
	t.Logf("learned in %v", time.Since(begin).Round(time.Second))

	s.plan(bundle).reachNew(times(t, "STRIPSWM_GOALS", 20))
}

// explore makes that many transitions, and refused attempts among them; before, if any, is called
// before each attempt. It returns the number of attempts.
func (s *system) explore(transitions int, before func(attempt int)) (attempts int) {
	s.t.Helper()
	trajectory := must(sim.RunPolicy(s.world, sim.Balanced, 1, transitions, sim.Faults{}))
	user, refused := s.operate(), 0
	outcomes := map[bool][2]uint8{
		true:  {msgs.ExecuteSkillResultSucceeded, msgs.TransitionSucceeded},
		false: {msgs.ExecuteSkillResultRefused, msgs.TransitionRefused},
	}
	s.tried[s.world.Initial()] = true
	for step := range trajectory {
		if before != nil {
			before(attempts)
		}
		attempts++
		s.tried[step.Next] = true
		outcome, recorded := user.try(step.Action)
		if got := [2]uint8{outcome, recorded.Outcome}; got != outcomes[step.OK] ||
			recorded.Action != uint32(step.Action) {
			s.t.Fatalf("action %d in state %d: outcome and record %v, of action %d, %q; want %v",
				step.Action, step.State, got, recorded.Action, recorded.Note, outcomes[step.OK])
		}
		if !step.OK {
			refused++
		}
	}
	if refused == 0 {
		s.t.Error("nothing was refused")
	}
	return attempts
}

// most bounds learning from 300 transitions. It takes about a thousand steps, of twenty thousand
// that are allowed where what was tried first does not convince: more than there is time for here.
const most = "steps:=4000"

// learn has the learner node make a bundle and returns its directory.
func (s *system) learn(params ...string) string {
	s.t.Helper()
	learner := s.start("learner", append([]string{"autostart:=false"}, params...)...)
	progress := make(chan *msgs.DiagnosticStatus, 100)
	bundles := make(chan string, 1)
	stages := map[string]bool{}
	must(ros.Subscribe(s.node, "/learner/progress", ros.Latched, func(m *msgs.DiagnosticStatus,
		_ ros.Info) {
		progress <- m
	}))
	must(ros.Subscribe(s.node, "/learner/bundle", ros.Latched,
		func(m *msgs.String, _ ros.Info) { bundles <- m.Data }))
	s.call("/learner/start")
	for ended := false; !ended; {
		select {
		case m := <-progress:
			stages[m.Name] = true
			if ended = m.Name == "done" || m.Level != msgs.DiagnosticStatusOk; !ended {
				continue
			}
			if m.Name != "done" || len(stages) < 4 {
				s.t.Fatalf("learning ended: %s, %s; stages %v", m.Name, m.Message, stages)
			}
			s.t.Logf("learned %v", m.Values)
		case <-learner.Done():
			s.t.Fatal("the learner has ended")
		case <-time.After(process.Patience): // since it last told of progress: learning may take long
			s.t.Fatalf("the learner says no more; stages %v", stages)
		}
	}
	learner.Stop(syscall.SIGTERM)
	return process.Receive(s.t, "the bundle's name", bundles)
}
