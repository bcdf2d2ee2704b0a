package align_test

import (
	"bytes"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"stripswm/models/align"
	"stripswm/models/pixels"
)

// camera sees a table with a pattern, and two boxes that stand on one of four places each.
type camera struct {
	shiftX, shiftY float64 // of what is seen, in shares of the width
	turn           float64 // degrees
	zoom           float64
	light          [3]float64
	plain          bool // the table has no pattern, and nothing stands on it
	// lamp, if there is one beside other light, is by how much it is brighter. A corner is in shadow.
	lamp float64
	dim  float64 // what somebody beside the table takes of the light in one corner
}

var still = camera{light: [3]float64{1, 1, 1}}

const width, height = 320, 240

// image takes one. Equal numbers give equal places of boxes and equal noise.
func (c camera) image(number uint64) pixels.RGB {
	rng := rand.New(rand.NewPCG(number, 0))
	places := rng.Perm(4)
	p := pixels.RGB{Width: width, Height: height}
	sin, cos := math.Sincos(c.turn * math.Pi / 180)
	for j := range height {
		for i := range width {
			// In half widths, from the middle; where that was before the camera moved.
			u := 2*(float64(i)+0.5)/width - 1 - 2*c.shiftX
			v := 2*(float64(j)+0.5-height/2)/width - 2*c.shiftY
			x, y := (cos*u+sin*v)/(1+c.zoom), (cos*v-sin*u)/(1+c.zoom)
			grey := 130.0
			if !c.plain {
				grey += 25*math.Sin(19*x+5*y) + 20*math.Sin(23*y-7*x+1) + 10*math.Sin(41*x*y+17*y)
			}
			colour := [3]float64{grey, grey * 0.9, grey * 0.7}
			for k, box := range [][3]float64{{200, 40, 40}, {40, 60, 200}} {
				at := -0.6 + 0.4*float64(places[k])
				if !c.plain && math.Abs(x-at) < 0.1 && math.Abs(y) < 0.15 {
					colour = box
				}
			}
			shade := 1.0
			if c.lamp != 0 && (x > -0.2 || y < 0.2) {
				shade = 0.5 + 0.5*c.lamp
			} else if c.lamp != 0 {
				shade = 0.5
			}
			shade *= 1 - c.dim*math.Exp(-((x+1)*(x+1)+(y+1)*(y+1))/0.5)
			for ch, v := range colour {
				v = v*c.light[ch]*shade + 2*rng.NormFloat64()
				p.Pix = append(p.Pix, uint8(min(max(math.Round(v), 0), 255)))
			}
		}
	}
	return p
}

var frame = pixels.Frame{Side: 64, Fit: pixels.Letterbox}

// learned is a Reference of recorded images, and how networks of 64 pixels see by it.
func learned(t testing.TB, c camera) align.Frame {
	t.Helper()
	return recorded(t, 24, func(uint64) camera { return c })
}

// recorded is the same of so many images, each of a camera of its own.
func recorded(t testing.TB, images int, of func(number uint64) camera) align.Frame {
	t.Helper()
	large := frame
	large.Side = 128
	var all [][]uint8
	for i := range uint64(images) {
		img, err := large.Of(of(i).image(i))
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, img.Pix)
	}
	r, err := align.Learn(all, large.Side)
	if err != nil {
		t.Fatal(err)
	}
	return align.Frame{Frame: frame, Reference: r}
}

