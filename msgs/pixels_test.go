package msgs_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"image"
	"image/color"
	"strings"
	"testing"

	"stripswm/msgs"
)

// picture is 3 pixels wide and 2 high, every pixel different.
func picture() *image.RGBA {
	img := image.NewRGBA(image.Rect(0, 0, 3, 2))
	for i := range 6 {
		img.SetRGBA(i%3, i/3, color.RGBA{uint8(10 * i), uint8(10*i + 1), uint8(10*i + 2), 255})
	}
	return img
}

func TestImageEncodings(t *testing.T) {
	want := picture()
	layouts := map[string]string{msgs.RGB8: "rgb", msgs.BGR8: "bgr", msgs.RGBA8: "rgba", msgs.BGRA8: "bgra"}
	for encoding, order := range layouts {
		const padding = 5 // rows may be longer than their pixels
		m := &msgs.Image{Width: 3, Height: 2, Encoding: encoding, Step: uint32(3*len(order) + padding)}
		for y := range 2 {
			for x := range 3 {
				c := want.RGBAAt(x, y)
				for _, channel := range order {
					m.Data = append(m.Data, map[rune]uint8{'r': c.R, 'g': c.G, 'b': c.B, 'a': 7}[channel])
				}
			}
			m.Data = append(m.Data, make([]byte, padding)...)
		}
		got, err := m.Decode()
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got.(*image.RGBA).Pix, want.Pix) {
			t.Errorf("%s: %v, want %v", encoding, got.(*image.RGBA).Pix, want.Pix)
		}
	}
}

func TestImagesComeBack(t *testing.T) {
	gray := image.NewGray(image.Rect(0, 0, 3, 2))
	copy(gray.Pix, "abcdef")
	got, err := msgs.NewImage(msgs.Header{}, gray).Decode()
	if err != nil || !bytes.Equal(got.(*image.Gray).Pix, gray.Pix) {
		t.Errorf("gray came back as %v, %v", got, err)
	}
	got, err = msgs.NewImage(msgs.Header{}, picture()).Decode()
	if err != nil || !bytes.Equal(got.(*image.RGBA).Pix, picture().Pix) {
		t.Errorf("rgb came back as %v, %v", got, err)
	}
	m, err := msgs.NewPNG(msgs.Header{}, picture())
	if err != nil {
		t.Fatal(err)
	}
	got, err = m.Decode()
	if err != nil {
		t.Fatal(err)
	}
	if again, _ := msgs.NewImage(msgs.Header{}, got).Decode(); !bytes.Equal(again.(*image.RGBA).Pix, picture().Pix) {
		t.Error("png came back different")
	}
	j, err := msgs.NewJPEG(msgs.Header{}, picture(), 90)
	if err != nil {
		t.Fatal(err)
	}
	if got, err = j.Decode(); err != nil || got.Bounds() != picture().Rect {
		t.Errorf("jpeg came back as %v, %v", got, err)
	}
}

func TestUnusableImages(t *testing.T) {
	whole := msgs.NewImage(msgs.Header{}, picture())
	tests := []struct {
		name  string
		spoil func(*msgs.Image)
		want  string
	}{
		{"encoding", func(m *msgs.Image) { m.Encoding = "16UC1" }, `encoding "16UC1"`},
		{"no width", func(m *msgs.Image) { m.Width = 0 }, "size 0x2"},
		{"huge", func(m *msgs.Image) { m.Width, m.Height = 1<<31, 1<<31 }, "more than"},
		{"short rows", func(m *msgs.Image) { m.Step = 8 }, "step of 8 bytes"},
		{"missing row", func(m *msgs.Image) { m.Data = m.Data[:9] }, "9 bytes of pixels"},
	}
	for _, tt := range tests {
		m := *whole
		tt.spoil(&m)
		if _, err := m.Decode(); !errors.Is(err, msgs.ErrImage) || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v", tt.name, err)
		}
	}
}

func TestUnusableFiles(t *testing.T) {
	m, _ := msgs.NewPNG(msgs.Header{}, picture())
	cut := *m
	cut.Data = cut.Data[:len(cut.Data)/2]
	wrong := *m
	wrong.Format = "jpeg"
	bomb := *m // a few bytes that claim 2^30 x 2^30 pixels
	bomb.Data = bytes.Clone(m.Data)
	binary.BigEndian.PutUint32(bomb.Data[16:], 1<<30)
	binary.BigEndian.PutUint32(bomb.Data[20:], 1<<30)
	binary.BigEndian.PutUint32(bomb.Data[29:], crc32.ChecksumIEEE(bomb.Data[12:29]))
	for name, m := range map[string]*msgs.CompressedImage{
		"cut": &cut, "wrong format": &wrong, "bomb": &bomb, "empty": {}, "text": {Format: "png", Data: []byte("no image")},
	} {
		if _, err := m.Decode(); !errors.Is(err, msgs.ErrImage) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func FuzzDecodeImage(f *testing.F) {
	j, _ := msgs.NewJPEG(msgs.Header{}, picture(), 50)
	p, _ := msgs.NewPNG(msgs.Header{}, picture())
	f.Add("jpeg", j.Data)
	f.Add("png", p.Data)
	f.Fuzz(func(t *testing.T, format string, data []byte) {
		m := msgs.CompressedImage{Format: format, Data: data}
		if img, err := m.Decode(); err == nil && img.Bounds().Empty() {
			t.Error("an empty image without an error")
		}
	})
}
