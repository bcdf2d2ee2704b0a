package report

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"html/template"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"path/filepath"

	"codeberg.org/go-fonts/liberation/liberationsansregular"
	"golang.org/x/image/draw"
	"golang.org/x/image/font"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/math/fixed"

	"stripswm/nodes/eval"
)

const (
	tile     = 120 // width of one image on a sheet, pixels
	manyTile = 84  // the same where there are many states
	gap      = 4   // between the images of a state
	margin   = 20
	lineStep = 20 // height of a line of text

	sheetColumns = 8  // images
	manyColumns  = 16 // the same where there are many states
)

// edge is the room around the cells of a sheet.
var edge = image.Pt(margin, margin)

// canvas is a white image to put images and words on.
type canvas struct {
	*image.RGBA
	face font.Face
}

func newCanvas(width, height int) (*canvas, error) {
	f, err := opentype.Parse(liberationsansregular.TTF)
	if err != nil {
		return nil, fmt.Errorf("font: %w", err)
	}
	face, err := opentype.NewFace(f, &opentype.FaceOptions{Size: 14, DPI: 72})
	if err != nil {
		return nil, fmt.Errorf("font: %w", err)
	}
	c := &canvas{image.NewRGBA(image.Rect(0, 0, width, height)), face}
	draw.Draw(c, c.Bounds(), image.White, image.Point{}, draw.Src)
	return c, nil
}

// put scales an image into the box whose upper left corner is at x, y, in its middle.
func (c *canvas) put(m image.Image, x, y, w, h int) {
	t := thumbnail(m, w, h)
	if t == nil {
		c.fill(image.Rect(x, y, x+w, y+h), color.RGBA{0xee, 0xee, 0xee, 0xff})
		return
	}
	size := t.Bounds().Size()
	corner := image.Pt(x+(w-size.X)/2, y+(h-size.Y)/2)
	draw.Draw(c, t.Bounds().Add(corner), t, image.Point{}, draw.Src)
}

func (c *canvas) fill(r image.Rectangle, colour color.Color) {
	draw.Draw(c, r, image.NewUniform(colour), image.Point{}, draw.Src)
}

// write puts a line of text with its baseline at y, cut to width pixels.
func (c *canvas) write(text string, x, y, width int, colour string) {
	d := font.Drawer{Dst: c, Src: image.NewUniform(hex(colour)), Face: c.face, Dot: fixed.P(x, y)}
	for r := []rune(text); d.MeasureString(text).Ceil() > width && len(r) > 1; text = string(r) + "…" {
		r = r[:len(r)-1]
	}
	d.DrawString(text)
}

// grid calls draw with the place of each of n cells, so many in a row, on a canvas of their size.
func grid(n, columns int, cell, edge image.Point,
	draw func(c *canvas, i, x, y int),
) (*canvas, error) {
	columns = max(1, min(columns, n))
	rows := (n + columns - 1) / columns
	c, err := newCanvas(edge.X+columns*(cell.X+edge.X), edge.Y+rows*(cell.Y+edge.Y))
	if err != nil {
		return nil, err
	}
	for i := range n {
		draw(c, i, edge.X+i%columns*(cell.X+edge.X), edge.Y+i/columns*(cell.Y+edge.Y))
	}
	return c, nil
}

// contactGrid puts up to four images of each state together, with its name and support.
func contactGrid(states []StateImages) (image.Image, error) {
	side := sheetTile(states)
	most := 1
	for _, s := range states {
		most = max(most, min(4, len(s.Images)))
	}
	across, down := min(2, most), (most+1)/2
	card := image.Pt(across*(side.X+gap)-gap, down*(side.Y+gap)+lineStep)
	columns := sheetColumns
	if len(states) > roomy {
		columns = manyColumns
	}
	return grid(len(states), columns/across, card, edge, func(c *canvas, i, x, y int) {
		s := states[i]
		for k := range min(most, max(1, len(s.Images))) {
			var m image.Image
			if k < len(s.Images) {
				m = s.Images[k]
			}
			c.put(m, x+k%2*(side.X+gap), y+k/2*(side.Y+gap), side.X, side.Y)
		}
		c.write(fmt.Sprintf("s%d · %d images", i, s.Support), x, y+card.Y-4, card.X, black)
	})
}

// sheetTile is the size of one image: the shape of the first image there is.
func sheetTile(states []StateImages) image.Point {
	tile := tile
	if len(states) > roomy {
		tile = manyTile
	}
	for _, s := range states {
		for _, m := range s.Images {
			if t := thumbnail(m, tile, tile); t != nil {
				return t.Bounds().Size()
			}
		}
	}
	return image.Pt(tile, tile)
}

// FilmStrip is a PNG of a plan: start, what it expects after each action, goal.
func FilmStrip(p *Plan) ([]byte, error) {
	sheet, err := filmStrip(p)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	err = png.Encode(&b, sheet)
	return b.Bytes(), err
}

// filmStrip puts a plan on one sheet: start, the expected state after each action, goal.
func filmStrip(p *Plan) (image.Image, error) {
	frames := p.Frames()
	const wide, between, across = 190, 30, 5
	side := image.Pt(wide, wide)
	if t := thumbnail(p.Start, wide, wide); t != nil {
		side = t.Bounds().Size()
	}
	cell := image.Pt(side.X, side.Y+2*lineStep)
	return grid(len(frames), across, cell, image.Pt(between, margin), func(c *canvas, i, x, y int) {
		f := frames[i]
		if f.Action != "" {
			c.arrow(x-between+6, y+2*lineStep-4+side.Y/2, between-12)
		}
		c.write(f.Action, x, y+lineStep-6, side.X, blue)
		c.write(f.Name, x, y+2*lineStep-9, side.X, black)
		c.put(f.Image, x, y+2*lineStep-4, side.X, side.Y)
	})
}

