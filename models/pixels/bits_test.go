package pixels_test

import (
	"image"
	"image/color"
	"testing"

	"stripswm/models/pixels"
)

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
