package msgs_test

import (
	"bytes"
	"image"
	"image/color"
	"testing"

	"github.com/google/go-cmp/cmp"

	"stripswm/msgs"
)

// image is 3 pixels wide and 2 high, every pixel different.
func img() *image.RGBA {
	img := image.NewRGBA(image.Rect(0, 0, 3, 2))
	for i := range 6 {
		img.SetRGBA(i%3, i/3, color.RGBA{uint8(10 * i), uint8(10*i + 1), uint8(10*i + 2), 255})
	}
	return img
}

func TestRawImages(t *testing.T) {
	header := msgs.Header{FrameID: "camera"}
	gray := image.NewGray(image.Rect(0, 0, 3, 2))
	copy(gray.Pix, "abcdef")
	colours := []byte{0, 1, 2, 10, 11, 12, 20, 21, 22, 30, 31, 32, 40, 41, 42, 50, 51, 52}
	straight := image.NewNRGBA(image.Rect(5, 5, 8, 7))
	for i := range 6 {
		straight.Set(5+i%3, 5+i/3, img().At(i%3, i/3))
	}
	for name, tt := range map[string]struct {
		img  image.Image
		want msgs.Image
	}{
		"gray":            {gray, msgs.Image{Encoding: msgs.Mono8, Step: 3, Data: []byte("abcdef")}},
		"colours":         {img(), msgs.Image{Encoding: msgs.RGB8, Step: 9, Data: colours}},
		"of another type": {straight, msgs.Image{Encoding: msgs.RGB8, Step: 9, Data: colours}},
		"a part, by bytes": {img().SubImage(image.Rect(1, 0, 3, 2)), msgs.Image{Encoding: msgs.RGB8,
			Step: 6, Data: append(append([]byte{}, colours[3:9]...), colours[12:18]...)}},
	} {
		tt.want.Header, tt.want.Width, tt.want.Height = header, tt.want.Step/3, 2
		if tt.want.Encoding == msgs.Mono8 {
			tt.want.Width = 3
		}
		if diff := cmp.Diff(&tt.want, msgs.NewImage(header, tt.img)); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

func TestFilesOfImages(t *testing.T) {
	p, err := msgs.NewPNG(msgs.Header{}, img())
	if err != nil {
		t.Fatal(err)
	}
	j, err := msgs.NewJPEG(msgs.Header{}, img(), 90)
	if err != nil {
		t.Fatal(err)
	}
	for want, m := range map[string]*msgs.CompressedImage{"png": p, "jpeg": j} {
		size, format, err := image.DecodeConfig(bytes.NewReader(m.Data))
		if err != nil || m.Format != want || format != want || size.Width != 3 || size.Height != 2 {
			t.Errorf("%s: %s of %dx%d, format %q, %v", want, format, size.Width, size.Height, m.Format, err)
		}
	}
}
