package pixels_test

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"testing"

	"stripswm/models/pixels"
)

// checkers is a picture of fields of side n, red and blue in turn.
func checkers(w, h, n int) *image.RGBA {
	m := image.NewRGBA(image.Rect(0, 0, w, h))
	for y := range h {
		for x := range w {
			c := color.RGBA{200, 0, 0, 255}
			if (x/n+y/n)%2 == 1 {
				c = color.RGBA{0, 0, 100, 255}
			}
			m.SetRGBA(x, y, c)
		}
	}
	return m
}

func encode(t testing.TB, m image.Image) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := png.Encode(&b, m); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestDecodeKeepsChannelsInOrder(t *testing.T) {
	p, err := pixels.Decode(encode(t, checkers(8, 4, 4)))
	if err != nil {
		t.Fatal(err)
	}
	if p.Width != 8 || p.Height != 4 || [3]uint8(p.Pix[:3]) != [3]uint8{200, 0, 0} || [3]uint8(p.Pix[12:15]) != [3]uint8{0, 0, 100} {
		t.Errorf("decoded %dx%d, first pixels %v %v", p.Width, p.Height, p.Pix[:3], p.Pix[12:15])
	}
	if direct := pixels.FromImage(checkers(8, 4, 4)); !bytes.Equal(direct.Pix, p.Pix) {
		t.Error("FromImage and Decode differ")
	}
	gray := image.NewGray(image.Rect(2, 3, 4, 5))
	gray.SetGray(3, 4, color.Gray{77})
	if got := pixels.FromImage(gray); got.Width != 2 || got.Pix[9] != 77 || got.Pix[11] != 77 {
		t.Errorf("a gray image with an offset gave %v", got)
	}
}

func TestSquareAverages(t *testing.T) {
	p := pixels.FromImage(checkers(32, 16, 1)) // alternating: the average is half of each
	small, err := p.Square(4)
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(small.Pix); i += 3 {
		if [3]uint8(small.Pix[i:i+3]) != [3]uint8{100, 0, 50} {
			t.Fatalf("pixel %d is %v, want the mean", i/3, small.Pix[i:i+3])
		}
	}
	same, err := small.Square(4)
	if err != nil || !bytes.Equal(same.Pix, small.Pix) {
		t.Error("a picture of the right size changes")
	}
}

func TestUnusablePictures(t *testing.T) {
	good := encode(t, checkers(64, 64, 4))
	for name, data := range map[string][]byte{"empty": nil, "text": []byte("no picture"), "header only": good[:40], "cut": good[:len(good)/2]} {
		t.Run(name, func(t *testing.T) {
			p, err := pixels.Decode(data)
			if err != nil && !errors.Is(err, pixels.ErrImage) {
				t.Errorf("error %v is not ErrImage", err)
			}
			if err == nil && name != "cut" { // OpenCV shows what there is of a cut picture
				t.Errorf("decoded %dx%d", p.Width, p.Height)
			}
		})
	}
	if _, err := pixels.FromImage(checkers(8, 8, 1)).Square(16); !errors.Is(err, pixels.ErrImage) {
		t.Errorf("a picture smaller than the network's gave %v", err)
	}
	if _, err := (pixels.RGB{Width: 4, Height: 4, Pix: make([]uint8, 7)}).Square(2); !errors.Is(err, pixels.ErrImage) {
		t.Errorf("a picture with missing bytes gave %v", err)
	}
}

func FuzzDecode(f *testing.F) {
	var b bytes.Buffer
	if err := png.Encode(&b, checkers(8, 8, 2)); err != nil {
		f.Fatal(err)
	}
	f.Add(b.Bytes())
	f.Add(b.Bytes()[:50])
	f.Fuzz(func(t *testing.T, data []byte) {
		if p, err := pixels.Decode(data); err == nil && len(p.Pix) != 3*p.Width*p.Height {
			t.Errorf("%dx%d with %d bytes", p.Width, p.Height, len(p.Pix))
		}
	})
}

func ExampleRGB_Square() {
	small, err := pixels.FromImage(checkers(128, 96, 8)).Square(64)
	fmt.Println(small.Width, small.Height, len(small.Pix), err)
	// Output: 64 64 12288 <nil>
}
