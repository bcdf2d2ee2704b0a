package bags

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"io"
	"math"
	"path/filepath"

	"stripswm/internal/files"
)

// Hash returns the SHA-256, in hex, of the recording's data files one after the other: the same for
// the same data whatever the directory is called and whatever metadata.yaml says.
func Hash(path string) (string, error) {
	r, err := Open(path)
	if err != nil {
		return "", err
	}
	defer r.Close()
	sum := sha256.New()
	for i, name := range r.names {
		if name == TableName { // the images are data too
			if err := hashFolder(sum, r.files[i]); err != nil {
				return "", fmt.Errorf("hash: %w", err)
			}
			continue
		}
		path := filepath.Join(r.dir, name)
		for _, stored := range append([]string{path}, unfinished(path)...) {
			f, err := files.Open(stored, math.MaxInt64)
			if err != nil {
				return "", fmt.Errorf("hash: %w", err)
			}
			_, err = io.Copy(sum, f)
			f.Close()
			if err != nil {
				return "", fmt.Errorf("hash %s: %w", stored, err)
			}
		}
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}

func hashFolder(sum hash.Hash, f dataFile) error {
	var failed error
	f.scan(&visitor{
		message: func(m Message) bool {
			sum.Write(m.Data)
			return true
		},
		fault: func(f *Fault) bool {
			failed = f
			return false
		},
	})
	return failed
}
