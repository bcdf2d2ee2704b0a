package pixels_test

import (
	"errors"
	"fmt"
	"image"
	"image/color"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"

	"stripswm/models/pixels"
)

// Two colours, side by side: every channel differs from every other.
var (
	left  = [3]uint8{220, 120, 30}
	right = [3]uint8{40, 90, 200}
)

func colour(x, width int) [3]uint8 {
	if x < width/2 {
		return left
	}
	return right
}

// brightness is BT.601's limited range, which cameras mean by YUV.
func brightness(c [3]uint8) (y, u, v uint8) {
	r, g, b := float64(c[0])/255, float64(c[1])/255, float64(c[2])/255
	luma := 0.299*r + 0.587*g + 0.114*b
	return uint8(16.5 + 219*luma), uint8(128.5 + 224*(b-luma)/1.772), uint8(128.5 + 224*(r-luma)/1.402)
}

// A layout writes the samples of one row of the image.
type layout func(y, width int) []uint8

// channels writes whole pixels, such as "bgra".
func channels(order string) layout {
	return func(_, width int) (row []uint8) {
		for x := range width {
			for _, c := range order {
				all := map[rune]uint8{'r': colour(x, width)[0], 'g': colour(x, width)[1],
					'b': colour(x, width)[2], 'a': 7, 'm': colour(x, width)[1]}
				row = append(row, all[c])
			}
		}
		return row
	}
}

// filtered writes of each pixel the one colour that the filter lets through:
// the pattern's first two letters are the first row.
func filtered(pattern string) layout {
	return func(y, width int) (row []uint8) {
		for x := range width {
			row = append(row, colour(x, width)[strings.IndexByte("rgb", pattern[y%2*2+x%2])])
		}
		return row
	}
}

// interleaved writes two pixels in four bytes, such as "uyvy".
func interleaved(order string) layout {
	return func(_, width int) (row []uint8) {
		for x := 0; x < width; x += 2 {
			y, u, v := brightness(colour(x, width))
			for _, c := range order {
				row = append(row, map[rune]uint8{'y': y, 'u': u, 'v': v}[c])
			}
		}
		return row
	}
}

// planar writes the brightness of all rows of pixels, then the colours, such as "uv".
func planar(order string, height int) layout {
	return func(row, width int) (out []uint8) {
		for x := range width {
			y, u, v := brightness(colour(x, width))
			switch {
			case row < height:
				out = append(out, y)
			case order[x%2] == 'u':
				out = append(out, u)
			default:
				out = append(out, v)
			}
		}
		return out
	}
}

// raw is the image in an encoding, with rows longer than they need be.
func raw(encoding string, rows int, row layout, wide, bigEndian bool) pixels.Raw {
	const padding = 6
	r := pixels.Raw{Encoding: encoding, Width: 16, Height: 12, BigEndian: bigEndian}
	for y := range rows {
		for _, sample := range row(y, r.Width) {
			switch low := uint8(255); {
			case !wide:
				r.Data = append(r.Data, sample)
			case bigEndian:
				r.Data = append(r.Data, sample, low)
			default:
				r.Data = append(r.Data, low, sample)
			}
		}
		r.Data = append(r.Data, make([]byte, padding)...)
	}
	r.Step = len(r.Data) / rows
	return r
}

// rawImages is the image in every encoding.
func rawImages() map[string]pixels.Raw {
	all := map[string]pixels.Raw{}
	add := func(row layout, eight, sixteen string) {
		all[eight] = raw(eight, 12, row, false, false)
		if sixteen != "" {
			all[sixteen] = raw(sixteen, 12, row, true, len(sixteen)%2 == 0)
		}
	}
	for _, order := range []string{"rgb", "bgr", "rgba", "bgra"} {
		add(channels(order), order+"8", order+"16")
	}
	for _, pattern := range []string{"rggb", "bggr", "gbrg", "grbg"} {
		add(filtered(pattern), "bayer_"+pattern+"8", "bayer_"+pattern+"16")
	}
	add(channels("m"), "mono8", "mono16")
	add(channels("m"), "8UC1", "16UC1")
	add(channels("bgr"), "8UC3", "16UC3")
	add(channels("bgra"), "8UC4", "16UC4")
	for name, order := range map[string]string{"yuv422": "uyvy", "uyvy": "uyvy", "yuv422_yuy2": "yuyv",
		"yuyv": "yuyv"} {
		add(interleaved(order), name, "")
	}
	all["nv12"] = raw("nv12", 18, planar("uv", 12), false, false)
	all["nv21"] = raw("nv21", 18, planar("vu", 12), false, false)
	return all
}

