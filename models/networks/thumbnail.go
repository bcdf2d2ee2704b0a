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

// Apply is that of pixels.NewThumbnail, and a dense layer.
func (n Thumbnail) Apply(w *Weights, images *g.Node) (*g.Node, Backward) {
	side, pool := pixels.ThumbnailShape(n.Size)
	batch := images.Shape().Dimensions[0]
	x := g.Reshape(g.ConvertDType(images, dtypes.Float32), batch, side, pool, side, pool, 3)
	x = g.Reshape(g.ReduceMean(x, 2, 4), batch, 3*side*side)
	light := g.Reshape(g.AddScalar(g.ReduceMean(x, 1), 1), batch, 1)
	return Dense(w, "head", g.Div(x, light))
}
