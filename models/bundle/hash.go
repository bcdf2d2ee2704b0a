package bundle

import (
	"crypto/sha256"
	"fmt"
	"io"
	"io/fs"
	"os"
)

// HashDir hashes a directory, such as a recording: the SHA-256, in hex, of one line "<sha256>
// <size> <path>\n" for each regular file, paths sorted and with slashes. It also returns the files'
// bytes in all. Links are not followed.
func HashDir(dir string) (sum string, bytes int64, err error) {
	all := sha256.New()
	tree := os.DirFS(dir)
	err = fs.WalkDir(tree, ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		f, err := tree.Open(path)
		if err != nil {
			return err
		}
		defer f.Close()
		one := sha256.New()
		n, err := io.Copy(one, f)
		if err != nil {
			return err
		}
		bytes += n
		fmt.Fprintf(all, "%s %d %s\n", hexSum(one), n, path)
		return nil
	})
	if err != nil {
		return "", 0, fmt.Errorf("hash %s: %w", dir, err)
	}
	return hexSum(all), bytes, nil
}
