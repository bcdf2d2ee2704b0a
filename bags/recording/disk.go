package recording

import (
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"time"
)

// freeBytes is the room for an ordinary user on the file system that dir is on,
// or will be on.
func freeBytes(dir string) (int64, error) {
	for {
		var s syscall.Statfs_t
		err := syscall.Statfs(dir, &s)
		if err == nil {
			return int64(s.Bavail) * s.Bsize, nil
		}
		parent := filepath.Dir(dir)
		if !os.IsNotExist(err) || parent == dir {
			return 0, err
		}
		dir = parent
	}
}

// unused is a name for a recording: base, or one by date and time, with a number
// if it is taken.
func unused(base string, now time.Time) string {
	if base == "" {
		base = now.Format("recording_2006_01_02-15_04_05")
	}
	name := base
	for i := 1; ; i++ {
		if _, err := os.Lstat(name); err != nil {
			return name
		}
		name = fmt.Sprintf("%s_%d", base, i)
	}
}
