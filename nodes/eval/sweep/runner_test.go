package sweep

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// The test binary is its own worker: with this variable set it takes a job as
// `stripswm research sweep run --index` does, but learns nothing.
const workerVariable = "SWEEP_TEST_WORKER"

func TestMain(m *testing.M) {
	if dir := os.Getenv(workerVariable); dir != "" {
		os.Exit(work(dir, os.Args[1], os.Args[2]))
	}
	os.Exit(m.Run())
}

// work runs one job, notes that it did, and does as it is told.
func work(dir, index, how string) int {
	f, err := Open(dir)
	if err != nil {
		return 4
	}
	i, _ := strconv.Atoi(index)
	release, err := f.LockJob(f.Jobs[i])
	if errors.Is(err, ErrBusy) {
		return ExitBusy
	}
	if err != nil {
		return 1
	}
	defer release()
	if f.Done(f.Jobs[i]) {
		return 0
	}
	trace, err := os.OpenFile(filepath.Join(f.JobDir(f.Jobs[i]), "trace"),
		os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return 1
	}
	trace.WriteString("run\n")
	trace.Close()
	switch how {
	case "hang":
		ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
		defer stop()
		<-ctx.Done()
		return 130
	case "fail":
		f.Fail(f.Jobs[i], errors.New("stage 2: one state"))
		return 1
	case "crash":
		syscall.Kill(os.Getpid(), syscall.SIGKILL)
	case "nothing":
		return 0
	}
	finish(failing{}, f, f.Jobs[i], 16, 1, 0)
	return 0
}

// failing is a testing.TB for the worker, which is no test.
type failing struct{ testing.TB }

func (failing) Helper()           {}
func (failing) Fatal(args ...any) { panic(fmt.Sprint(args...)) }

func runner(t testing.TB, f Folder, how map[int]string) Runner {
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return Runner{Folder: f, Parallel: 3, Command: func(j Job) *exec.Cmd {
		cmd := exec.Command(program, strconv.Itoa(j.Index), how[j.Index])
		cmd.Env = append(os.Environ(), workerVariable+"="+f.Dir)
		return cmd
	}}
}

// few makes a sweep of six jobs on three recordings.
func few(t testing.TB) Folder {
	g := grid()
	g.Seeds, g.Data, g.Mislabel = []uint64{1, 2, 3}, []float64{1}, []float64{0}
	return create(t, g)
}

// runs is how often workers took the job.
func runs(f Folder, j Job) int {
	trace, _ := os.ReadFile(filepath.Join(f.JobDir(j), "trace"))
	return bytes.Count(trace, []byte("\n"))
}

// TestEachJobIsItsOwn: failures and crashes end their job alone, and are tried
// again; what is done is left alone.
func TestEachJobIsItsOwn(t *testing.T) {
	f := few(t)
	r := runner(t, f, map[int]string{1: "fail", 3: "crash", 4: "nothing"})
	// A job counts as running from the making of its process to the telling of its end.
	var mu sync.Mutex
	running, most := 0, 0
	change := func(by int) {
		mu.Lock()
		defer mu.Unlock()
		running += by
		most = max(most, running)
	}
	command := r.Command
	r.Command = func(j Job) *exec.Cmd {
		change(1)
		return command(j)
	}
	r.Progress = func(ended, open int) {
		if ended > 0 {
			change(-1)
		}
		if open != 6 || ended > 6 {
			t.Errorf("progress %d of %d", ended, open)
		}
	}
	report, err := r.Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if most != 3 {
		t.Errorf("%d jobs at once, want 3", most)
	}
	if len(report.Done) != 3 || len(report.Failed) != 3 {
		t.Fatalf("%d done, %d failed", len(report.Done), len(report.Failed))
	}
	for i, want := range map[int]string{0: "one state", 1: "killed", 2: "without a result"} {
		if !strings.Contains(report.Failed[i].Reason, want) {
			t.Errorf("job %d failed with %q, want %q in it", report.Failed[i].Job.Index,
				report.Failed[i].Reason, want)
		}
	}
	report, err = runner(t, f, nil).Run(t.Context())
	if err != nil || len(report.Done) != 3 || len(report.Failed) != 0 {
		t.Fatalf("again: %+v, %v", report, err)
	}
	for _, j := range f.Jobs {
		want := 1
		if j.Index == 1 || j.Index == 3 || j.Index == 4 {
			want = 2
		}
		if got := runs(f, j); got != want || !f.Done(j) {
			t.Errorf("job %d ran %d times, want %d; done: %v", j.Index, got, want, f.Done(j))
		}
	}
}

