package main

import (
	"context"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"io"
	"strings"
	"sync/atomic"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/image/draw"
	"golang.org/x/image/font"
	"golang.org/x/image/font/basicfont"
	"golang.org/x/image/math/fixed"

	"stripswm/bags/pairing"
	"stripswm/models/bundle"
	"stripswm/models/imageplan"
	"stripswm/models/pixels"
	"stripswm/models/vision"
	"stripswm/nodes/camera"
)

func cameraCommand(c *common) *cobra.Command {
	var topic, transport, out, dir string
	var period time.Duration
	var watch bool
	var flags cameraFlags
	cmd := &cobra.Command{
		Use:   "camera [IMAGE IMAGE]",
		Short: "Measure a camera: region, sharpness, exposure, and noise of an unchanged scene",
		Long: `camera measures the images of a camera while nothing moves in its view: sharpness,
exposure, and the difference between images. It writes a drawing of the last image with
a grid of tenths and the region, the input of the networks, and the pixels that change.

The recorder uses the same difference: a scene is at rest if no patch of the region
changes by more than the recorder's parameter motion_threshold. With --watch a line is
printed every second until ^C, for focusing: turn the lens until sharpness is largest.

Instead of a topic, camera takes two image files of an unchanged scene. With --bundle it
says how far the camera has moved since the bundle's recording, and how the light differs.`,
		Example: `  stripswm camera --out camera.png
  stripswm camera --topic /wrist/image_raw --region 0.25,0.1,0.5,0.8
  stripswm camera --watch
  stripswm camera now.png later.png
  stripswm camera --bundle runs/table/bundle`,
		Args: cobra.MaximumNArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 1 {
				return usagef("a second image of the scene is needed, to measure how far it changes")
			}
			eye, err := flags.camera()
			if err != nil {
				return err
			}
			mode, err := camera.ParseTransport(transport)
			if err != nil {
				return usageError{err}
			}
			l := &looker{camera: eye}
			switch {
			case len(args) > 0:
				err = l.files(args)
			case watch:
				return watchCamera(cmd, topic, mode, eye)
			default:
				err = l.once(cmd, topic, mode, period)
			}
			if err != nil {
				return err
			}
			l.finish()
			if dir != "" {
				if err := l.compare(dir); err != nil {
					return err
				}
			}
			return l.tell(cmd, c, out)
		},
	}
	cmd.Flags().StringVar(&topic, "topic", "/camera/image_raw",
		"topic of the raw images; compressed ones are beside it")
	cmd.Flags().StringVar(&transport, "transport", string(camera.Auto), camera.Help)
	atLeast(cmd.Flags(), &period, "duration", 3*time.Second, 100*time.Millisecond,
		"time to receive images for")
	cmd.Flags().BoolVar(&watch, "watch", false,
		"print a line every second until ^C, and write no drawing")
	cmd.Flags().StringVarP(&out, "out", "o", "camera.png", "drawing to write")
	cmd.Flags().StringVar(&dir, "bundle", "", "bundle to compare camera and light with")
	flags.add(cmd, "all")
	completeNames(cmd, "transport", []string{string(camera.Auto), string(camera.Raw),
		string(camera.Compressed)})
	return cmd
}

// files looks at images of one scene.
func (l *looker) files(paths []string) error {
	images, err := readImages(l.camera.Bits, paths...)
	if err != nil {
		return err
	}
	for i, p := range images {
		if err := l.see(p, 0); err != nil {
			return fmt.Errorf("%s: %w", paths[i], err)
		}
	}
	l.Source = paths[0]
	return nil
}

// compare adds how camera and light differ from those of a bundle's recording.
func (l *looker) compare(dir string) error {
	b, err := bundle.Open(dir)
	if err != nil {
		return err
	}
	f, err := imageplan.FrameOf(b)
	if err != nil {
		return err
	}
	if f.Reference == nil {
		l.Advice = append(l.Advice, "the bundle says nothing of its camera: learn it again")
		return nil
	}
	f.Camera = l.camera.Or(f.Camera)
	_, change, err := f.Of(l.last)
	l.Advice = append(l.Advice, fmt.Sprintf("since the recording the camera has %s; light %s",
		change.Words(), change.Light()))
	return err
}

