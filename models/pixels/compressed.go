package pixels

import (
	"fmt"
	"strings"

	"gocv.io/x/gocv"
)

// Compressed is a picture as sensor_msgs/CompressedImage carries it.
type Compressed struct {
	// Format is "jpeg", "png", or image_transport's longer form: "ENCODING; jpeg compressed bgr8", where ENCODING is
	// that of the raw picture. The bytes themselves say what they are; a Format must not contradict them. Empty for a file.
	Format string
	Data   []byte
}

// Decode reads a PNG or JPEG.
func Decode(data []byte) (RGB, error) { return Compressed{Data: data}.RGB() }

// Check returns what of RGB's errors the header and the end of the file tell, without decoding the pixels.
func (c Compressed) Check() error {
	_, err := c.header()
	return err
}

func (c Compressed) header() (header, error) {
	h, err := readHeader(c.Data)
	if err != nil {
		return header{}, err
	}
	if f := strings.ReplaceAll(strings.ToLower(c.Format), "jpg", "jpeg"); f != "" && !strings.Contains(f, h.format) {
		return header{}, fmt.Errorf("%w: format %q, but the data is %s", ErrImage, c.Format, h.format)
	}
	return h, nil
}

// RGB decodes the picture. Where image_transport compressed a Bayer camera's
// mosaic as a grey picture, the colours are restored.
func (c Compressed) RGB() (RGB, error) {
	h, err := c.header()
	if err != nil {
		return RGB{}, err
	}
	flags, convert := gocv.IMReadColor, gocv.ColorBGRToRGB
	raw, _, _ := strings.Cut(c.Format, ";")
	if e := encodings[strings.TrimSpace(raw)]; h.grey && e.colour == mosaic && e.fits(h.width, h.height) {
		flags, convert = gocv.IMReadGrayScale, e.toRGB
	}
	m, err := gocv.IMDecode(c.Data, flags|gocv.IMReadIgnoreOrientation)
	if err != nil {
		return RGB{}, fmt.Errorf("%w: decode %s: %w", ErrImage, h.format, err)
	}
	defer m.Close()
	if m.Cols() != h.width || m.Rows() != h.height { // OpenCV's answer to what it cannot read is an empty Mat
		return RGB{}, fmt.Errorf("%w: decode %s of %dx%d pixels: the data is damaged", ErrImage, h.format, h.width, h.height)
	}
	return into(h.width, h.height, func(dst *gocv.Mat) { gocv.CvtColor(m, dst, convert) })
}
