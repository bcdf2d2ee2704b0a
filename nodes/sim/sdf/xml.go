package sdf

import (
	"encoding/xml"
	"math"
	"strconv"
	"strings"

	"stripswm/nodes/sim/scene"
)

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