// tell prints what was seen and writes its image.
func (l *looker) tell(cmd *cobra.Command, c *common, out string) error {
	if err := writeWith(out, l.sheet); err != nil {
		return err
	}
	return c.print(cmd, l.sighting, func(w io.Writer) {
		fmt.Fprintf(w, "%simage      %s\n", l, out)
	})
}

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

// A window is a camera's topic, listened to.
type window struct {
	seen    *camera.Camera
	images  chan camera.Image
	skipped atomic.Int64 // images, while others were looked at
	close   func() error
}

func openWindow(cmd *cobra.Command, topic string, way camera.Transport) (*window, error) {
	n, leave, err := join(cmd)
	if err != nil {
		return nil, err
	}
	w := &window{images: make(chan camera.Image, 1), close: leave}
	w.seen, err = camera.Open(n, topic, way, 1, func(i camera.Image) {
		select {
		case w.images <- i:
		default: // the one before is looked at still
			w.skipped.Add(1)
		}
	})
	if err != nil {
		return nil, errors.Join(err, leave())
	}
	return w, nil
}

// patience is how long a camera has to be found.
const patience = 10 * time.Second

// show has the looker see what comes for a while, from the first image on.
func (w *window) show(ctx context.Context, l *looker, period time.Duration) error {
	w.skipped.Store(0)
	end := time.NewTimer(patience)
	defer end.Stop()
	for {
		select {
		case i := <-w.images:
			if l.Images == 0 {
				end.Reset(period)
			}
			p, err := i.RGB(l.camera.Bits)
			if err != nil {
				return err
			}
			l.Source = i.Topic
			if err := l.at(time.Now()).see(p, i.Used()); err != nil {
				return err
			}
		case <-ctx.Done():
			return ctx.Err()
		case <-end.C:
			l.skipped = int(w.skipped.Load())
			return w.missing(l.Images)
		}
	}
}

// missing says why nothing was seen; nil if something was.
func (w *window) missing(images int) error {
	if images > 0 {
		return nil
	}
	if absent := w.seen.Absent(); absent != "" {
		return fmt.Errorf(
			"%s; or set ROS_DOMAIN_ID and ROS_AUTOMATIC_DISCOVERY_RANGE as for the robot's nodes", absent)
	}
	if now, _ := w.seen.Since(); now.Err != nil {
		return fmt.Errorf("%w: %w", errInput, now.Err)
	}
	return fmt.Errorf("no image came on %s in %s", w.seen.Topic(), patience)
}

// once looks at a camera for a while.
func (l *looker) once(cmd *cobra.Command, topic string, way camera.Transport,
	period time.Duration,
) error {
	w, err := openWindow(cmd, topic, way)
	if err != nil {
		return err
	}
	defer w.close()
	return w.show(cmd.Context(), l, period)
}

// watchCamera prints a line a second until ^C.
func watchCamera(cmd *cobra.Command, topic string, way camera.Transport, eye pixels.Camera) error {
	w, err := openWindow(cmd, topic, way)
	if err != nil {
		return err
	}
	defer w.close()
	for {
		l := &looker{camera: eye}
		if err := w.show(cmd.Context(), l, time.Second); err != nil {
			if errors.Is(err, context.Canceled) {
				return nil
			}
			return err
		}
		fmt.Fprintln(cmd.OutOrStdout(), l.line())
	}
}

// Of a camera's sheet, pixels.
const (
	sheetHeight = 480 // of the image, whatever its size; the two beside it share it
	sheetLine   = 18  // of text
	amplified   = 20  // times, differences
)

var (
	sheetPaper = color.Gray{30}
	sheetInk   = color.RGBA{255, 255, 255, 255}
	sheetGrid  = color.RGBA{255, 255, 255, 70}
	sheetFrame = color.RGBA{255, 200, 0, 255}
	sheetShade = color.RGBA{0, 0, 0, 130}
)