// TestChangeIsTakenOut compares images of a camera that was bumped, or in other light, with images
// of the same table by the camera of the recording.
func TestChangeIsTakenOut(t *testing.T) {
	f := learned(t, still)
	lit := func(light ...float64) (c camera) {
		copy(c.light[:], light)
		return c
	}
	for name, c := range map[string]camera{
		"as it was":               still,
		"a pixel":                 {shiftX: 1. / 320, light: still.light},
		"five pixels up and left": {shiftX: -4. / 320, shiftY: -3. / 320, light: still.light},
		"5 % of the width":        {shiftX: 0.04, shiftY: 0.03, light: still.light},
		"turned by 3 degrees":     {turn: 3, light: still.light},
		"3 % nearer":              {zoom: 0.03, light: still.light},
		"3 % farther":             {zoom: -0.03, light: still.light},
		"all at once":             {shiftX: 0.02, shiftY: 0.02, turn: -2, zoom: 0.02, light: still.light},
		"dark":                    lit(0.6, 0.6, 0.6),
		"bright, and clipped":     lit(1.4, 1.4, 1.4),
		"warm":                    lit(1.15, 1, 0.85),
		"moved in the dark":       {shiftX: 0.02, turn: 1, light: [3]float64{0.7, 0.7, 0.7}},
	} {
		seen, change, err := f.Of(c.image(100))
		if err != nil {
			t.Fatal(err)
		}
		x, y := change.Shift()
		if math.Hypot(x-c.shiftX, y-c.shiftY) > 0.001 || math.Abs(change.Turn()-c.turn) > 0.1 ||
			math.Abs(change.Zoom()-c.zoom) > 0.002 || change.Beyond() {
			t.Errorf("%s: %s", name, change.Words())
		}
		want, err := frame.Of(still.image(100))
		if err != nil {
			t.Fatal(err)
		}
		if c == still && (change.Moved() || change.Lit() || !slices.Equal(seen.Pix, want.Pix)) {
			t.Errorf("%s: an image that shows no change was changed", name)
		}
		off := 0.0
		for i, v := range seen.Pix {
			off += math.Abs(float64(v) - float64(want.Pix[i]))
		}
		if off /= float64(len(seen.Pix)); off > 2 {
			t.Errorf("%s: %.1f grey levels off on average", name, off)
		}
	}
}

// TestLampBesideOtherLight: where its light does not come, what a lamp does changes nothing.
func TestLampBesideOtherLight(t *testing.T) {
	lamp := func(by float64) camera { return camera{light: still.light, lamp: by} }
	f := learned(t, lamp(1))
	want, err := frame.Of(lamp(1).image(100))
	if err != nil {
		t.Fatal(err)
	}
	for _, by := range []float64{0.5, 0.75, 1.4} {
		for shift := range 2 {
			c := lamp(by)
			c.shiftX = 0.02 * float64(shift)
			seen, _, err := f.Of(c.image(100))
			if err != nil {
				t.Fatal(err)
			}
			var off, n [2]float64 // in the light and in the shadow
			for i, v := range seen.Pix {
				x, y := 2*(float64(i/3%64)+0.5)/64-1, 2*(float64(i/3/64)+0.5)/64-1
				if math.Abs(y) > 0.7 || math.Abs(x) > 0.9 {
					continue
				}
				k := 0
				if x < -0.2 && y > 0.2 {
					k = 1
				}
				off[k], n[k] = off[k]+math.Abs(float64(v)-float64(want.Pix[i])), n[k]+1
			}
			if off[0]/n[0] > 2 || off[1]/n[1] > 2 {
				t.Errorf("lamp x%g, moved by %g: %.1f grey levels off in the light, %.1f in the shadow", by,
					c.shiftX, off[0]/n[0], off[1]/n[1])
			}
		}
	}
}

// TestSoftShadow: somebody stands beside the table, where all of the light was not steady either.
func TestSoftShadow(t *testing.T) {
	f := recorded(t, 24, func(number uint64) camera {
		by := 0.9 + 0.05*float64(number%5)
		return camera{light: [3]float64{by, by, by}}
	})
	want, err := frame.Of(still.image(100))
	if err != nil {
		t.Fatal(err)
	}
	for _, dim := range []float64{0.2, 0.4} {
		seen, change, err := f.Of(camera{light: still.light, dim: dim}.image(100))
		if err != nil {
			t.Fatal(err)
		}
		most := 0.0
		for i, v := range seen.Pix { // the corner is at (0, 8) of 64
			if x, y := float64(i/3%64), float64(i/3/64)-8; y >= 2 && math.Hypot(x, y) < 24 {
				most = max(most, math.Abs(float64(v)-float64(want.Pix[i])))
			}
		}
		if most > 20 || !change.Lit() {
			t.Errorf("a shadow of %g: %.0f grey levels off, another light %t", dim, most, change.Lit())
		}
	}
}

