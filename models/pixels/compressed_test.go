package pixels_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"image"
	"image/color"
	"image/draw"
	"image/jpeg"
	"image/png"
	"testing"

	"stripswm/models/pixels"
)

func encodePNG(t testing.TB, m image.Image) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := png.Encode(&b, m); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func encodeJPEG(t testing.TB, m image.Image) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := jpeg.Encode(&b, m, &jpeg.Options{Quality: 95}); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// redrawn is an image in another of Go's types.
func redrawn(dst draw.Image, src image.Image) image.Image {
	draw.Draw(dst, dst.Bounds(), src, src.Bounds().Min, draw.Src)
	return dst
}

// turned says in EXIF that a JPEG is to be shown turned by 90 degrees.
func turned(file []byte) []byte {
	exif := "Exif\x00\x00MM\x00*\x00\x00\x00\x08\x00\x01" +
		"\x01\x12\x00\x03\x00\x00\x00\x01\x00\x06\x00\x00" + "\x00\x00\x00\x00"
	app1 := append([]byte{0xff, 0xe1, 0, byte(2 + len(exif))}, exif...)
	return append(append(file[:2:2], app1...), file[2:]...)
}

func TestFiles(t *testing.T) {
	m := checkers(32, 16, 16)
	seen := color.RGBA{200, 0, 0, 255}
	grey := image.NewUniform(color.Gray{77})
	alpha := image.NewNRGBA(m.Rect)
	draw.Draw(alpha, m.Rect, image.NewUniform(color.NRGBA{200, 0, 0, 20}), image.Point{}, draw.Src)
	tests := map[string]struct {
		data []byte
		want color.RGBA // of the left half
		near int
	}{
		"png": {encodePNG(t, m), seen, 0},
		"palette png": {
			encodePNG(t, redrawn(image.NewPaletted(m.Rect, color.Palette{seen, color.RGBA{0, 0, 100, 255}}),
				m)), seen, 0},
		"grey png": {encodePNG(t, redrawn(image.NewGray(m.Rect), grey)), color.RGBA{77, 77, 77, 255},
			0},
		"16-bit grey": {
			encodePNG(t, redrawn(image.NewGray16(m.Rect), image.NewUniform(color.Gray16{0x12ff}))),
			color.RGBA{0x12, 0x12, 0x12, 255}, 0},
		"16-bit png": {
			encodePNG(t, redrawn(image.NewRGBA64(m.Rect),
				image.NewUniform(color.RGBA64{0x12ff, 0x34ff, 0x56ff, 0xffff}))), color.RGBA{
				0x12, 0x34, 0x56, 255}, 0},
		"alpha png": {encodePNG(t, alpha), seen, 0},
		"jpeg":      {encodeJPEG(t, m), seen, 4},
		"grey jpeg": {encodeJPEG(t, redrawn(image.NewGray(m.Rect), grey)), color.RGBA{77, 77, 77, 255},
			1},
		"turned jpeg":  {turned(encodeJPEG(t, m)), seen, 4},
		"padded jpeg":  {append(encodeJPEG(t, m), 0, 0, 0), seen, 4},
		"jpeg in jpeg": {thumbnailed(encodeJPEG(t, m)), seen, 4},
	}
	for name, tt := range tests {
		p, err := pixels.Decode(tt.data)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if p.Width != 32 || p.Height != 16 || len(p.Pix) != 3*32*16 {
			t.Errorf("%s: %dx%d with %d bytes", name, p.Width, p.Height, len(p.Pix))
		}
		got := at(p, 4, 8)
		for i, want := range [3]uint8{tt.want.R, tt.want.G, tt.want.B} {
			if d := int(got[i]) - int(want); d < -tt.near || d > tt.near {
				t.Errorf("%s: %v, want %v", name, got, tt.want)
			}
		}
	}
}

// thumbnailed puts the JPEG as a thumbnail into itself: its end is not the end.
func thumbnailed(file []byte) []byte {
	app0 := binary.BigEndian.AppendUint16([]byte{0xff, 0xe0}, uint16(2+len(file)))
	return append(append(append(file[:2:2], app0...), file...), file[2:]...)
}

