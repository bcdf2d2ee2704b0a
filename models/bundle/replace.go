package bundle

import (
	"errors"
	"os"
)

// replace moves the directory from to the place of to. Where to exists, the two change places in one step, so that
// to is whole at every instant, and what was there ends at from.
func replace(from, to string) error {
	if os.Rename(from, to) == nil { // works where to is absent or empty
		return nil
	}
	err := exchange(from, to)
	if errors.Is(err, errors.ErrUnsupported) {
		return replaceInSteps(from, to)
	}
	return err
}

// replaceInSteps is for file systems that cannot exchange: a kill between the two steps leaves the earlier bundle at
// from + ".old".
func replaceInSteps(from, to string) error {
	old := from + ".old"
	if err := os.Rename(to, old); err != nil {
		return err
	}
	if err := os.Rename(from, to); err != nil {
		return errors.Join(err, os.Rename(old, to))
	}
	return os.RemoveAll(old)
}
