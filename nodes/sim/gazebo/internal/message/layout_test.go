package message

import (
	"errors"
	"testing"

	"stripswm/nodes/sim/gazebo"
)

var layouts = map[string]Layout{"classic": Classic, "gz": Gz}

func TestBodies(t *testing.T) {
	want := gazebo.Body{Name: "body_07", Position: [3]float64{0, -1.5, 1e-9}, Orientation: [4]float64{
		0.5, -0.5, 0.5, 0.5}}
	for name, l := range layouts {
		if got, err := l.Body(l.AppendBody(nil, want)); err != nil || got != want {
			t.Errorf("%s: %+v, %v; want %+v", name, got, err, want)
		}
	}
}

func TestImages(t *testing.T) {
	image := func(l Layout, width, height, format, step, bytes uint64) []byte {
		b := Varint(Varint(Varint(nil, l.width, width), l.height, height), l.format, format)
		return Bytes(Varint(b, l.step, step), l.data, make([]byte, bytes))
	}
	for name, l := range layouts {
		var p gazebo.Image
		if err := l.Image(image(l, 3, 2, RGB8, 9, 18), &p); err != nil || p.Width != 3 || p.Height != 2 ||
			len(p.RGB) != 18 {
			t.Errorf("%s: %+v, %v", name, p, err)
		}
		for what, bad := range map[string][]byte{
			"grey": image(l, 3, 2, 1, 3, 6), "short": image(l, 3, 2, RGB8, 9, 17),
			"padded": image(l, 3, 2, RGB8, 12, 24), "none": nil,
			"huge": image(l, 1<<40, 1<<40, RGB8, 3<<40, 0), "wide": image(l, 1<<62, 4, RGB8, 3<<62, 0),
			"empty": image(l, 3, 0, RGB8, 9, 0),
		} {
			if err := l.Image(bad, &p); !errors.Is(err, ErrWire) {
				t.Errorf("%s, %s: %v", name, what, err)
			}
		}
	}
}

// FuzzLayouts reads whatever may come for a body or an image.
func FuzzLayouts(f *testing.F) {
	for _, l := range layouts {
		f.Add(l.AppendBody(nil, gazebo.Body{Name: "body_00", Orientation: [4]float64{0, 0, 0, 1}}))
		f.Add(l.AppendImage(nil, gazebo.Image{Width: 2, Height: 1, RGB: make([]byte, 6)}))
	}
	f.Add([]byte{0xff, 0xff, 0xff, 0xff, 0x0f})
	f.Fuzz(func(t *testing.T, data []byte) {
		Time(data)
		for name, l := range layouts {
			l.Body(data)
			var p gazebo.Image
			if err := l.Image(data, &p); err == nil && len(p.RGB) != 3*p.Width*p.Height {
				t.Errorf("%s: an image of %dx%d pixels with %d bytes", name, p.Width, p.Height, len(p.RGB))
			}
		}
	})
}
