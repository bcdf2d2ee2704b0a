package sweep

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"sync"
	"syscall"
	"time"
)

// ExitBusy is the exit code by which a job's process says that another worker has
// the job (ErrBusy).
const ExitBusy = 7

// Runner runs the open jobs of a sweep as processes, so that the end of one does
// not end the others.
type Runner struct {
	Folder   Folder
	Parallel int // jobs at once; at least 1
	// Command makes the process of a job. It must take the job's lock, or end with
	// ExitBusy.
	Command func(Job) *exec.Cmd
	// Progress is told, once at a time, how many of the open jobs have ended.
	Progress func(ended, open int)
}

// Report is what became of the jobs that were open.
type Report struct {
	Done      []Job     `json:"done"`
	Elsewhere []Job     `json:"elsewhere"` // another worker runs them
	Failed    []Failure `json:"failed"`
}

// Failure is a job that failed, and why.
type Failure struct {
	Job    Job    `json:"job"`
	Reason string `json:"why"`
}

// stopTime is how long an interrupted job may take to end by itself.
const stopTime = time.Minute

// Run runs every job that is not done and lists them by index. When ctx ends, running jobs are
// interrupted, which keeps their checkpoints, and ctx's error is returned.
func (r Runner) Run(ctx context.Context) (Report, error) {
	var open []Job
	for _, j := range r.Folder.Jobs {
		if !r.Folder.Done(j) {
			open = append(open, j)
		}
	}
	var (
		mu      sync.Mutex
		report  Report
		ended   int
		workers sync.WaitGroup
	)
	end := func(j Job, err error) {
		mu.Lock()
		defer mu.Unlock()
		switch {
		case ctx.Err() != nil:
			return
		case errors.Is(err, ErrBusy):
			report.Elsewhere = append(report.Elsewhere, j)
		case err != nil:
			report.Failed = append(report.Failed, Failure{j, err.Error()})
		default:
			report.Done = append(report.Done, j)
		}
		ended++
		r.report(ended, len(open))
	}
	r.report(0, len(open))
	queue := make(chan Job)
	for range max(r.Parallel, 1) {
		workers.Go(func() {
			for j := range queue {
				end(j, r.one(ctx, j))
			}
		})
	}
	for _, j := range open {
		select {
		case queue <- j:
			continue
		case <-ctx.Done():
		}
		break
	}
	close(queue)
	workers.Wait()
	byIndex := func(a, b Job) int { return a.Index - b.Index }
	slices.SortFunc(report.Done, byIndex)
	slices.SortFunc(report.Elsewhere, byIndex)
	slices.SortFunc(report.Failed, func(a, b Failure) int { return byIndex(a.Job, b.Job) })
	return report, ctx.Err()
}

func (r Runner) report(ended, open int) {
	if r.Progress != nil {
		r.Progress(ended, open)
	}
}

// one runs a job, unless another worker has or had it.
func (r Runner) one(ctx context.Context, j Job) error {
	if err := ctx.Err(); err != nil || r.Folder.Done(j) {
		return err
	}
	if err := os.MkdirAll(r.Folder.JobDir(j), 0o777); err != nil {
		return err
	}
	log, err := os.OpenFile(filepath.Join(r.Folder.JobDir(j), "log.txt"),
		os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o666)
	if err != nil {
		return err
	}
	defer log.Close()
	cmd := r.Command(j)
	cmd.Stdout, cmd.Stderr = log, log
	// A group of its own: ^C at the terminal reaches the job once, through here.
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := cmd.Start(); err != nil {
		return err
	}
	err = wait(ctx, cmd)
	switch {
	case err == nil && !r.Folder.Done(j):
		return fmt.Errorf("ended without a result; see %s", log.Name())
	case err == nil:
		return nil
	case cmd.ProcessState.ExitCode() == ExitBusy:
		return ErrBusy
	}
	if why := r.Folder.Failure(j); why != "" {
		return errors.New(why)
	}
	return fmt.Errorf("%w; see %s", err, log.Name())
}

// wait interrupts the process when ctx ends, and kills it if that does not help.
func wait(ctx context.Context, cmd *exec.Cmd) error {
	ended := make(chan struct{})
	defer close(ended)
	go func() {
		select {
		case <-ended:
			return
		case <-ctx.Done():
		}
		cmd.Process.Signal(os.Interrupt)
		select {
		case <-ended:
		case <-time.After(stopTime):
			cmd.Process.Kill()
		}
	}()
	return cmd.Wait()
}
