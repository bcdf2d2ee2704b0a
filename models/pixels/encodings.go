package pixels

import (
	"maps"
	"slices"
	"strings"

	"gocv.io/x/gocv"
)

// encoding is how the pixels of a raw image lie in memory.
type encoding struct {
	channels int // samples of a pixel
	bytes    int // of a sample
	colour   colour
	toRGB    gocv.ColorConversionCode
}

// colour is where a pixel has its colour from.
type colour int

const (
	own    colour = iota // its own samples
	mosaic               // the pixels around it: a Bayer filter let one colour through to each
	pairs                // shared by two neighbours in a row (4:2:2)
	quads                // shared by 2x2 pixels, in a plane of its own behind the brightness (4:2:0)
)

// Conversions that gocv has no name for; exchanging red and blue is the same both
// ways. ROS 2 names a Bayer pattern by its first two rows, OpenCV by the second and
// third pixels of its second row: rggb is OpenCV's BG to RGB, which is its RG to BGR.
const (
	asIs      gocv.ColorConversionCode = -1
	dropAlpha                          = gocv.ColorBGRAToBGR
	bgraToRGB                          = gocv.ColorRGBAToBGR
	bayerRGGB                          = gocv.ColorBayerRGToBGR
	bayerBGGR                          = gocv.ColorBayerBGToBGR
	bayerGBRG                          = gocv.ColorBayerGBToBGR
	bayerGRBG                          = gocv.ColorBayerGRToBGR
)

// encodings by their names in sensor_msgs/image_encodings.hpp. OpenCV's own
// names (8UC3) stand for blue, green, red, as in cv_bridge. To add one, add a line.
var encodings = map[string]encoding{
	"rgb8":  {3, 1, own, asIs},
	"rgb16": {3, 2, own, asIs},
	"bgr8":  {3, 1, own, gocv.ColorBGRToRGB},
	"bgr16": {3, 2, own, gocv.ColorBGRToRGB},
	"8UC3":  {3, 1, own, gocv.ColorBGRToRGB},
	"16UC3": {3, 2, own, gocv.ColorBGRToRGB},

	"rgba8":  {4, 1, own, dropAlpha},
	"rgba16": {4, 2, own, dropAlpha},
	"bgra8":  {4, 1, own, bgraToRGB},
	"bgra16": {4, 2, own, bgraToRGB},
	"8UC4":   {4, 1, own, bgraToRGB},
	"16UC4":  {4, 2, own, bgraToRGB},

	"mono8":  {1, 1, own, gocv.ColorGrayToBGR},
	"mono16": {1, 2, own, gocv.ColorGrayToBGR},
	"8UC1":   {1, 1, own, gocv.ColorGrayToBGR},
	"16UC1":  {1, 2, own, gocv.ColorGrayToBGR},

	"bayer_rggb8":  {1, 1, mosaic, bayerRGGB},
	"bayer_rggb16": {1, 2, mosaic, bayerRGGB},
	"bayer_bggr8":  {1, 1, mosaic, bayerBGGR},
	"bayer_bggr16": {1, 2, mosaic, bayerBGGR},
	"bayer_gbrg8":  {1, 1, mosaic, bayerGBRG},
	"bayer_gbrg16": {1, 2, mosaic, bayerGBRG},
	"bayer_grbg8":  {1, 1, mosaic, bayerGRBG},
	"bayer_grbg16": {1, 2, mosaic, bayerGRBG},

	"yuv422":      {2, 1, pairs, gocv.ColorYUVToRGBUYVY},
	"uyvy":        {2, 1, pairs, gocv.ColorYUVToRGBUYVY},
	"yuv422_yuy2": {2, 1, pairs, gocv.ColorYUVToRGBYUY2},
	"yuyv":        {2, 1, pairs, gocv.ColorYUVToRGBYUY2},

	"nv12": {1, 1, quads, gocv.ColorYUVToRGBNV12},
	"nv21": {1, 1, quads, gocv.ColorYUVToRGBNV21},
}

// supported lists the encodings for those whose camera has another.
func supported() string { return strings.Join(slices.Sorted(maps.Keys(encodings)), ", ") }

// row is the bytes of a row of samples.
func (e encoding) row(width int) int { return width * e.channels * e.bytes }

// rows is how many rows of samples an image of so many rows of pixels has.
func (e encoding) rows(height int) int {
	if e.colour == quads {
		return height + height/2
	}
	return height
}

// fits reports whether an image of this size can be: colours that pixels share
// must come out even, and those taken from neighbours need some.
func (e encoding) fits(width, height int) bool {
	switch e.colour {
	case mosaic:
		return width > 2 && height > 2
	case pairs:
		return width%2 == 0
	case quads:
		return width%2 == 0 && height%2 == 0
	}
	return true
}
