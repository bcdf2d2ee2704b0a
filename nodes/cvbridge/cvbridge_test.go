package cvbridge_test

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	"image/color"
	"testing"

	"stripswm/models/pixels"
	"stripswm/msgs"
	"stripswm/nodes/cvbridge"
)

// ramp is an image whose pixels all differ.
func ramp() *image.RGBA {
	m := image.NewRGBA(image.Rect(0, 0, 16, 8))
	for i := range 128 {
		m.SetRGBA(i%16, i/16, color.RGBA{uint8(2 * i), uint8(255 - 2*i), 9, 255})
	}
	return m
}

func TestMessagesComeBack(t *testing.T) {
	file, err := msgs.NewPNG(msgs.Header{}, ramp())
	if err != nil {
		t.Fatal(err)
	}
	sixteen := &msgs.Image{Width: 16, Height: 8, Step: 96, Encoding: "rgb16", IsBigendian: 1}
	for _, sample := range pixels.FromImage(ramp()).Pix {
		sixteen.Data = append(sixteen.Data, sample, 99)
	}
	for want, m := range map[string]msgs.Message{"16x8 rgb8": msgs.NewImage(msgs.Header{}, ramp()),
		"16x8 png": file, "16x8 rgb16": sixteen} {
		p, err := cvbridge.RGB(m, 0)
		if err != nil || !bytes.Equal(p.Image().Pix, ramp().Pix) {
			t.Errorf("%s came back as another image, %v", want, err)
		}
		if err := cvbridge.Check(m); err != nil {
			t.Errorf("%s: %v", want, err)
		}
		if got, err := cvbridge.Describe(m); got != want || err != nil {
			t.Errorf("described as %q, %v; want %q", got, err, want)
		}
	}
	gray := image.NewGray(image.Rect(0, 0, 4, 4))
	gray.Pix[5] = 77
	if p, err := cvbridge.RGB(msgs.NewImage(msgs.Header{}, gray), 0); err != nil ||
		[3]uint8(p.Pix[15:]) != [3]uint8{77, 77, 77} {
		t.Errorf("gray came back as %v, %v", p, err)
	}
}

func TestUnusableMessages(t *testing.T) {
	cut := msgs.NewImage(msgs.Header{}, ramp())
	cut.Data = cut.Data[:100]
	file, err := msgs.NewJPEG(msgs.Header{}, ramp(), 90)
	if err != nil {
		t.Fatal(err)
	}
	file.Data = file.Data[:len(file.Data)-20]
	for name, m := range map[string]msgs.Message{
		"cut": cut, "cut jpeg": file, "no jpeg": &msgs.CompressedImage{Format: "jpeg",
			Data: []byte{0xff, 0xd8, 0xff}}, "empty": &msgs.CompressedImage{}, "a string": &msgs.String{},
	} {
		if _, err := cvbridge.RGB(m, 0); !errors.Is(err, pixels.ErrImage) {
			t.Errorf("%s: %v", name, err)
		}
		if _, err := cvbridge.Describe(m); !errors.Is(err, pixels.ErrImage) {
			t.Errorf("%s described: %v", name, err)
		}
		if err := cvbridge.Check(m); !errors.Is(err, pixels.ErrImage) {
			t.Errorf("%s checked: %v", name, err)
		}
	}
}

func ExampleRGB() {
	seen := &msgs.Image{Width: 2, Height: 1, Encoding: "bgr8", Step: 6, Data: []byte{1, 2, 3, 4, 5, 6}}
	img, err := cvbridge.RGB(seen, 0)
	fmt.Println(img.Pix, err)
	// Output: [3 2 1 6 5 4] <nil>
}
