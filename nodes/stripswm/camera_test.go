package main

import (
	"image"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// shot is an image file: a bright left half beside a right half of a level.
func shot(t *testing.T, name string, right uint8) string {
	t.Helper()
	m := image.NewGray(image.Rect(0, 0, 80, 60))
	for i := range m.Pix {
		m.Pix[i] = 200 + uint8(i%2)
		if i%80 >= 40 {
			m.Pix[i] = right
		}
	}
	path := filepath.Join(t.TempDir(), name)
	writePNG(t, path, m)
	return path
}

// TestCamera looks at two images of a scene of which the right half changed.
func TestCamera(t *testing.T) {
	a, b, out := shot(t, "a.png", 100), shot(t, "b.png", 112), filepath.Join(t.TempDir(), "sheet.png")
	for region, want := range map[string]struct {
		difference, mean float64
		advice           string
	}{
		"":            {12, 156.25, "differs by 12.0 grey levels"},
		"0,0,0.5,1":   {0, 200.5, ""},
		"0.5,0,0.5,1": {12, 112, "motion_threshold to 24"},
	} {
		var got sighting
		said(t, "camera "+a+" "+b+" --region="+region+" --out "+out, &got)
		if got.Difference != want.difference || got.Quality.Mean != want.mean || got.Width != 80 ||
			got.Images != 2 || !strings.Contains(strings.Join(got.Advice, " "), want.advice) {
			t.Errorf("region %q: %+v", region, got)
		}
	}
	f := must(os.Open(out))
	defer f.Close()
	sheet, err := png.Decode(f)
	if err != nil || sheet.Bounds().Dx() != 640+231 || sheet.Bounds().Dy() != 498 {
		t.Fatalf("a sheet of %v, %v", sheet.Bounds(), err)
	}
	if c := color.GrayModel.Convert(sheet.At(100, 240)).(color.Gray); c.Y > 150 {
		t.Errorf("what is not in the region is at %d, not shaded", c.Y)
	}
	ends(t, map[string]end{
		"camera " + a: {exitUsage, "second image"},
		"camera " + a + " " + b + " --region 0,0,2,1":  {exitUsage, "--region"},
		"camera " + a + " " + b + " --transport cable": {exitUsage, "cable"},
		"camera " + a + " camera_test.go":              {exitInput, "camera_test.go"},
		"camera " + a + " nowhere.png":                 {exitInput, "nowhere.png"},
	})
}
