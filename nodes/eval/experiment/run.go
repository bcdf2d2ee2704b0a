package experiment

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/google/renameio/v2"
	"github.com/sourcegraph/conc/pool"

	"stripswm/internal/files"
)

// ExitBusy is the exit code by which a worker says that another one has the job (ErrBusy).
const ExitBusy = 7

// ErrBusy is returned for a job that another worker runs.
var ErrBusy = errors.New("is being run by another worker")

// Runner runs jobs, each step as a process.
type Runner struct {
	*Experiment
	Parallel int                   // jobs at once; at least 1
	Command  Command               // of a step
	Progress func(ended, open int) // told, once at a time, how many open jobs have ended
}

// Command makes a process with exec.CommandContext.
type Command func(ctx context.Context, args []string) *exec.Cmd

// Report is what became of the jobs that were open, by name.
type Report struct {
	Done      []string  `json:"done"`
	Elsewhere []string  `json:"elsewhere"` // another worker runs them
	Failed    []Missing `json:"failed"`
}

// Missing is a job without a row, and why where that is known.
type Missing struct {
	Job string `json:"job"`
	Why string `json:"why,omitempty"`
}

// Run runs every job that is not done. When ctx ends, running jobs are interrupted, and ctx's error
// is returned.
func (r Runner) Run(ctx context.Context) (Report, error) {
	var open []Job
	for _, j := range r.Jobs {
		if !r.Done(j) {
			open = append(open, j)
		}
	}
	var (
		mu     sync.Mutex
		report Report
		ended  int
	)
	r.Progress(0, len(open))
	workers := pool.New().WithMaxGoroutines(r.Parallel)
	for _, j := range open {
		workers.Go(func() {
			err := r.One(ctx, j)
			mu.Lock()
			defer mu.Unlock()
			switch {
			case ctx.Err() != nil:
				return
			case errors.Is(err, ErrBusy):
				report.Elsewhere = append(report.Elsewhere, j.Name)
			case err != nil:
				report.Failed = append(report.Failed, Missing{j.Name, err.Error()})
			default:
				report.Done = append(report.Done, j.Name)
			}
			ended++
			r.Progress(ended, len(open))
		})
	}
	workers.Wait()
	return report, ctx.Err()
}

// Done says whether a job has its row: what the last step printed.
func (e *Experiment) Done(j Job) bool { return exists(e.rowPath(j, e.Steps[len(e.Steps)-1])) }

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// One runs a job, unless it is done; ErrBusy where another worker has it. It keeps why a job failed
// in the job's folder.
func (r Runner) One(ctx context.Context, j Job) error {
	if ctx.Err() != nil || r.Done(j) {
		return ctx.Err()
	}
	if err := os.MkdirAll(r.dir(j), 0o777); err != nil {
		return err
	}
	held, err := lock(filepath.Join(r.dir(j), "lock"))
	if err != nil {
		return fmt.Errorf("job %d %w", j.Index, err)
	}
	defer held.Close()
	if err := r.same(j); err != nil {
		return err
	}
	log, err := os.OpenFile(filepath.Join(r.dir(j), "log.txt"),
		os.O_CREATE|os.O_APPEND|os.O_RDWR, 0o666)
	if err != nil {
		return err
	}
	defer log.Close()
	why := r.failure(j)
	if err := os.Remove(why); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	err = r.steps(ctx, j, process{r.Command, log, []*os.File{held}})
	if err == nil || ctx.Err() != nil {
		return err
	}
	return errors.Join(err, os.WriteFile(why, []byte(err.Error()+"\n"), 0o666))
}

func (e *Experiment) failure(j Job) string { return filepath.Join(e.dir(j), "failure.txt") }

// machine are settings that say where a job runs, and not what it does.
var machine = []string{"threads", "device"}

// same refuses the folder of a job that had other settings.
func (e *Experiment) same(j Job) error {
	own := maps.Clone(j.settings)
	for _, name := range append(machine, "out", "dir") {
		delete(own, name)
	}
	data, err := json.Marshal(own)
	if err != nil {
		return err
	}
	path := filepath.Join(e.dir(j), "settings.json")
	old, err := files.Read(path, maxFile)
	if errors.Is(err, fs.ErrNotExist) {
		return os.WriteFile(path, data, 0o666)
	}
	if err == nil && !bytes.Equal(old, data) {
		err = fmt.Errorf("%w: %s was begun with other settings: %s; choose another folder, or remove it",
			ErrExperiment, e.dir(j), old)
	}
	return err
}

