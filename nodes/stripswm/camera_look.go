package main

import (
	"fmt"
	"strings"
	"time"

	"stripswm/bags/pairing"
	"stripswm/models/pixels"
)

// sighting is what was seen of a camera.
type sighting struct {
	Source     string         `json:"source"` // topic or file
	Width      int            `json:"width"`
	Height     int            `json:"height"`
	Images     int            `json:"images"`     // that were looked at
	Rate       float64        `json:"rate"`       // of all, Hz; 0 for files
	BitsUsed   int            `json:"bits_used"`  // of samples of 16; 0 where they have 8
	Region     []float64      `json:"region"`     // x, y, width, height; null is all
	Quality    pixels.Quality `json:"quality"`    // of the region in the last image
	Contrast   float64        `json:"contrast"`   // of its patches, grey levels, as the recorder's parameter contrast
	Difference float64        `json:"difference"` // of a patch between any image and the first, the largest, grey levels
	Advice     []string       `json:"advice"`
}

// A looker looks at images of an untouched scene.
type looker struct {
	sighting
	camera          pixels.Camera
	first, last     pixels.RGB // whole images
	view            pairing.View
	began, recently time.Time
	skipped         int // images, while others were looked at
}

// at is when the next image came.
func (l *looker) at(now time.Time) *looker {
	if l.began.IsZero() {
		l.began = now
	}
	l.recently = now
	return l
}

// see takes the next image, whose samples use so many of 16 bits.
func (l *looker) see(p pixels.RGB, used int) error {
	part, err := p.Crop(l.camera.Region)
	if err != nil {
		return err
	}
	view := pairing.ViewOf(part.Pix, part.Width, part.Height)
	if l.Images == 0 {
		l.first, l.view = p, view
	} else if p.Width != l.Width || p.Height != l.Height {
		return fmt.Errorf("%w: an image of %dx%d pixels after one of %dx%d", errInput, p.Width, p.Height,
			l.Width, l.Height)
	}
	l.Images++
	l.last, l.Width, l.Height = p, p.Width, p.Height
	l.BitsUsed = max(l.BitsUsed, used)
	l.Difference = max(l.Difference, view.Motion(&l.view))
	l.Contrast = view.Contrast()
	return nil
}

// finish evaluates what was seen.
func (l *looker) finish() {
	if elapsed := l.recently.Sub(l.began).Seconds(); elapsed > 0 {
		l.Rate = float64(l.Images+l.skipped-1) / elapsed
	}
	l.Region = l.camera.Region.Slice()
	part, _ := l.last.Crop(l.camera.Region)
	l.Quality, _ = part.Quality() // it was looked at before
	l.Advice = l.advice()
}

// advice says what to change. A scene at rest should differ by less than half of what the recorder
// allows.
func (l *looker) advice() (list []string) {
	const threshold, burnt, dark = 6, 0.01, 30
	q := l.Quality
	if l.Difference > threshold/2 {
		list = append(list,
			fmt.Sprintf(
				"an untouched scene differs by %.1f grey levels: fix exposure, white balance and focus, have "+
					"more light, or set the recorder's motion_threshold to %.0f or more", l.Difference,
				2*l.Difference))
	}
	if q.White > burnt {
		list = append(list, fmt.Sprintf("%.1f %% of the pixels are as bright as can be: expose for less",
			100*q.White))
	}
	if q.Mean < dark {
		list = append(list, fmt.Sprintf("the mean grey level is %.0f of 255: expose for more", q.Mean))
	}
	if l.camera.Bits == 0 && l.BitsUsed > 0 && l.BitsUsed <= 14 {
		list = append(list, fmt.Sprintf("samples of 16 bits use %d: set bits to those of the sensor",
			l.BitsUsed))
	}
	return list
}

// line is for somebody who turns a lens.
func (l *looker) line() string {
	l.finish()
	return fmt.Sprintf("sharpness %8.1f   mean %5.1f   white %5.1f %%   differs by %4.1f   %.1f Hz",
		l.Quality.Sharpness, l.Quality.Mean, 100*l.Quality.White, l.Difference, l.Rate)
}

func (l *looker) String() string {
	var b strings.Builder
	row := func(name, format string, v ...any) {
		fmt.Fprintf(&b, "%-12s "+format+"\n", append([]any{name}, v...)...)
	}
	row("camera", "%s: %d images of %dx%d pixels", l.Source, l.Images, l.Width, l.Height)
	if l.Rate > 0 {
		row("rate", "%.1f Hz", l.Rate)
	}
	x0, y0, x1, y1 := l.camera.Region.Bounds(l.Width, l.Height)
	row("region", "%d,%d to %d,%d", x0, y0, x1, y1)
	row("sharpness", "%.1f (variance of the Laplacian; more is sharper, of one scene)",
		l.Quality.Sharpness)
	row("exposure", "mean grey level %.0f, %.1f %% white, %.1f %% black", l.Quality.Mean,
		100*l.Quality.White, 100*l.Quality.Black)
	row("contrast", "%.0f grey levels between patches", l.Contrast)
	row("difference", "%.1f grey levels at most, of a patch between two images", l.Difference)
	for _, a := range l.Advice {
		row("advice", "%s", a)
	}
	return b.String()
}
