package gazebo

import (
	"errors"
	"testing"
)

func TestBodies(t *testing.T) {
	want := Body{Name: "body_07", Position: [3]float64{0, -1.5, 1e-9},
		Orientation: [4]float64{0.5, -0.5, 0.5, 0.5}}
	if got, err := parseBody(appendBody(nil, want)); err != nil || got != want {
		t.Errorf("%+v, %v; want %+v", got, err, want)
	}
}

func TestImages(t *testing.T) {
	image := func(width, height, format, step, bytes uint64) []byte {
		b := appendVarint(appendVarint(nil, 1, width), 2, height)
		b = appendVarint(appendVarint(b, 3, format), 4, step)
		return appendBytes(b, 5, make([]byte, bytes))
	}
	var p Image
	if err := parsePixels(image(3, 2, rgb8, 9, 18), &p); err != nil || p.Width != 3 ||
		p.Height != 2 || len(p.RGB) != 18 {
		t.Errorf("%+v, %v", p, err)
	}
	for what, bad := range map[string][]byte{
		"grey": image(3, 2, 1, 3, 6), "short": image(3, 2, rgb8, 9, 17),
		"padded": image(3, 2, rgb8, 12, 24), "none": nil,
		"huge": image(1<<40, 1<<40, rgb8, 3<<40, 0), "wide": image(1<<62, 4, rgb8, 3<<62, 0),
		"empty": image(3, 0, rgb8, 9, 0),
	} {
		if err := parsePixels(bad, &p); !errors.Is(err, errWire) {
			t.Errorf("%s: %v", what, err)
		}
	}
}
