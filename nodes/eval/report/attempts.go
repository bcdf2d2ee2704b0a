package report

import (
	"image"
	"path/filepath"
)

// ImagePair is the images before and after a skill, and a few words on it.
type ImagePair struct {
	Before, After image.Image
	Words         string
}

// WriteAttempts writes a sheet of attempts as a PNG file.
func WriteAttempts(path string, list []ImagePair) error {
	sheet, err := attemptsSheet(list)
	if err != nil {
		return err
	}
	w := &writer{dir: filepath.Dir(path)}
	return w.savePNG(filepath.Base(path), sheet)
}

func attemptsSheet(list []ImagePair) (image.Image, error) {
	const side, across = 150, 3
	columns := max(1, min(across, len(list)))
	wide, high := 2*side+gap+margin, side+lineStep+margin
	c, err := newCanvas(margin+columns*wide, margin+(len(list)+columns-1)/columns*high)
	if err != nil {
		return nil, err
	}
	for i, a := range list {
		x, y := margin+i%columns*wide, margin+i/columns*high
		c.put(a.Before, x, y, side, side)
		c.put(a.After, x+side+gap, y, side, side)
		c.write(a.Words, x, y+side+lineStep-4, 2*side+gap, black)
	}
	return c, nil
}