func TestEveryEncodingGivesItsColoursBack(t *testing.T) {
	for name, r := range rawImages() {
		want := map[int][3]uint8{3: left, 12: right}
		if strings.HasPrefix(name, "mono") || strings.HasSuffix(name, "C1") {
			want = map[int][3]uint8{3: {left[1], left[1], left[1]}, 12: {right[1], right[1], right[1]}}
		}
		tolerance := 0.0
		if strings.Contains("yuv422_yuy2 uyvy yuyv nv12 nv21", name) {
			tolerance = 3
		}
		p, err := r.RGB()
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		for x, c := range want {
			for y := range p.Height {
				got := at(p, x, y)
				for i := range c {
					if math.Abs(float64(got[i])-float64(c[i])) > tolerance {
						t.Fatalf("%s: pixel %d,%d is %v, want %v", name, x, y, got, c)
					}
				}
			}
		}
	}
}

// TestErrorsListWhatIsSupported also holds the tests against the table: an
// encoding that is added is to be tested.
func TestErrorsListWhatIsSupported(t *testing.T) {
	_, err := pixels.Raw{Encoding: "32FC1", Width: 1, Height: 1, Step: 4, Data: make([]byte, 4)}.RGB()
	want := `"32FC1" is not one of ` + strings.Join(slices.Sorted(maps.Keys(rawImages())), ", ")
	if !errors.Is(err, pixels.ErrImage) || !strings.Contains(fmt.Sprint(err), want) {
		t.Errorf("got  %v\nwant %s", err, want)
	}
}

func TestUnusableRawImages(t *testing.T) {
	whole := pixels.Raw{Encoding: "rgb8", Width: 4, Height: 4, Step: 12, Data: make([]byte, 48)}
	tests := []struct {
		name    string
		corrupt func(*pixels.Raw)
		want    string
	}{
		{"no width", func(r *pixels.Raw) { r.Width = 0 }, "0x4 pixels"},
		{"negative height", func(r *pixels.Raw) { r.Height = -4 }, "4x-4 pixels"},
		{"huge", func(r *pixels.Raw) { r.Width, r.Height = 1<<31, 1<<31 }, "at most"},
		{"many pixels", func(r *pixels.Raw) { r.Width, r.Height = 1<<15, 1<<15 }, "at most"},
		{"short rows", func(r *pixels.Raw) { r.Step = 11 }, "step of 11 bytes"},
		{"negative step", func(r *pixels.Raw) { r.Step = -12 }, "step of -12 bytes"},
		{"missing row", func(r *pixels.Raw) { r.Data = r.Data[:36] }, "36 bytes of pixels"},
		{"more than rows", func(r *pixels.Raw) { r.Data = append(r.Data[:48:48], 1) },
			"49 bytes of pixels"},
		{"no data", func(r *pixels.Raw) { r.Data = nil }, "0 bytes of pixels"},
		{"8 bits for 16", func(r *pixels.Raw) { r.Encoding = "rgb16" }, "step of 12 bytes"},
		{"one plane of two", func(r *pixels.Raw) { r.Encoding = "nv12" }, "48 bytes of pixels, 6 rows"},
		{"odd width", func(r *pixels.Raw) { r.Encoding, r.Width = "yuyv", 3 }, "cannot have 3x4"},
		{"odd height", func(r *pixels.Raw) { r.Encoding, r.Height = "nv21", 3 }, "cannot have 4x3"},
		{"no neighbours", func(r *pixels.Raw) { r.Encoding, r.Width = "bayer_rggb8", 2 },
			"cannot have 2x4"},
		{"no encoding", func(r *pixels.Raw) { r.Encoding = "" }, `encoding ""`},
	}
	for _, tt := range tests {
		r := whole
		tt.corrupt(&r)
		if _, err := r.RGB(); !errors.Is(err, pixels.ErrImage) ||
			!strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v", tt.name, err)
		}
		if r.Check() == nil {
			t.Errorf("%s: no error without converting", tt.name)
		}
	}
}

