package node

import (
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"strings"

	"golang.org/x/image/font"
	"golang.org/x/image/font/basicfont"
	"golang.org/x/image/math/fixed"
)

// A caption is the text under an image for people who watch: what is seen and planned.
type caption struct {
	State      string   // predicates, as 0 and 1
	Node       int      // of the known state, -1 for none
	Confidence float32  // of the least certain predicate
	Warning    string   // why the image is not recognized
	Plan       []string // the actions' names
	Step       int      // 0-based, of the next action in Plan
}

const (
	lineHeight = 15
	margin     = 4
)

var (
	ink   = color.RGBA{255, 255, 255, 255}
	alarm = color.RGBA{255, 120, 100, 255}
)

// annotate returns a copy of the image with the caption in a band under it, at
// least 320 pixels wide; what does not fit a line is wrapped.
func annotate(img image.Image, c caption) *image.RGBA {
	size := img.Bounds().Size()
	width := max(size.X, 320)
	lines := c.lines((width - 2*margin) / basicfont.Face7x13.Advance)
	out := image.NewRGBA(image.Rect(0, 0, width, size.Y+margin+lineHeight*len(lines)+margin))
	draw.Draw(out, out.Bounds(), image.NewUniform(color.Black), image.Point{}, draw.Src)
	left := (width - size.X) / 2
	draw.Draw(out, image.Rect(left, 0, left+size.X, size.Y), img, img.Bounds().Min, draw.Src)
	for i, l := range lines {
		d := font.Drawer{Dst: out, Src: image.NewUniform(l.color), Face: basicfont.Face7x13,
			Dot: fixed.P(margin, size.Y+margin+lineHeight*i+basicfont.Face7x13.Ascent)}
		d.DrawString(l.text)
	}
	return out
}

type line struct {
	text  string
	color color.Color
}

func (c caption) lines(columns int) []line {
	where := "not a known state"
	if c.Node >= 0 {
		where = fmt.Sprintf("node %d", c.Node)
	}
	var lines []line
	add := func(text string, ink color.Color) {
		for _, part := range wrap(text, columns) {
			lines = append(lines, line{part, ink})
		}
	}
	add(fmt.Sprintf("state %s  %s  confidence %.2f", c.State, where, c.Confidence), ink)
	if c.Warning != "" {
		add(c.Warning, alarm)
	}
	if c.Plan != nil {
		add(c.plan(), ink)
	}
	return lines
}

// plan lists what is left of the plan, the next action in brackets.
func (c caption) plan() string {
	if c.Step >= len(c.Plan) {
		return "plan: done"
	}
	rest := append([]string(nil), c.Plan[max(c.Step, 0):]...)
	rest[0] = "[" + rest[0] + "]"
	return fmt.Sprintf("plan %d/%d: %s", c.Step+1, len(c.Plan), strings.Join(rest, ", "))
}

// wrap breaks text at spaces into lines of at most so many columns; longer words are cut.
func wrap(text string, columns int) []string {
	var lines []string
	current := ""
	for _, word := range strings.Fields(text) {
		if len(word) > columns {
			word = word[:columns]
		}
		switch {
		case current == "":
			current = word
		case len(current)+1+len(word) <= columns:
			current += " " + word
		default:
			lines, current = append(lines, current), word
		}
	}
	return append(lines, current)
}
