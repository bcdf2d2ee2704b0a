package bags_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"stripswm/bags"
)

// recordTo, in the environment, makes the test binary a recorder that never ends by itself.
const recordTo = "STRIPS_WM_TEST_RECORD_TO"

func TestMain(m *testing.M) {
	if dir := os.Getenv(recordTo); dir != "" {
		if err := recordForever(dir); err != nil {
			fmt.Println("error:", err)
			os.Exit(1)
		}
	}
	os.Exit(m.Run())
}

// recordForever prints the number of each transition when it is acknowledged. It splits after every
// third, and goes on with a recording that is there.
func recordForever(dir string) error {
	before := 0
	w, report, err := bags.Continue(context.Background(), dir, bags.Options{})
	if errors.Is(err, fs.ErrNotExist) {
		w, err = bags.Create(dir, bags.Options{})
	} else if err == nil {
		before = report.Transitions
	}
	if err != nil {
		return err
	}
	if err := sees(before)(w); err != nil {
		return err
	}
	for i := before + 1; ; i++ {
		if err := sees(i)(w); err != nil {
			return err
		}
		if err := does(uint32(i), i-1, i)(w); err != nil {
			return err
		}
		fmt.Println(i)
		if i%3 == 0 {
			if err := w.Split(); err != nil {
				return err
			}
		}
	}
}

// TestAcknowledgedTransitionsSurviveKill kills a recorder at random instants, STRIPS_WM_KILLS of
// them if the environment says so. In every other round it goes on with a recording of four. One in
// three comes while, or just after, the recording goes on in the next file.
func TestAcknowledgedTransitionsSurviveKill(t *testing.T) {
	rounds := 5
	if n, err := strconv.Atoi(os.Getenv("STRIPS_WM_KILLS")); err == nil {
		rounds = n
	}
	r := rand.New(rand.NewPCG(5, 6))
	for round := range rounds {
		dir, before := filepath.Join(t.TempDir(), "run"), 0
		if round%2 == 1 {
			before = 4
			steps := []step{sees(0)}
			for i := range before {
				steps = append(steps, sees(i+1), does(uint32(i+1), i, i+1))
			}
			dir = bag(t, bags.Options{}, steps...)
		}
		child := exec.Command(os.Args[0])
		child.Env = append(os.Environ(), recordTo+"="+dir)
		out, err := child.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := child.Start(); err != nil {
			t.Fatal(err)
		}
		after := before + 1 + r.IntN(10)
		acknowledged := 0
		for lines := bufio.NewScanner(out); lines.Scan(); {
			if strings.HasPrefix(lines.Text(), "error") {
				t.Fatal(lines.Text())
			}
			if n, err := strconv.Atoi(lines.Text()); err == nil {
				acknowledged = n
			}
			if acknowledged == after {
				time.Sleep(time.Duration(r.IntN(2_000)) * time.Microsecond)
				if err := child.Process.Kill(); err != nil {
					t.Fatal(err)
				}
			}
		}
		if child.Wait() == nil {
			t.Fatal("the recorder was not killed")
		}
		report, err := bags.Repair(context.Background(), dir, decode, nil)
		if err != nil || !report.Repaired || report.Kept < acknowledged || report.Kept > acknowledged+1 {
			t.Fatalf("round %d: %d acknowledged: %+v, %v", round, acknowledged, report, err)
		}
		got, err := attempts(t, dir)
		if err != nil || len(got) != report.Kept {
			t.Fatalf("round %d: read %d, %v", round, len(got), err)
		}
		for i, a := range got {
			if a != (attempt{i, uint32(i + 1), bags.Succeeded, i, i + 1}) {
				t.Errorf("round %d: transition %d is %+v", round, i, a)
			}
		}
	}
}