// steps runs those that are not done.
func (r Runner) steps(ctx context.Context, j Job, p process) error {
	s := maps.Clone(j.settings)
	for i, step := range r.Steps {
		var left words
		for _, one := range s.each(step) {
			value := strings.Join(one[step.Each], " ")
			err := r.step(ctx, j, step, one, fmt.Sprintf("step-%d%s.txt", i+1, value), p)
			switch {
			case err == nil:
				left = append(left, value)
			case step.Each == "" || ctx.Err() != nil:
				return err
			default:
				fmt.Fprintf(p.log, "%s is left out: %v\n", value, err)
			}
		}
		if step.Each != "" {
			s[step.Each] = left
		}
	}
	return nil
}

// step runs a step if it is not done.
func (r Runner) step(ctx context.Context, j Job, step Step, s settings, name string,
	p process) error {
	args, err := s.expand(step.Run)
	if err != nil {
		return err
	}
	done := filepath.Join(r.dir(j), name)
	if step.Row != "" {
		done = r.rowPath(j, step)
	}
	if step.Shared != "" {
		folder, err := s.expand(step.Shared)
		if err != nil {
			return err
		}
		held, err := await(ctx, folder[0]+".lock")
		if err != nil {
			return err
		}
		defer held.Close()
		p.locks = append(p.locks, held)
		if done = filepath.Join(folder[0], "done.txt"); !exists(done) {
			if err := empty(folder[0]); err != nil {
				return err
			}
		}
	}
	if exists(done) {
		return nil
	}
	return p.run(ctx, args, done)
}

// mark is a file in each shared folder, that says who made it.
const mark = "begun.txt"

// empty makes a folder anew. One that is not empty has to be of an experiment.
func empty(folder string) error {
	within, err := os.ReadDir(folder)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if len(within) > 0 && !exists(filepath.Join(folder, mark)) {
		return fmt.Errorf("%w: %s is not empty, and of no experiment: name another folder", ErrExperiment,
			folder)
	}
	return errors.Join(os.RemoveAll(folder), os.MkdirAll(folder, 0o777),
		os.WriteFile(filepath.Join(folder, mark), nil, 0o666))
}

// process is what the processes of a job have in common.
type process struct {
	command Command
	log     *os.File
	locks   []*os.File // which a process inherits, so that they are held until it ends
}

// stopTime is how long an interrupted process may take to end by itself.
const stopTime = time.Minute

// run keeps what a process prints in a file, if it ends well.
func (p process) run(ctx context.Context, args []string, path string) error {
	out, err := renameio.NewPendingFile(path, renameio.WithPermissions(0o666))
	if err != nil {
		return err
	}
	defer out.Cleanup()
	fmt.Fprintf(p.log, "%s\n", strings.Join(args, " "))
	said, err := p.log.Seek(0, 2)
	if err != nil {
		return err
	}
	cmd := p.command(ctx, args)
	cmd.Stdout, cmd.Stderr, cmd.ExtraFiles = out.File, p.log, p.locks
	// A group of its own: ^C at the terminal reaches the process once, through here.
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = stopTime
	err = cmd.Run()
	if cmd.ProcessState != nil && cmd.ProcessState.Success() { // though ^C came while it ended
		return out.CloseAtomicallyReplace()
	}
	text, _ := os.ReadFile(p.log.Name())
	if int64(len(text)) > said {
		for line := range strings.Lines(string(text[said:])) {
			if why, ok := strings.CutPrefix(line, "stripswm: "); ok {
				return fmt.Errorf("%s: %s (%w)", args[0], strings.TrimSpace(why), err)
			}
		}
	}
	return fmt.Errorf("%s: %w; see %s", args[0], err, p.log.Name())
}

// await takes a lock when others have released it.
func await(ctx context.Context, path string) (*os.File, error) {
	const pause = 200 * time.Millisecond
	for {
		held, err := lock(path)
		if !errors.Is(err, ErrBusy) {
			return held, err
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(pause):
		}
	}
}

// lock takes an advisory lock. The file stays: to remove it would let a third process lock a new
// one beside the old.
func lock(path string) (*os.File, error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return nil, err
	}
	file, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o666)
	if err != nil {
		return nil, err
	}
	for {
		err = syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		if !errors.Is(err, syscall.EINTR) {
			break
		}
	}
	if err == nil {
		return file, nil
	}
	file.Close()
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return nil, ErrBusy
	}
	return nil, fmt.Errorf("lock %s: %w", path, err)
}