// TestCutFiles cuts a PNG and a JPEG behind every byte.
func TestCutFiles(t *testing.T) {
	for name, file := range map[string][]byte{"png": encodePNG(t, checkers(64, 64, 4)),
		"jpeg": encodeJPEG(t, checkers(64, 64, 4))} {
		for n := range file {
			if p, err := pixels.Decode(file[:n]); !errors.Is(err, pixels.ErrImage) {
				t.Fatalf("%s cut to %d of %d bytes: %dx%d, %v", name, n, len(file), p.Width, p.Height, err)
			}
		}
	}
}

func TestUnusableFiles(t *testing.T) {
	file := encodePNG(t, checkers(64, 64, 4))
	flipped := bytes.Clone(file)
	flipped[60] ^= 1
	bomb := bytes.Clone(file) // a few bytes that claim 2^30 x 2^30 pixels
	binary.BigEndian.PutUint32(bomb[16:], 1<<30)
	binary.BigEndian.PutUint32(bomb[20:], 1<<30)
	binary.BigEndian.PutUint32(bomb[29:], crc32.ChecksumIEEE(bomb[12:29]))
	for name, c := range map[string]pixels.Compressed{
		"empty":        {},
		"text":         {Data: []byte("no image")},
		"gif":          {Data: []byte("GIF89a\x01\x00\x01\x00\x00\x00\x00;")},
		"flipped bit":  {Data: flipped},
		"bomb":         {Data: bomb},
		"no frame":     {Data: []byte{0xff, 0xd8, 0xff, 0xd9}},
		"wrong format": {Format: "jpeg", Data: file},
	} {
		if _, err := c.RGB(); !errors.Is(err, pixels.ErrImage) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestFormats(t *testing.T) {
	mosaic := rawImages()["bayer_grbg8"]
	grey := image.NewGray(image.Rect(0, 0, mosaic.Width, mosaic.Height))
	for y := range mosaic.Height {
		copy(grey.Pix[y*grey.Stride:], mosaic.Data[y*mosaic.Step:][:mosaic.Width])
	}
	img := checkers(16, 16, 8)
	for _, tt := range []struct {
		format string
		data   []byte
		want   [3]uint8 // at 3, 3
	}{
		{"png", encodePNG(t, img), [3]uint8{200, 0, 0}},
		{"PNG", encodePNG(t, img), [3]uint8{200, 0, 0}},
		{"rgb8; png compressed bgr8", encodePNG(t, img), [3]uint8{200, 0, 0}},
		// its colours were restored before
		{"bayer_grbg8; png compressed bgr8", encodePNG(t, img), [3]uint8{200, 0, 0}},
		{"bayer_grbg8; png compressed ", encodePNG(t, grey), left},
		{"mono8; png compressed ", encodePNG(t, grey), [3]uint8{left[1], left[1], left[1]}},
	} {
		p, err := pixels.Compressed{Format: tt.format, Data: tt.data}.RGB()
		if err != nil || at(p, 3, 3) != tt.want {
			t.Errorf("%s: %v, want %v; %v", tt.format, at(p, 3, 3), tt.want, err)
		}
	}
	for _, format := range []string{"jpeg", "JPG", "rgb8; jpeg compressed bgr8"} {
		if _, err := (pixels.Compressed{Format: format, Data: encodeJPEG(t, img)}).RGB(); err != nil {
			t.Errorf("%s: %v", format, err)
		}
	}
}

func FuzzDecode(f *testing.F) {
	for _, file := range [][]byte{encodePNG(f, checkers(8, 8, 2)), encodeJPEG(f, checkers(8, 8, 2)),
		turned(encodeJPEG(f, checkers(8, 8, 2)))} {
		f.Add("", file)
		f.Add("", file[:len(file)-9])
	}
	f.Add("bayer_rggb8; png compressed ", encodePNG(f, image.NewGray(image.Rect(0, 0, 1, 1))))
	f.Fuzz(func(t *testing.T, format string, data []byte) {
		if p, err := (pixels.Compressed{Format: format, Data: data}).RGB(); err == nil &&
			(p.Width < 1 || len(p.Pix) != 3*p.Width*p.Height) {
			t.Errorf("%dx%d with %d bytes", p.Width, p.Height, len(p.Pix))
		}
	})
}
