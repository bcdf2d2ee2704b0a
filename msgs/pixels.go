package msgs

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	"image/draw"
	"image/jpeg"
	"image/png"
	"strings"
)

// ErrImage is wrapped by every error of an image message whose size, encoding or pixels are not usable.
var ErrImage = errors.New("unusable image")

// MaxPixels bounds the images that Decode accepts, so that a few hostile bytes cannot ask for all memory.
const MaxPixels = 1 << 26

// Encodings of sensor_msgs/Image that Decode reads.
const (
	RGB8  = "rgb8"
	BGR8  = "bgr8"
	RGBA8 = "rgba8"
	BGRA8 = "bgra8"
	Mono8 = "mono8"
)

var channels = map[string]int{RGB8: 3, BGR8: 3, RGBA8: 4, BGRA8: 4, Mono8: 1}

// Decode returns the pixels as *image.RGBA, or *image.Gray for mono8, height x width. It copies them. Alpha is
// taken as opaque: cameras do not set it.
func (m *Image) Decode() (image.Image, error) {
	n, err := m.check()
	if err != nil {
		return nil, err
	}
	w, h, step := int(m.Width), int(m.Height), int(m.Step)
	if n == 1 {
		gray := image.NewGray(image.Rect(0, 0, w, h))
		for y := range h {
			copy(gray.Pix[y*gray.Stride:][:w], m.Data[y*step:])
		}
		return gray, nil
	}
	r, b := 0, 2
	if m.Encoding == BGR8 || m.Encoding == BGRA8 {
		r, b = 2, 0
	}
	out := image.NewRGBA(image.Rect(0, 0, w, h))
	for y := range h {
		src, dst := m.Data[y*step:][:w*n], out.Pix[y*out.Stride:][:w*4]
		for len(dst) >= 4 && len(src) >= n {
			dst[0], dst[1], dst[2], dst[3] = src[r], src[1], src[b], 0xff
			src, dst = src[n:], dst[4:]
		}
	}
	return out, nil
}

// Check returns the error that Decode would, without decoding.
func (m *Image) Check() error {
	_, err := m.check()
	return err
}

// check returns the bytes a pixel takes.
func (m *Image) check() (int, error) {
	n, ok := channels[m.Encoding]
	if !ok {
		return 0, fmt.Errorf("%w: encoding %q; want rgb8, bgr8, rgba8, bgra8 or mono8", ErrImage, m.Encoding)
	}
	if err := checkSize(int64(m.Width), int64(m.Height)); err != nil {
		return 0, err
	}
	if uint64(m.Step) < uint64(m.Width)*uint64(n) {
		return 0, fmt.Errorf("%w: step of %d bytes is too short for %d %s pixels", ErrImage, m.Step, m.Width, m.Encoding)
	}
	if want := uint64(m.Step) * uint64(m.Height); uint64(len(m.Data)) != want {
		return 0, fmt.Errorf("%w: %d bytes of pixels, step x height is %d", ErrImage, len(m.Data), want)
	}
	return n, nil
}

func checkSize(w, h int64) error {
	if w <= 0 || h <= 0 {
		return fmt.Errorf("%w: size %dx%d", ErrImage, w, h)
	}
	if w > MaxPixels || h > MaxPixels || w*h > MaxPixels {
		return fmt.Errorf("%w: size %dx%d is more than %d pixels", ErrImage, w, h, MaxPixels)
	}
	return nil
}

// Decode returns the image in a JPEG or PNG file. The file's own first bytes say which it is; Format must not
// contradict them.
func (m *CompressedImage) Decode() (image.Image, error) {
	config, decode := png.DecodeConfig, png.Decode
	kind := "png"
	if bytes.HasPrefix(m.Data, []byte{0xff, 0xd8}) {
		kind, config, decode = "jpeg", jpeg.DecodeConfig, jpeg.Decode
	}
	format := strings.ToLower(m.Format)
	if format != "" && !strings.Contains(strings.ReplaceAll(format, "jpg", "jpeg"), kind) {
		return nil, fmt.Errorf("%w: format %q, but the data looks like %s", ErrImage, m.Format, kind)
	}
	c, err := config(bytes.NewReader(m.Data))
	if err != nil {
		return nil, fmt.Errorf("%w: %s of %d bytes: %v", ErrImage, kind, len(m.Data), err)
	}
	if err := checkSize(int64(c.Width), int64(c.Height)); err != nil {
		return nil, err
	}
	img, err := decode(bytes.NewReader(m.Data))
	if err != nil {
		return nil, fmt.Errorf("%w: %s of %d bytes: %v", ErrImage, kind, len(m.Data), err)
	}
	return img, nil
}

// NewImage returns img as an rgb8 message, step 3 x width; mono8 for *image.Gray.
func NewImage(header Header, img image.Image) *Image {
	r := img.Bounds()
	w, h := r.Dx(), r.Dy()
	m := &Image{Header: header, Width: uint32(w), Height: uint32(h), Encoding: RGB8, Step: uint32(3 * w)}
	if gray, ok := img.(*image.Gray); ok {
		m.Encoding, m.Step = Mono8, uint32(w)
		m.Data = make([]byte, 0, w*h)
		for y := range h {
			m.Data = append(m.Data, gray.Pix[y*gray.Stride:][:w]...)
		}
		return m
	}
	rgba, ok := img.(*image.RGBA)
	if !ok {
		rgba = image.NewRGBA(image.Rect(0, 0, w, h))
		draw.Draw(rgba, rgba.Rect, img, r.Min, draw.Src)
	}
	m.Data = make([]byte, 3*w*h)
	dst := m.Data
	for y := range h {
		for src := rgba.Pix[y*rgba.Stride:][:4*w]; len(src) >= 4; src = src[4:] {
			dst[0], dst[1], dst[2] = src[0], src[1], src[2]
			dst = dst[3:]
		}
	}
	return m
}

// NewJPEG returns img as a JPEG message; quality is 1 to 100.
func NewJPEG(header Header, img image.Image, quality int) (*CompressedImage, error) {
	var b bytes.Buffer
	if err := jpeg.Encode(&b, img, &jpeg.Options{Quality: quality}); err != nil {
		return nil, fmt.Errorf("encode jpeg: %w", err)
	}
	return &CompressedImage{Header: header, Format: "jpeg", Data: b.Bytes()}, nil
}

// NewPNG returns img as a PNG message: lossless, and slower.
func NewPNG(header Header, img image.Image) (*CompressedImage, error) {
	var b bytes.Buffer
	if err := png.Encode(&b, img); err != nil {
		return nil, fmt.Errorf("encode png: %w", err)
	}
	return &CompressedImage{Header: header, Format: "png", Data: b.Bytes()}, nil
}