// sheet writes a PNG: the last image with grid and region, and beside it what a network sees and
// what changed.
func (l *looker) sheet(w io.Writer) error {
	width := max(sheetHeight*l.Width/l.Height, 64)
	half := (sheetHeight - sheetLine) / 2
	out := image.NewRGBA(image.Rect(0, 0, width+half, sheetHeight+sheetLine))
	draw.Draw(out, out.Rect, image.NewUniform(sheetPaper), image.Point{}, draw.Src)
	whole := image.Rect(0, 0, width, sheetHeight)
	draw.BiLinear.Scale(out, whole, l.last.Image(), image.Rect(0, 0, l.Width, l.Height), draw.Src, nil)
	l.mark(out, whole)
	label(out, 4, sheetHeight, fmt.Sprintf("%s, tenths; region %s", l.Source,
		regionText(l.camera.Region)))

	preset, err := vision.PresetByName(vision.DefaultPreset)
	if err != nil {
		return err
	}
	small, err := pixels.Frame{Side: preset.ImageSize(), Fit: pixels.Letterbox, Camera: l.camera}.Of(
		l.last)
	if err != nil {
		return err
	}
	draw.NearestNeighbor.Scale(out, image.Rect(width, 0, width+half, half), small.Image(),
		image.Rect(0, 0, small.Width, small.Height), draw.Src, nil)
	label(out, width+4, half, fmt.Sprintf("what a network sees, %d wide", small.Width))
	changes := l.changes()
	draw.BiLinear.Scale(out, image.Rect(width, half+sheetLine, width+half, sheetHeight), changes,
		changes.Rect, draw.Src, nil)
	label(out, width+4, sheetHeight, fmt.Sprintf("first to last, x%d", amplified))
	return png.Encode(w, out)
}

// mark draws a grid of tenths and the region, and shades the rest.
func (l *looker) mark(out *image.RGBA, at image.Rectangle) {
	x0, y0, x1, y1 := l.camera.Region.Bounds(at.Dx(), at.Dy())
	fill := func(x0, y0, x1, y1 int, c color.Color) {
		draw.Draw(out, image.Rect(x0, y0, x1, y1), image.NewUniform(c), image.Point{}, draw.Over)
	}
	fill(0, 0, at.Dx(), y0, sheetShade)
	fill(0, y1, at.Dx(), at.Dy(), sheetShade)
	fill(0, y0, x0, y1, sheetShade)
	fill(x1, y0, at.Dx(), y1, sheetShade)
	for i := 1; i < 10; i++ {
		x, y := i*at.Dx()/10, i*at.Dy()/10
		fill(x, 0, x+1, at.Dy(), sheetGrid)
		fill(0, y, at.Dx(), y+1, sheetGrid)
	}
	const thick = 2
	fill(x0, y0, x1, y0+thick, sheetFrame)
	fill(x0, y1-thick, x1, y1, sheetFrame)
	fill(x0, y0, x0+thick, y1, sheetFrame)
	fill(x1-thick, y0, x1, y1, sheetFrame)
}

// changes is how far the region's pixels of the first and the last image differ, in grey levels,
// amplified.
func (l *looker) changes() *image.Gray {
	x0, y0, x1, y1 := l.camera.Region.Bounds(l.Width, l.Height)
	m := image.NewGray(image.Rect(0, 0, x1-x0, y1-y0))
	for y := y0; y < y1; y++ {
		for x := x0; x < x1; x++ {
			sum, at := 0, 3*(y*l.Width+x)
			for c := range 3 {
				sum += int(l.last.Pix[at+c]) - int(l.first.Pix[at+c])
			}
			m.SetGray(x-x0, y-y0, color.Gray{Y: uint8(min(max(sum, -sum)*amplified/3, 255))})
		}
	}
	return m
}

func regionText(r pixels.Region) string {
	if r == (pixels.Region{}) {
		return "all"
	}
	return r.String()
}

func label(out draw.Image, x, y int, text string) {
	d := font.Drawer{Dst: out, Src: image.NewUniform(sheetInk), Face: basicfont.Face7x13,
		Dot: fixed.P(x, y+basicfont.Face7x13.Ascent+2)}
	d.DrawString(text)
}