// TestUncertainIsLeft: what is moved too far, and what has nothing to tell a movement by, is as
// pixels.Frame.Of makes it.
func TestUncertainIsLeft(t *testing.T) {
	plain := still
	plain.plain = true
	for name, c := range map[string]struct {
		recorded, seen camera
		beyond         bool
	}{
		"17 % of the width":       {still, camera{shiftX: 0.12, shiftY: 0.12, light: still.light}, true},
		"too far to be found":     {still, camera{shiftX: 0.155, light: still.light}, false},
		"8 degrees":               {still, camera{turn: 8, light: still.light}, true},
		"a table without pattern": {plain, camera{shiftX: 0.02, plain: true, light: still.light}, false},
		"another table":           {still, plain, false},
	} {
		f := learned(t, c.recorded)
		img := c.seen.image(100)
		seen, change, err := f.Of(img)
		if err != nil {
			t.Fatal(err)
		}
		want, err := frame.Of(img)
		if err != nil {
			t.Fatal(err)
		}
		if change.Beyond() != c.beyond || !slices.Equal(seen.Pix, want.Pix) {
			t.Errorf("%s: beyond what is corrected %t, changed %t: %s", name, change.Beyond(),
				!slices.Equal(seen.Pix, want.Pix), change.Words())
		}
	}
}

// TestCameraThatShakes: each image of a camera that shook while it recorded is moved back, and the
// camera was bumped only where it is farther off than that.
func TestCameraThatShakes(t *testing.T) {
	shaken := recorded(t, 40, func(number uint64) camera {
		c := still
		c.shiftX = 0.005 * (2*rand.New(rand.NewPCG(number, 1)).Float64() - 1)
		return c
	})
	want, err := frame.Of(still.image(100))
	if err != nil {
		t.Fatal(err)
	}
	for _, shift := range []float64{0.004, 0.01, 0.03} {
		moved := camera{shiftX: shift, light: still.light}.image(100)
		off := func(f align.Frame) (sum float64, bumped bool) {
			seen, change, err := f.Of(moved)
			if err != nil {
				t.Fatal(err)
			}
			for i, v := range seen.Pix {
				sum += math.Abs(float64(v) - float64(want.Pix[i]))
			}
			return sum, change.Bumped()
		}
		without, _ := off(align.Frame{Frame: frame})
		with, bumped := off(shaken)
		if with > without/2 || bumped != (shift > 0.005) {
			t.Errorf("moved by %g: %.0f grey levels off, %.0f as it is; bumped %t", shift, with, without,
				bumped)
		}
	}
}

// TestShows: where an image was moved back from, the camera sees nothing.
func TestShows(t *testing.T) {
	f := learned(t, still)
	moved := camera{shiftX: 0.03, light: still.light}.image(100)
	_, change, err := f.Of(moved)
	if err != nil {
		t.Fatal(err)
	}
	shown := f.Shows(change, width, height)
	for i, is := range shown {
		x, y := i%f.Side, i/f.Side
		switch bar := f.Side / 8; { // of the letterbox
		case y < bar || y >= f.Side-bar:
		case x >= f.Side-1 && is, x > 2 && x < f.Side-3 && y > bar && y < f.Side-bar-1 && !is:
			t.Errorf("the camera sees pixel %d, %d: %t", x, y, is)
		}
	}
	if all := f.Shows(align.Change{}, width, height); all != nil {
		t.Error("a camera that stands still does not see all")
	}
}

// TestWhatIsThereStays: an unknown thing in an image that moved is still there.
func TestWhatIsThereStays(t *testing.T) {
	f := learned(t, still)
	img := camera{shiftX: 0.02, turn: 1, light: [3]float64{0.8, 0.8, 0.8}}.image(100)
	for j := 150; j < 180; j++ {
		for i := 100; i < 130; i++ {
			copy(img.Pix[3*(j*width+i):], []uint8{20, 200, 20})
		}
	}
	seen, _, err := f.Of(img)
	if err != nil {
		t.Fatal(err)
	}
	green := 0
	for i := 0; i < len(seen.Pix); i += 3 {
		if seen.Pix[i+1] > 200 && seen.Pix[i] < 60 {
			green++
		}
	}
	if green < 16 {
		t.Errorf("%d green pixels of about 36", green)
	}
}