func FuzzRaw(f *testing.F) {
	for name, r := range rawImages() {
		f.Add(name, r.Width, r.Height, r.Step, r.BigEndian, r.Data)
	}
	f.Add("bayer_gbrg8", 3, 3, 3, false, make([]byte, 9))
	f.Add("nv12", 2, 2, 2, false, make([]byte, 6))
	f.Fuzz(func(t *testing.T, name string, width, height, step int, bigEndian bool, data []byte) {
		r := pixels.Raw{Encoding: name, Width: width, Height: height, Step: step, BigEndian: bigEndian,
			Data: data}
		p, err := r.RGB()
		if err == nil && (p.Width != width || p.Height != height || len(p.Pix) != 3*width*height) {
			t.Errorf("%dx%d became %dx%d with %d bytes", width, height, p.Width, p.Height, len(p.Pix))
		}
		if (err == nil) != (r.Check() == nil) {
			t.Errorf("Check says %v, RGB %v", r.Check(), err)
		}
	})
}

// TestBits has a ramp of a camera of 12 bits, as it lies in 16: raw, and in a PNG.
func TestBits(t *testing.T) {
	const width = 4096
	file := image.NewGray16(image.Rect(0, 0, width, 1))
	little := pixels.Raw{Encoding: "mono16", Width: width, Height: 1, Step: 2 * width, Bits: 12}
	big := pixels.Raw{Encoding: "16UC1", Width: width, Height: 1, Step: 2 * width, Bits: 12,
		BigEndian: true}
	for x := range width {
		file.SetGray16(x, 0, color.Gray16{Y: uint16(x)})
		little.Data = append(little.Data, uint8(x), uint8(x>>8))
		big.Data = append(big.Data, uint8(x>>8), uint8(x))
	}
	for name, read := range map[string]func() (pixels.RGB, error){
		"little endian": little.RGB, "big endian": big.RGB, "png": pixels.Compressed{Bits: 12,
			Data: encodePNG(t, file)}.RGB,
	} {
		p, err := read()
		if err != nil {
			t.Fatal(err)
		}
		for x := range width {
			if want := uint8(x >> 4); at(p, x, 0) != [3]uint8{want, want, want} {
				t.Fatalf("%s: %d is %v, want %d", name, x, at(p, x, 0), want)
			}
		}
	}
	if little.Used() != 12 || big.Used() != 12 ||
		(pixels.Raw{Encoding: "mono8", Width: 1, Height: 1, Step: 1, Data: []byte{255}}).Used() != 0 {
		t.Errorf("%d and %d bits used", little.Used(), big.Used())
	}
	little.Bits = 10
	if p, err := little.RGB(); err != nil || at(p, 1023, 0)[0] != 255 || at(p, 1024, 0)[0] != 255 ||
		at(p, 500, 0)[0] != 125 {
		t.Errorf("what is brighter than 10 bits is not white: %v", err)
	}
	if p, err := (pixels.Compressed{Bits: 12,
		Data: encodePNG(t, checkers(8, 8, 4))}).RGB(); err != nil || at(p, 0, 0) != [3]uint8{200, 0, 0} {
		t.Errorf("8 bits stay as they are: %v, %v", at(p, 0, 0), err)
	}
}
