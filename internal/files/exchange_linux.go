package files

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// Exchange lets two paths change places in one step. On a file system that cannot do that it takes
// several, between which nothing is at path.
func Exchange(from, path string) error {
	err := unix.Renameat2(unix.AT_FDCWD, from, unix.AT_FDCWD, path, unix.RENAME_EXCHANGE)
	if errors.Is(err, unix.EINVAL) || errors.Is(err, unix.ENOSYS) {
		return exchangeInSteps(from, path)
	}
	if err != nil {
		return &os.LinkError{Op: "exchange", Old: from, New: path, Err: err}
	}
	return nil
}
