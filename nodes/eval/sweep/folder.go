package sweep

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"stripswm/internal/files"
)

// Folder is a sweep on disk.
type Folder struct {
	Dir  string
	Jobs []Job
}

// maxFile bounds a file of a sweep that is read, in bytes.
const maxFile = 64 << 20

// ErrSweep is returned for a folder, or a result in it, that is not of the sweep asked for.
var ErrSweep = errors.New("unusable sweep")

// plan is sweep.json. The jobs follow from the grid; they are there to be read.
type plan struct {
	Grid Grid  `json:"grid"`
	Jobs []Job `json:"jobs"`
}

func planPath(dir string) string { return filepath.Join(dir, "sweep.json") }

// Create writes the plan of a sweep. Where the same plan is there already it
// changes nothing; over another one it returns ErrSweep.
func Create(dir string, g Grid) (Folder, error) {
	jobs, err := g.Jobs()
	if err != nil {
		return Folder{}, err
	}
	data, err := json.MarshalIndent(plan{g, jobs}, "", " ")
	if err != nil {
		return Folder{}, err
	}
	data = append(data, '\n')
	old, err := files.Read(planPath(dir), maxFile)
	switch {
	case err == nil && !bytes.Equal(old, data):
		return Folder{}, fmt.Errorf("%w: %s plans other jobs; choose another folder", ErrSweep,
			planPath(dir))
	case errors.Is(err, fs.ErrNotExist):
		if err := os.MkdirAll(dir, 0o777); err != nil {
			return Folder{}, err
		}
		if err := files.Write(planPath(dir), data); err != nil {
			return Folder{}, err
		}
	case err != nil:
		return Folder{}, err
	}
	return Folder{dir, jobs}, nil
}

// Open reads the plan of a sweep.
func Open(dir string) (Folder, error) {
	data, err := files.Read(planPath(dir), maxFile)
	if err != nil {
		return Folder{}, fmt.Errorf("%w (`stripswm research sweep init` makes a sweep)", err)
	}
	var p plan
	if err := json.Unmarshal(data, &p); err != nil {
		return Folder{}, fmt.Errorf("%w: %s: %w", ErrSweep, planPath(dir), err)
	}
	jobs, err := p.Grid.Jobs()
	if err != nil {
		return Folder{}, fmt.Errorf("%w: %s: %w", ErrSweep, planPath(dir), err)
	}
	if !slices.Equal(jobs, p.Jobs) {
		return Folder{}, fmt.Errorf("%w: %s: the jobs are not those of its grid; make the sweep again",
			ErrSweep, planPath(dir))
	}
	return Folder{dir, jobs}, nil
}

// Job returns the job of that number.
func (f Folder) Job(index int) (Job, error) {
	if index < 0 || index >= len(f.Jobs) {
		return Job{}, fmt.Errorf("%w: %s has no job %d: jobs are 0 to %d", ErrSweep, f.Dir, index,
			len(f.Jobs)-1)
	}
	return f.Jobs[index], nil
}

// JobDir is where the job works.
func (f Folder) JobDir(j Job) string { return filepath.Join(f.Dir, "jobs", j.Name()) }

// Bag is the recording that the job learns from.
func (f Folder) Bag(j Job) string { return filepath.Join(f.Dir, "bags", j.Recording(), "bag") }

// ResultPath is the file that makes a job done.
func (f Folder) ResultPath(j Job) string {
	return filepath.Join(f.JobDir(j), "report", "demo.json")
}

// Done says whether the job has a result.
func (f Folder) Done(j Job) bool {
	_, err := os.Stat(f.ResultPath(j))
	return err == nil
}

func (f Folder) failurePath(j Job) string { return filepath.Join(f.JobDir(j), "failure.txt") }

// Fail keeps why a job failed; nil forgets it.
func (f Folder) Fail(j Job, why error) error {
	if why != nil {
		return files.Write(f.failurePath(j), []byte(why.Error()+"\n"))
	}
	return files.Remove(f.failurePath(j))
}

// Failure is why a job failed when it was last run; empty where it did not, or
// was killed.
func (f Folder) Failure(j Job) string {
	why, _ := files.Read(f.failurePath(j), maxFile)
	return strings.TrimSpace(string(why))
}

// ErrBusy is returned for a job that another worker runs.
var ErrBusy = errors.New("is being run by another worker")

// LockJob takes the job for this process until release; ErrBusy where another has it.
func (f Folder) LockJob(j Job) (release func(), err error) {
	release, err = lock(filepath.Join(f.JobDir(j), "lock"))
	if errors.Is(err, ErrBusy) {
		return nil, fmt.Errorf("job %d %w", j.Index, err)
	}
	return release, err
}

// LockRecording takes the job's recording for this process, and waits while
// another has it: until it is made.
func (f Folder) LockRecording(ctx context.Context, j Job) (release func(), err error) {
	const pause = 200 * time.Millisecond
	for {
		release, err := lock(filepath.Join(filepath.Dir(f.Bag(j)), "lock"))
		if !errors.Is(err, ErrBusy) {
			return release, err
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(pause):
		}
	}
}

// lock takes an advisory lock. The file stays: to remove it would let a third
// process lock a new one beside the old.
func lock(path string) (release func(), err error) {
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
		return func() { file.Close() }, nil
	}
	file.Close()
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return nil, ErrBusy
	}
	return nil, fmt.Errorf("lock %s: %w", path, err)
}