// TestTwoWorkersShareTheJobs runs two runners on one folder.
func TestTwoWorkersShareTheJobs(t *testing.T) {
	f := few(t)
	var all sync.WaitGroup
	var done [2]int
	for w := range done {
		all.Go(func() {
			report, err := runner(t, f, nil).Run(t.Context())
			if err != nil || len(report.Failed) > 0 {
				t.Errorf("worker %d: %+v, %v", w, report.Failed, err)
			}
			done[w] = len(report.Done)
		})
	}
	all.Wait()
	for _, j := range f.Jobs {
		if got := runs(f, j); got != 1 || !f.Done(j) {
			t.Errorf("job %d ran %d times, done: %v", j.Index, got, f.Done(j))
		}
	}
	if done[0]+done[1] < 6 {
		t.Errorf("%d and %d jobs done", done[0], done[1])
	}
}

// TestInterruptionReachesTheJobs: they end, their locks are free, nothing failed.
func TestInterruptionReachesTheJobs(t *testing.T) {
	f := few(t)
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		for runs(f, f.Jobs[0])+runs(f, f.Jobs[1]) < 2 {
			time.Sleep(5 * time.Millisecond)
		}
		cancel()
	}()
	report, err := runner(t, f, map[int]string{0: "hang", 1: "hang", 2: "hang"}).Run(ctx)
	if !errors.Is(err, context.Canceled) || len(report.Failed) > 0 || len(report.Done) > 0 {
		t.Errorf("%+v, %v", report, err)
	}
	for _, j := range f.Jobs[:3] {
		release, err := f.LockJob(j)
		if err != nil || f.Done(j) {
			t.Fatalf("job %d: %v, done %v", j.Index, err, f.Done(j))
		}
		release()
	}
}

func TestLocks(t *testing.T) {
	f := few(t)
	release, err := f.LockJob(f.Jobs[0])
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.LockJob(f.Jobs[0]); !errors.Is(err, ErrBusy) {
		t.Errorf("a second lock: %v, want ErrBusy", err)
	}
	report, err := runner(t, f, nil).Run(t.Context())
	if err != nil || len(report.Elsewhere) != 1 || report.Elsewhere[0].Index != 0 ||
		len(report.Done) != 5 {
		t.Errorf("beside another worker: %+v, %v", report, err)
	}
	release()
	if release, err = f.LockJob(f.Jobs[0]); err != nil {
		t.Fatalf("after release: %v", err)
	}
	release()
}

// TestRecordingIsWaitedFor: the second job gets the recording when the first has made it.
func TestRecordingIsWaitedFor(t *testing.T) {
	f := few(t)
	first, err := f.LockRecording(t.Context(), f.Jobs[0])
	if err != nil {
		t.Fatal(err)
	}
	soon, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
	defer cancel()
	if _, err := f.LockRecording(soon, f.Jobs[3]); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("while it is made: %v", err)
	}
	other, err := f.LockRecording(t.Context(), f.Jobs[1])
	if err != nil {
		t.Fatalf("another recording: %v", err)
	}
	other()
	time.AfterFunc(10*time.Millisecond, first)
	second, err := f.LockRecording(t.Context(), f.Jobs[3])
	if err != nil {
		t.Fatal(err)
	}
	second()
}
