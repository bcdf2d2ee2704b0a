package facts

import (
	"context"
	"fmt"
	"slices"

	"stripswm/models/strips"
)

// influencePatch is the side of the squares that are covered, pixels.
const influencePatch = 8

// Influence says which part of an image each predicate is read from. It covers one square of 8x8
// pixels after the other with the mean colour of the image, and returns by how much the log-odds of
// each predicate change [m][rows*columns], and the number of columns. The image has the
// recognizer's size. (Occlusion maps: Zeiler and Fergus 2014.)
func (z *Recognizer) Influence(ctx context.Context, image []uint8) (maps [][]float32, columns int,
	err error) {
	if len(image) != 3*z.size*z.size {
		return nil, 0, fmt.Errorf("influence: an image of %d bytes, want %dx%d rgb", len(image),
			z.size, z.size)
	}
	var mean [3]int
	for i, v := range image {
		mean[i%3] += int(v)
	}
	columns = z.size / influencePatch
	packed := slices.Clone(image)
	for square := range columns * columns {
		covered := slices.Clone(image)
		top, left := square/columns*influencePatch, square%columns*influencePatch
		for y := top; y < top+influencePatch; y++ {
			for x := left; x < left+influencePatch; x++ {
				for c := range 3 {
					covered[3*(y*z.size+x)+c] = uint8(mean[c] / (z.size * z.size))
				}
			}
		}
		packed = append(packed, covered...)
	}
	logits, err := z.logits(ctx, packed)
	if err != nil {
		return nil, 0, err
	}
	m := z.Constraints.predicates
	maps = make([][]float32, m)
	for p := range maps {
		for square := range columns * columns {
			maps[p] = append(maps[p], logits[(square+1)*m+p]-logits[p])
		}
	}
	return maps, columns, nil
}

// Part is what a predicate adds to an image when it is true, as RGB pixels [side, side, 3] around a
// mean grey, and the side.
func (a *Appearance) Part(p strips.Predicate) (pix []uint8, side int) {
	for _, v := range a.parts.RawRowView(int(p)) {
		pix = append(pix, uint8(min(max(128+128*v, 0), 255)))
	}
	return pix, a.side
}
