package sweep

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"time"
)

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
