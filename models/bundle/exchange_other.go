//go:build !linux

package bundle

import "errors"

func exchange(from, to string) error { return errors.ErrUnsupported }
