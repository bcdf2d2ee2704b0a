package pixels

import (
	"fmt"
	"strings"

	"gocv.io/x/gocv"
)

// Compressed is an image as sensor_msgs/CompressedImage carries it.
type Compressed struct {
	// Format is "jpeg", "png", or image_transport's longer form: "ENCODING; jpeg compressed bgr8",
	// where ENCODING is that of the raw image. The bytes themselves say what they are; a Format must
	// not contradict them. Empty for a file.
	Format string
	Bits   int // of 16 that a PNG's samples use (Camera.Bits)
	Data   []byte
}

// MaxFileBytes bounds the file of an image.
const MaxFileBytes = 256 << 20

// Decode reads a PNG or JPEG.
func Decode(data []byte) (RGB, error) { return Compressed{Data: data}.RGB() }

// Check returns what of RGB's errors the header and the end of the file tell, without decoding the
// pixels.
func (c Compressed) Check() error {
	_, err := c.header()
	return err
}

func (c Compressed) header() (header, error) {
	h, err := readHeader(c.Data)
	if err != nil && c.Format != "" {
		err = fmt.Errorf("%w, in format %q", err, c.Format)
	}
	if err != nil {
		return header{}, err
	}
	if f := strings.ReplaceAll(strings.ToLower(c.Format), "jpg", "jpeg"); f != "" &&
		!strings.Contains(f, h.format) {
		return header{}, fmt.Errorf("%w: format %q, but the data is %s", ErrImage, c.Format, h.format)
	}
	return h, nil
}

// RGB decodes the image. Where image_transport compressed a Bayer camera's
// mosaic as a grey image, the colours are restored.
func (c Compressed) RGB() (RGB, error) {
	h, err := c.header()
	if err != nil {
		return RGB{}, err
	}
	flags, convert := gocv.IMReadColor, gocv.ColorBGRToRGB
	raw, _, _ := strings.Cut(c.Format, ";")
	if e := encodings[strings.TrimSpace(raw)]; h.grey && e.colour == mosaic &&
		e.fits(h.width, h.height) {
		flags, convert = gocv.IMReadGrayScale, e.toRGB
	}
	if c.Bits != 0 {
		flags |= gocv.IMReadAnyDepth // or OpenCV takes the high byte
	}
	m, err := gocv.IMDecode(c.Data, flags|gocv.IMReadIgnoreOrientation)
	if err != nil {
		return RGB{}, fmt.Errorf("%w: decode %s: %w", ErrImage, h.format, err)
	}
	defer m.Close()
	if c.Bits != 0 {
		narrow(&m, c.Bits)
	}
	// OpenCV's answer to what it cannot read is an empty Mat
	if m.Cols() != h.width || m.Rows() != h.height {
		return RGB{}, fmt.Errorf("%w: decode %s of %dx%d pixels: the data is damaged", ErrImage, h.format,
			h.width, h.height)
	}
	return into(h.width, h.height, func(dst *gocv.Mat) { gocv.CvtColor(m, dst, convert) })
}

// narrow makes 8 bits of samples of 16, of which the lower ones are used.
func narrow(m *gocv.Mat, bits int) {
	if m.Type() == gocv.MatTypeCV16UC1 || m.Type() == gocv.MatTypeCV16UC3 {
		scale := 1 / float32(int(1)<<(bits-8))
		m.ConvertToWithParams(m, gocv.MatTypeCV8U, scale, scale/2-0.5) // rounded down, as raw ones are
	}
}