// outliersSheet puts an example of each kind together, with what it is classified as.
func outliersSheet(all []eval.OutOfDistribution) (image.Image, error) {
	const side, across = 190, 6 // wide enough for the words
	cell := image.Pt(side, side+2*lineStep)
	return grid(len(all), across, cell, edge, func(c *canvas, i, x, y int) {
		o, colour := all[i], black
		if o.Wrong > 0 {
			colour = vermilion
		}
		verdict := "refused: " + string(o.Example.Refusal)
		if o.Example.Known() {
			verdict = "classified as " + o.Example.State()
		}
		var shown image.Image // an example is not kept in files
		if o.Example.Image.Width > 0 {
			shown = o.Example.Image.Image()
		}
		c.put(shown, x, y, side, side)
		c.write(o.Kind, x, y+side+lineStep-4, side, black)
		c.write(verdict, x, y+side+2*lineStep-6, side, colour)
	})
}

func (c *canvas) arrow(x, y, length int) {
	c.fill(image.Rect(x, y-1, x+length-5, y+1), hex(blue))
	for i := range 6 {
		c.fill(image.Rect(x+length-6+i, y-5+i, x+length-5+i, y+6-i), hex(blue))
	}
}

// scene is one image of a plan.
type scene struct {
	Action string // that leads here; "" for start and goal
	Name   string
	Image  image.Image
}

// Frames are its images, start and goal included.
func (p *Plan) Frames() []scene {
	frames := []scene{{"", "start image", p.Start}}
	for i, s := range p.Steps {
		name := fmt.Sprintf("%d. expects s%d", i+1, s.State)
		if s.State < 0 {
			name = fmt.Sprintf("%d. a state not seen before", i+1)
		}
		if s.Shows != "" {
			name = fmt.Sprintf("%d. %s", i+1, s.Shows)
		}
		action := s.Name
		if action == "" {
			action = fmt.Sprintf("action %d", s.Action)
		}
		frames = append(frames, scene{action, name, s.Image})
	}
	return append(frames, scene{"", "goal image", p.Goal})
}

// ImagePair is the images before and after a skill, and a few words on it.
type ImagePair struct {
	Before, After image.Image
	Words         string
}

// writeAttempts writes a sheet of attempts as a PNG file, if there are any.
func writeAttempts(path string, list []ImagePair) error {
	if len(list) == 0 {
		return nil
	}
	sheet, err := attemptsSheet(list)
	if err != nil {
		return err
	}
	w := &writer{dir: filepath.Dir(path)}
	return w.savePNG(filepath.Base(path), sheet)
}

func attemptsSheet(list []ImagePair) (image.Image, error) {
	const side, across = 150, 3
	cell := image.Pt(2*side+gap, side+lineStep)
	return grid(len(list), across, cell, edge, func(c *canvas, i, x, y int) {
		a := list[i]
		c.put(a.Before, x, y, side, side)
		c.put(a.After, x+side+gap, y, side, side)
		c.write(a.Words, x, y+side+lineStep-4, cell.X, black)
	})
}

// maxEnlarge bounds how much a small image is blown up.
const maxEnlarge = 2

// thumbnail scales an image to fit width x height, keeping its shape. An empty image gives nil.
func thumbnail(m image.Image, width, height int) *image.RGBA {
	if m == nil || m.Bounds().Empty() {
		return nil
	}
	w, h := m.Bounds().Dx(), m.Bounds().Dy()
	f := min(float64(width)/float64(w), float64(height)/float64(h), maxEnlarge)
	out := image.NewRGBA(image.Rect(0, 0, max(1, int(f*float64(w)+0.5)),
		max(1, int(f*float64(h)+0.5))))
	draw.Draw(out, out.Bounds(), image.White, image.Point{}, draw.Src)
	draw.CatmullRom.Scale(out, out.Bounds(), m, m.Bounds(), draw.Over, nil)
	return out
}

// shrunk is thumbnail for a page, which enlarges by itself: images only get smaller.
func shrunk(m image.Image, side int) *image.RGBA {
	if m == nil {
		return nil
	}
	return thumbnail(m, min(side, m.Bounds().Dx()), side)
}

// dataURI writes an image into a page, as PNG or JPEG, whichever is smaller: drawings suit the one,
// noisy cameras the other.
func dataURI(m image.Image) (template.URL, error) {
	var lossless, lossy bytes.Buffer
	if err := png.Encode(&lossless, m); err != nil {
		return "", fmt.Errorf("encode image: %w", err)
	}
	if err := jpeg.Encode(&lossy, m, &jpeg.Options{Quality: 88}); err != nil {
		return "", fmt.Errorf("encode image: %w", err)
	}
	kind, data := "png", lossless.Bytes()
	if lossy.Len() < lossless.Len() {
		kind, data = "jpeg", lossy.Bytes()
	}
	return dataOf(kind, data), nil
}

// dataOf writes the file of an image of a kind into a page.
func dataOf(kind string, data []byte) template.URL {
	return template.URL("data:image/" + kind + ";base64," + base64.StdEncoding.EncodeToString(data))
}
