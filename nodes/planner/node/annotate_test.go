package node

import (
	"image"
	"image/color"
	"testing"
)

func TestAnnotateKeepsTheImage(t *testing.T) {
	img := image.NewRGBA(image.Rect(0, 0, 64, 48))
	img.SetRGBA(10, 20, color.RGBA{1, 2, 3, 255})
	out := annotate(img, caption{State: "01", Node: 4, Confidence: 0.9, Warning: "look here",
		Plan: []string{"pick"}})
	if b := out.Bounds(); b.Dx() != 320 || b.Dy() != 48+2*margin+3*lineHeight {
		t.Errorf("size %v", b)
	}
	if got := out.RGBAAt((320-64)/2+10, 20); got != (color.RGBA{1, 2, 3, 255}) {
		t.Errorf("pixel became %v", got)
	}
	inked := 0
	for i := 48 * out.Stride; i < len(out.Pix); i += 4 {
		if out.Pix[i] > 200 {
			inked++
		}
	}
	if inked < 100 {
		t.Errorf("%d pixels of text", inked)
	}
}

func TestLinesWrap(t *testing.T) {
	for _, l := range (caption{State: "0101010101010101010101010101", Node: -1,
		Warning: "a warning of several words"}).lines(12) {
		if len(l.text) > 12 {
			t.Errorf("%q has %d columns", l.text, len(l.text))
		}
	}
}
