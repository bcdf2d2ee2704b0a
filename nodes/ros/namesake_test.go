package ros_test

import (
	"testing"
	"testing/synctest"
	"time"
)

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
		if err := double.Close(); err != nil {
			t.Fatal(err)
		}
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
