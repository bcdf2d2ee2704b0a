package builder

import (
	"fmt"
	"image"
	"image/color"
	"image/draw"

	"stripswm/models/facts"
	"stripswm/models/pixels"
	"stripswm/nodes/eval/report"
	"stripswm/nodes/learn"
)

// Unexplained writes a PNG file with the images before and after a success of each unexplained
// skill, if there are any. The place that it changes is framed.
func Unexplained(path string, all []facts.Unexplained, recording *learn.Recording) error {
	var list []report.ImagePair
	for _, u := range all {
		shown, err := attempt(recording, u.Example[0], u.Example[1])
		if err != nil {
			return err
		}
		where := inRegion(u.Where, recording.Frame.Region)
		shown.Before, shown.After = framed(shown.Before, where), framed(shown.After, where)
		shown.Words = fmt.Sprintf("%s: %d of %d", u.Name, u.Changes, u.Successes)
		list = append(list, shown)
	}
	if len(list) == 0 {
		return nil
	}
	return report.WriteAttempts(path, list)
}

// inRegion is a part of an image, in shares of a region of it that has the part.
func inRegion(part, region pixels.Region) pixels.Region {
	if region == (pixels.Region{}) {
		return part
	}
	return pixels.Region{X: (part.X - region.X) / region.Width, Y: (part.Y - region.Y) / region.Height,
		Width: part.Width / region.Width, Height: part.Height / region.Height}
}

// framed is a copy of an image with a frame around a region.
func framed(img image.Image, region pixels.Region) image.Image {
	b := img.Bounds()
	out := image.NewRGBA(b)
	draw.Draw(out, b, img, b.Min, draw.Src)
	x0, y0, x1, y1 := region.Bounds(b.Dx(), b.Dy())
	frame := image.NewUniform(color.RGBA{R: 230, G: 0, B: 120, A: 255})
	thick := max(1, b.Dx()/160)
	inner := image.Rect(x0, y0, x1, y1).Add(b.Min)
	outer := inner.Inset(-thick)
	for _, side := range []image.Rectangle{
		{outer.Min, image.Pt(outer.Max.X, inner.Min.Y)}, {image.Pt(outer.Min.X, inner.Max.Y), outer.Max},
		{outer.Min, image.Pt(inner.Min.X, outer.Max.Y)}, {image.Pt(inner.Max.X, outer.Min.Y), outer.Max},
	} {
		draw.Draw(out, side.Intersect(b), frame, image.Point{}, draw.Src)
	}
	return out
}
