package ros_test

import (
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"stripswm/nodes/ros"
	"stripswm/nodes/ros/rostest"
)

// A world is one domain with nodes, whose log is kept.
type world struct {
	t   *testing.T
	bus *rostest.Bus
	log *rostest.Log
}

func newWorld(t *testing.T) *world {
	return &world{t: t, bus: rostest.NewBus(), log: &rostest.Log{}}
}

// node makes a node with ROS arguments.
func (w *world) node(name string, rosArgs ...string) *ros.Node {
	w.t.Helper()
	args := must(ros.ParseArgs(append([]string{"--ros-args"}, rosArgs...)))
	n := must(ros.NewNode(w.bus.Join(), name, args, ros.Options{Log: w.log}))
	w.t.Cleanup(func() { n.Close() })
	return n
}

// count is how often the nodes said a text.
func (w *world) count(text string) int { return strings.Count(w.log.String(), text) }

var eventually, soon = rostest.Eventually, rostest.Soon

func receive[T any](t *testing.T, c <-chan T) T {
	t.Helper()
	return rostest.Receive(t, "what the test waits for", c)
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// noLeaks fails if goroutines of this module are left when the test and its cleanups are over. It
// must come first.
func noLeaks(t *testing.T) {
	before := ours()
	t.Cleanup(func() {
		eventually(t, "goroutines end", func() bool { return ours() <= before })
	})
}

func ours() int {
	buf := make([]byte, 1<<20)
	stacks := string(buf[:runtime.Stack(buf, true)])
	count := 0
	for stack := range strings.SplitSeq(stacks, "\n\n") {
		if strings.Contains(stack, "stripswm/nodes/ros.") && !strings.Contains(stack, "testing.tRunner") {
			count++
		}
	}
	return count
}

func TestNamesakesAreWarnedOf(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		w.node("planner")
		w.node("recorder")
		w.node("planner", "-r", "__ns:=/second") // another name
		time.Sleep(10 * time.Second)
		if text := w.log.String(); text != "" {
			t.Fatalf("without a namesake: %s", text)
		}
		double := w.node("planner")
		time.Sleep(10 * time.Second)
		const warning = "another node of this domain has the same name"
		if got := w.count(warning); got != 2 { // each of the two says it once
			t.Fatalf("%d warnings: %s", got, w.log)
		}
		must(0, double.Close())
		time.Sleep(10 * time.Second)
		if got := w.count("no other node has the same name any more"); got != 1 {
			t.Errorf("said %d times that it is over: %s", got, w.log)
		}
		w.node("planner")
		time.Sleep(10 * time.Second)
		if got := w.count(warning); got != 4 {
			t.Errorf("%d warnings after a second namesake: %s", got, w.log)
		}
	})
}
