package report

import (
	"fmt"
	"html"
	"strings"
)

// Colours after Okabe and Ito (https://jfly.uni-koeln.de/color/), which people with any kind of
// colour vision distinguish.
const (
	black      = "#222222"
	grey       = "#767676"
	pale       = "#d9d9d9"
	faint      = "#f2c9ad" // vermilion, far away
	blue       = "#0072b2"
	sky        = "#56b4e9"
	vermilion  = "#d55e00"
	orange     = "#e69f00"
	green      = "#009e73"
	purple     = "#cc79a7"
	typeface   = "'Liberation Sans', Arial, Helvetica, sans-serif"
	svgOpening = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="%s %s %s %s" width="%s" height="%s" font-family="%s" role="img" aria-label="%s">` + "\n"
)

// svg gathers a drawing. Numbers are rounded, so that the text is short and the same everywhere.
type svg struct{ strings.Builder }

func (s *svg) open(low, size point, label string) {
	fmt.Fprintf(s, svgOpening, num(low.x), num(low.y), num(size.x), num(size.y), num(size.x),
		num(size.y), typeface, html.EscapeString(label))
}

func (s *svg) close() string {
	s.WriteString("</svg>\n")
	return s.String()
}

// text writes one line; attributes are raw.
func (s *svg) text(at point, attributes, words string) {
	fmt.Fprintf(s, "<text x=%q y=%q %s>%s</text>\n", num(at.x), num(at.y), attributes,
		html.EscapeString(words))
}

func (s *svg) rect(at, size point, attributes string) {
	fmt.Fprintf(s, "<rect x=%q y=%q width=%q height=%q %s/>\n", num(at.x), num(at.y), num(size.x),
		num(size.y), attributes)
}

func (s *svg) title(words string) { fmt.Fprintf(s, "<title>%s</title>", html.EscapeString(words)) }

func num(f float64) string {
	text := strings.TrimRight(strings.TrimRight(fmt.Sprintf("%.1f", f), "0"), ".")
	if text == "-0" {
		return "0"
	}
	return text
}
