package bundle

import (
	"errors"
	"fmt"

	"golang.org/x/sys/unix"
)

// exchange lets two directories change places. Some file systems cannot: errors.ErrUnsupported.
func exchange(from, to string) error {
	err := unix.Renameat2(unix.AT_FDCWD, from, unix.AT_FDCWD, to, unix.RENAME_EXCHANGE)
	if errors.Is(err, unix.EINVAL) || errors.Is(err, unix.ENOSYS) {
		return errors.ErrUnsupported
	}
	if err != nil {
		return fmt.Errorf("exchange %s and %s: %w", from, to, err)
	}
	return nil
}
