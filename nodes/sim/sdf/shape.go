package sdf

import (
	"encoding/xml"
	"fmt"
	"math"
	"strconv"
	"strings"

	"stripswm/nodes/sim/scene"
)

// A piece is a box or a cylinder of a shape.
type piece struct {
	at       scene.Vec
	rot      scene.Rot
	geometry element
}

const (
	staves = 20 // round a lathe's wall
	links  = 8  // of half a loop
)

// pieces builds a shape of boxes and cylinders.
func pieces(s scene.Shape) ([]piece, error) {
	switch s := s.(type) {
	case scene.Box:
		return []piece{{scene.Vec{}, scene.Level, box(s.Size.Scale(2))}}, nil
	case scene.Cylinder:
		return []piece{{scene.Vec{}, scene.Level, cylinder(s.Radius, 2*s.Height)}}, nil
	case scene.Lathe:
		return lathe(s), nil
	case scene.Loop:
		return loop(s), nil
	case scene.Outline:
		return outline(s), nil
	}
	return nil, fmt.Errorf("no boxes and cylinders for a %T", s)
}

func box(size scene.Vec) element { return el("geometry", el("box", text("size", vector(size)))) }

func cylinder(radius, length float64) element {
	return el("geometry", el("cylinder", text("radius", numbers(radius)),
		text("length", numbers(length))))
}

// lathe is a disc for the foot and staves for the wall.
func lathe(l scene.Lathe) []piece {
	wall, profile := l.Profile()
	var out []piece
	for i, b := range profile[1:] {
		a := profile[i]
		if min(a.X, b.X) == 0 {
			out = append(out, piece{scene.Vec{Z: (a.Z + b.Z) / 2}, scene.Level,
				cylinder(max(a.X, b.X), 2*wall)})
			continue
		}
		along := b.Sub(a)
		width := 2 * max(a.X, b.X) * math.Tan(math.Pi/staves)
		for k := range staves {
			turn := scene.Yaw(2 * math.Pi * float64(k) / staves)
			up := scene.Vec{X: along.X, Z: along.Z}.Unit()
			rot := scene.Rot{X: scene.Vec{Y: 1}.Cross(up), Y: scene.Vec{Y: 1}, Z: up}.Then(turn)
			out = append(out, piece{turn.Apply(a.Mix(b, 0.5)), rot,
				box(scene.Vec{X: 2 * wall, Y: width, Z: along.Len()})})
		}
	}
	return out
}

func loop(l scene.Loop) []piece {
	point := func(k int) scene.Vec {
		s, c := math.Sincos(math.Pi * (float64(k)/links - 0.5))
		return scene.Vec{X: l.Radius * c, Z: l.Radius * s}
	}
	var out []piece
	for k := range links {
		a, b := point(k), point(k+1)
		along := b.Sub(a)
		up := along.Unit()
		rot := scene.Rot{X: scene.Vec{Y: 1}.Cross(up), Y: scene.Vec{Y: 1}, Z: up}
		out = append(out, piece{a.Mix(b, 0.5), rot, cylinder(l.Rod, along.Len())})
	}
	return out
}

// outline is, for each stroke, a box with a disc at either end. A dish is not hollowed out.
func outline(o scene.Outline) []piece {
	var out []piece
	add := func(s scene.Stroke, side float64) {
		a, b := scene.Vec{X: s.A.X, Y: side * s.A.Y}, scene.Vec{X: s.B.X, Y: side * s.B.Y}
		along := b.Sub(a)
		out = append(out,
			piece{a.Mix(b, 0.5), scene.Yaw(math.Atan2(along.Y, along.X)),
				box(scene.Vec{X: along.Len(), Y: s.RA + s.RB, Z: 2 * o.Thick})},
			piece{a, scene.Level, cylinder(s.RA, 2*o.Thick)},
			piece{b, scene.Level, cylinder(s.RB, 2*o.Thick)})
	}
	for _, s := range o.Strokes {
		add(s, 1)
		if o.Mirrored && (s.A.Y != 0 || s.B.Y != 0) {
			add(s, -1)
		}
	}
	return out
}

// An element of the document.
type element struct {
	XMLName  xml.Name
	Attrs    []xml.Attr `xml:",any,attr"`
	Text     string     `xml:",chardata"`
	Children []element  `xml:",any"`
}

func el(name string, children ...element) element {
	return element{XMLName: xml.Name{Local: name}, Children: children}
}

// text is an element with numbers or words in it.
func text(name, value string) element {
	return element{XMLName: xml.Name{Local: name}, Text: value}
}

// with adds an attribute.
func (e element) with(attribute, value string) element {
	e.Attrs = append(e.Attrs, xml.Attr{Name: xml.Name{Local: attribute}, Value: value})
	return e
}

// numbers writes values to a hundredth of a millimetre, or of a milliradian.
func numbers(values ...float64) string {
	words := make([]string, len(values))
	for i, v := range values {
		words[i] = strconv.FormatFloat(math.Round(v*1e5)/1e5+0, 'f', -1, 64)
	}
	return strings.Join(words, " ")
}

func vector(v scene.Vec) string { return numbers(v.X, v.Y, v.Z) }

// colour writes linear light as sRGB, 0 to 1, opaque.
func colour(v scene.Vec) string {
	return numbers(encoded(v.X), encoded(v.Y), encoded(v.Z), 1)
}

func encoded(v float64) float64 {
	v = min(1, max(0, v))
	if v <= 0.0031308 {
		return math.Round(12.92*v*1e3) / 1e3
	}
	return math.Round((1.055*math.Pow(v, 1/2.4)-0.055)*1e3) / 1e3
}