// TestCoverSaysNothing covers all of an image but a part, in which camera and light show.
func TestCoverSaysNothing(t *testing.T) {
	f := learned(t, still)
	dark := camera{shiftX: 0.02, shiftY: 0.01, light: [3]float64{0.7, 0.7, 0.7}}
	for name, c := range map[string]struct {
		camera
		part pixels.Region
	}{
		"left":                {still, pixels.Region{Width: 0.5, Height: 1}},
		"right":               {still, pixels.Region{X: 0.5, Width: 0.5, Height: 1}},
		"moved in the dark":   {dark, pixels.Region{X: 0.4, Width: 0.6, Height: 1}},
		"less than can be":    {still, pixels.Region{X: 0.5, Y: 0.5, Width: 1e-9, Height: 1e-9}},
		"a pixel of networks": {still, pixels.Region{X: 0.5, Y: 0.5, Width: 1. / 64, Height: 1. / 64}},
	} {
		for _, cover := range [][3]uint8{{200, 30, 30}, {20, 20, 20}, {240, 240, 240}} {
			img := c.image(100)
			x0, y0, x1, y1 := c.part.Bounds(width, height)
			for i := range width * height {
				if x, y := i%width, i/width; x < x0 || x >= x1 || y < y0 || y >= y1 {
					copy(img.Pix[3*i:], cover[:])
				}
			}
			_, change, err := f.OfPart(img, c.part)
			if err != nil {
				t.Fatal(err)
			}
			x, y := change.Shift()
			off := math.Hypot(x-c.shiftX, y-c.shiftY)
			if off > 0.001 || math.Abs(change.Gain[0]-c.light[0]) > 0.02 ||
				change.Lit() != (c.camera == dark) {
				t.Errorf("%s, covered with %d: %s, %s, another light %t", name, cover, change.Words(),
					change.Light(), change.Lit())
			}
		}
	}
}

// TestFile: a Reference that was written estimates as it did, and what no Reference has is refused.
func TestFile(t *testing.T) {
	f := learned(t, still)
	var file bytes.Buffer
	if err := f.Reference.Write(&file); err != nil {
		t.Fatal(err)
	}
	text := file.String()
	again, err := align.Read(&file)
	if err != nil {
		t.Fatal(err)
	}
	img := camera{shiftX: 0.02, turn: 1, light: still.light}.image(100)
	_, change, _ := f.Of(img)
	_, same, err := align.Frame{Frame: frame, Reference: again}.Of(img)
	if err != nil || change.Words() != same.Words() {
		t.Errorf("%s, written and read %s, %v", change.Words(), same.Words(), err)
	}
	for _, replace := range [][2]string{{`"side":128`, `"side":64`}, {`"side":128`, `"side":100000`},
		{`"seen":[0,16,128,112]`, `"seen":[0,16,128,300]`}, {`"still":[`, `"still":[0,`},
		{`"steady":`, `"steady":-`}, {`"look":"`, `"look":"AAAA`}, {`"noise":"`, `"noise":"AADA/w`}} {
		bad := strings.Replace(text, replace[0], replace[1], 1)
		if _, err := align.Read(strings.NewReader(bad)); err == nil || bad == text {
			t.Errorf("%s in place of %s is read", replace[1], replace[0])
		}
	}
}

// BenchmarkFrame has an image of 640x480 pixels made what networks of 64 pixels take.
func BenchmarkFrame(b *testing.B) {
	f := learned(b, still)
	for name, c := range map[string]camera{"still": still,
		"moved": {shiftX: 0.02, turn: 1, light: [3]float64{0.8, 0.8, 0.8}}} {
		img := c.image(100)
		scaled, err := img.Square(640, pixels.Letterbox)
		if err != nil {
			b.Fatal(err)
		}
		if scaled, err = scaled.Crop(pixels.Region{Y: 0.125, Width: 1, Height: 0.75}); err != nil {
			b.Fatal(err)
		}
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if _, _, err := f.Of(scaled); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
