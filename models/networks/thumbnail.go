package networks

import (
	"fmt"

	"github.com/gomlx/compute/dtypes"
	g "github.com/gomlx/gomlx/core/graph"

	"stripswm/models/pixels"
)

// Thumbnail is a backbone without hidden layers: its outputs are linear in the image's thumbnail.
type Thumbnail struct {
	Size int // of images, pixels a side: a multiple of the thumbnail's
}

func (n Thumbnail) ImageSize() int { return n.Size }

func (n Thumbnail) Validate() error {
	if n.Size < 1 {
		return fmt.Errorf("thumbnail of an image of %d pixels a side", n.Size)
	}
	if side, pool := pixels.ThumbnailShape(n.Size); side*pool != n.Size {
		return fmt.Errorf("an image of %d pixels a side has no whole thumbnail of %d", n.Size, side)
	}
	return nil
}

func (n Thumbnail) Declare(l *Layout, outputs int) {
	side, _ := pixels.ThumbnailShape(n.Size)
	l.Dense("head", 3*side*side, outputs, 1)
}

// Apply is a dense layer on thumbnails.
func (n Thumbnail) Apply(w *Weights, images *g.Node) (*g.Node, Backward) {
	return Dense(w, "head", Thumbnails(images))
}

// Thumbnails are those of square images, [n, values], as by pixels.NewThumbnail.
func Thumbnails(images *g.Node) *g.Node {
	batch, size := images.Shape().Dimensions[0], images.Shape().Dimensions[1]
	side, pool := pixels.ThumbnailShape(size)
	x := g.ConvertDType(images, dtypes.Float32)
	if whole := side * pool; whole < size {
		x = g.Slice(x, g.AxisRange(), g.AxisRange(0, whole), g.AxisRange(0, whole), g.AxisRange())
	}
	x = g.ReduceMean(g.Reshape(x, batch, side, pool, side, pool, 3), 2, 4)
	x = g.Reshape(x, batch, 3*side*side)
	return g.Div(x, g.Reshape(g.AddScalar(g.ReduceMean(x, 1), 1), batch, 1))
}
