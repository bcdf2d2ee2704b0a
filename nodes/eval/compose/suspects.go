package compose

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"os"
	"path/filepath"

	"github.com/google/renameio/v2"

	"stripswm/models/bundle"
	"stripswm/models/operators"
	"stripswm/nodes/learn"
)

// picturesPerEdge is how many transitions of a suspect edge are shown.
const picturesPerEdge = 6

// SuspectPictures writes for each suspect edge a sheet of the recorded
// transitions behind it, a row each: the picture before and the one after.
func SuspectPictures(ctx context.Context, bundleDir, bag, out string, suspects []operators.Suspect) ([]string, error) {
	b, err := bundle.Open(bundleDir)
	if err != nil {
		return nil, err
	}
	if b.Manifest.Image == nil {
		return nil, fmt.Errorf("bundle %s has no networks to find the pictures with: %w", bundleDir, bundle.ErrNoPart)
	}
	recording, err := learn.Load(ctx, bag, b.Manifest.Image.Width, 0, nil)
	if err != nil {
		return nil, err
	}
	defer recording.Close()
	nodes, err := learn.Locate(b, recording)
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(out, 0o777); err != nil {
		return nil, err
	}
	var files []string
	for i, s := range suspects {
		var rows [][2]image.Image
		for _, t := range recording.Data.Transitions {
			if len(rows) == picturesPerEdge || nodes[t.Before] != s.Edge.Source || nodes[t.After] != s.Edge.Target || t.Action != s.Edge.Action {
				continue
			}
			before, err := recording.Picture(t.Before)
			if err != nil {
				return files, err
			}
			after, err := recording.Picture(t.After)
			if err != nil {
				return files, err
			}
			rows = append(rows, [2]image.Image{before.Image(), after.Image()})
		}
		if len(rows) == 0 {
			continue // learned from another recording
		}
		path := filepath.Join(out, fmt.Sprintf("%02d_node%d_action%d_node%d.png", i+1, s.Edge.Source, s.Edge.Action, s.Edge.Target))
		var picture bytes.Buffer
		if err := png.Encode(&picture, sheet(rows)); err != nil {
			return files, err
		}
		if err := renameio.WriteFile(path, picture.Bytes(), 0o644); err != nil {
			return files, err
		}
		files = append(files, path)
	}
	return files, nil
}

// sheet draws rows of two pictures on white.
func sheet(rows [][2]image.Image) image.Image {
	const gap = 4
	size := rows[0][0].Bounds().Size()
	m := image.NewRGBA(image.Rect(0, 0, 2*size.X+3*gap, len(rows)*(size.Y+gap)+gap))
	draw.Draw(m, m.Bounds(), image.NewUniform(color.White), image.Point{}, draw.Src)
	for y, row := range rows {
		for x, picture := range row {
			at := image.Pt(gap+x*(size.X+gap), gap+y*(size.Y+gap))
			draw.Draw(m, image.Rectangle{Min: at, Max: at.Add(size)}, picture, picture.Bounds().Min, draw.Src)
		}
	}
	return m
}
