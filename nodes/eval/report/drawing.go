package report

import (
	"fmt"
	"html"
	"html/template"
	"math"
	"strings"

	"stripswm/models/strips"
	"stripswm/models/taskgraph"
)

// Graphs of more states are not drawn: the image would show nothing and cost minutes.
const maxDrawn = 1000

// Graphs of more states are drawn with dots in place of images.
const maxShown = 150

// Graphs of more states are drawn closer.
const roomy = 40

// Graphs with more arrows are drawn without the actions' names.
const maxLabelled = 300

// arrow is all edges from one state to another.
type arrow struct {
	from, to strips.StateID
	labels   []string
	support  int
	branches bool // an action of it leads elsewhere too
}

// newDrawing lays a task graph out. Its nodes are images where there are some.
func newDrawing(g *taskgraph.Graph, states []StateImages) (*drawing, error) {
	d := &drawing{g: g, states: states, arrows: gather(g), box: point{7, 7}, round: 3.5}
	unit := 26.0
	if g.NumStates() <= maxShown {
		d.box, d.round, unit = point{48, 28}, 5, 120
		if err := d.load(); err != nil {
			return nil, err
		}
		d.labelled = len(d.arrows) <= maxLabelled
	}
	if g.NumStates() <= roomy {
		unit *= 1.45 // for the names of actions
	}
	d.at = layout(g, unit, d.box.add(point{unit / 4, unit / 5}))
	return d, nil
}

// draw gives the drawing as SVG. With anchors, nodes link to their state's card on the page.
func (d *drawing) draw(anchors bool) string {
	d.svg, d.anchors = svg{}, anchors
	low, high := bounds(d.at)
	margin := d.box.times(0.5).add(point{22, 22})
	low, high = low.sub(margin), high.add(margin)
	d.open(low, high.sub(low), fmt.Sprintf("task graph of %d states and %d edges", d.g.NumStates(),
		len(d.g.Edges)))
	d.markers()
	two := map[[2]strips.StateID]bool{}
	most := 1
	for _, a := range d.arrows {
		two[[2]strips.StateID{a.from, a.to}] = true
		most = max(most, a.support)
	}
	for _, a := range d.arrows {
		d.arrow(a, two[[2]strips.StateID{a.to, a.from}], most)
	}
	for s := range d.g.Nodes {
		d.node(strips.StateID(s))
	}
	return d.close()
}

// gather joins parallel edges, in the order of the graph.
func gather(g *taskgraph.Graph) []arrow {
	branching := map[[2]int]bool{}
	for _, b := range g.Nondeterministic() {
		branching[[2]int{int(b.Source), int(b.Action)}] = true
	}
	index := map[[2]strips.StateID]int{}
	var arrows []arrow
	for _, e := range g.Edges {
		key := [2]strips.StateID{e.Source, e.Target}
		i, known := index[key]
		if !known {
			i = len(arrows)
			index[key] = i
			arrows = append(arrows, arrow{from: e.Source, to: e.Target})
		}
		a := &arrows[i]
		a.labels = append(a.labels, g.Label(e.Action))
		a.support += e.Support
		a.branches = a.branches || branching[[2]int{int(e.Source), int(e.Action)}]
	}
	return arrows
}

type drawing struct {
	svg
	g        *taskgraph.Graph
	states   []StateImages
	arrows   []arrow
	at       []point
	box      point // size of a node
	round    float64
	images   []template.URL // data URIs, "" for none
	img      point          // size of the images
	anchors  bool
	labelled bool
}

// load makes the nodes' images and gives every node the size of the largest.
func (d *drawing) load() error {
	d.images = make([]template.URL, d.g.NumStates())
	for s := range min(len(d.states), len(d.images)) {
		if len(d.states[s].Images) == 0 {
			continue
		}
		m := thumbnail(d.states[s].Images[0], d.side(), d.side())
		if m == nil {
			continue
		}
		uri, err := dataURI(m)
		if err != nil {
			return fmt.Errorf("image of state %d: %w", s, err)
		}
		d.images[s] = uri
		d.img = point{max(d.img.x, float64(m.Bounds().Dx())), max(d.img.y, float64(m.Bounds().Dy()))}
	}
	if d.img.x > 0 {
		d.box = d.img.add(point{6, 20})
	}
	return nil
}

// side is how wide and high a node's image may be.
func (d *drawing) side() int {
	if d.g.NumStates() <= roomy {
		return 92
	}
	return 64
}

func (d *drawing) markers() {
	d.WriteString("<defs>\n")
	d.marker("seen", grey)
	d.marker("branch", vermilion)
	d.WriteString("</defs>\n")
}

func (d *drawing) marker(name, colour string) {
	fmt.Fprintf(d, `<marker id=%q viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" markerUnits="userSpaceOnUse" orient="auto"><path d="M0 0.8 8 4 0 7.2z" fill=%q/></marker>`+"\n", name, colour)
}

func (d *drawing) node(s strips.StateID) {
	n := d.g.Nodes[s]
	words := fmt.Sprintf("state %d: %d observations", s, n.Support)
	if n.Code != "" {
		words += ", code " + n.Code
	}
	if d.anchors && int(s) < len(d.states) {
		fmt.Fprintf(d, `<a href="#state-%d">`, s)
		defer d.WriteString("</a>\n")
	}
	d.WriteString("<g>")
	defer d.WriteString("</g>\n")
	d.title(words)
	corner := d.at[s].sub(d.box.times(0.5))
	fill := "#ffffff"
	if d.images == nil {
		fill = blue
	}
	d.rect(corner, d.box, fmt.Sprintf(`rx=%q fill=%q stroke=%q stroke-width="1"`, num(d.round), fill, grey))
	switch {
	case d.images == nil:
	case d.images[s] != "":
		fmt.Fprintf(d, "<image x=%q y=%q width=%q height=%q href=%q/>\n", num(corner.x+3),
			num(corner.y+3), num(d.img.x), num(d.img.y), d.images[s])
		d.text(point{d.at[s].x, corner.y + d.box.y - 5}, caption, fmt.Sprintf("s%d · %d", s, n.Support))
	default:
		d.text(point{d.at[s].x, d.at[s].y + 4}, caption, fmt.Sprintf("s%d · %d", s, n.Support))
	}
}

const caption = `font-size="12" text-anchor="middle" fill="` + black + `"`

// arrow draws an edge as a curve that bends aside where its reverse is there too, from border to
// border.
func (d *drawing) arrow(a arrow, two bool, most int) {
	colour, marker, dash := grey, "seen", ""
	if a.branches {
		colour, marker, dash = vermilion, "branch", ` stroke-dasharray="5 3"`
	}
	width := 0.8 + 1.2*math.Log1p(float64(a.support))/math.Log1p(float64(most))
	name := strings.Join(a.labels, ", ")
	words := fmt.Sprintf("%s: s%d → s%d, seen %d times", name, a.from, a.to, a.support)
	if a.branches {
		words += ", leads to other states too"
	}
	from, to := d.at[a.from], d.at[a.to]
	if a.from == a.to {
		d.loop(from, colour, marker, words)
		return
	}
	offset := to.sub(from)
	side := point{-offset.y, offset.x}.times(1 / max(offset.length(), 1e-9))
	bend := 0.0
	if two {
		bend = min(0.16*offset.length(), 26)
	}
	c := curve{from, from.mix(to, 0.5).add(side.times(2 * bend)), to}
	c = c.part(c.leave(from, d.box, 2), 1)
	c = c.part(0, c.enter(to, d.box, 3))
	fmt.Fprintf(d, `<path d="M%s %sQ%s %s %s %s" fill="none" stroke=%q stroke-width="%.1f"%s marker-end="url(#%s)">`,
		num(c[0].x), num(c[0].y), num(c[1].x), num(c[1].y), num(c[2].x), num(c[2].y), colour, width, dash,
		marker)
	d.title(words)
	d.WriteString("</path>\n")
	if d.labelled {
		d.name(c.at(0.5), side, colour, shorten(name, 24))
	}
}

// name writes the actions of an arrow beside its middle, just clear of the line.
func (d *drawing) name(at, side point, colour, name string) {
	const high, wide = 11.0, 5.9 // of the letters
	half := point{wide * float64(len([]rune(name))) / 2, high / 2}
	at = at.add(side.times(3 + math.Abs(side.x)*half.x + math.Abs(side.y)*half.y))
	d.text(at.add(point{0, high / 3}), fmt.Sprintf(`font-size="%s" text-anchor="middle" fill=%q stroke="#ffffff" stroke-width="2.5" paint-order="stroke"`,
		num(high), colour), name)
}

func (d *drawing) loop(at point, colour, marker, words string) {
	top := at.y - d.box.y/2
	fmt.Fprintf(d, `<path d="M%s %sc-8 -18 16 -18 8 0" fill="none" stroke=%q marker-end="url(#%s)">`, num(at.x-4), num(top), colour, marker)
	d.title(words)
	d.WriteString("</path>\n")
}

func shorten(s string, most int) string {
	if r := []rune(s); len(r) > most {
		return string(r[:most-1]) + "…"
	}
	return s
}

// curve is a quadratic Bézier curve: start, control point, end.
type curve [3]point

func (c curve) at(t float64) point {
	return c[0].mix(c[1], t).mix(c[1].mix(c[2], t), t)
}

// part is the curve between two of its parameters.
func (c curve) part(t0, t1 float64) curve {
	control := c[0].mix(c[1], t1).mix(c[1].mix(c[2], t1), t0)
	return curve{c.at(t0), control, c.at(t1)}
}

// leave is where the curve, which begins at the middle of a box, is clear of it by a gap.
func (c curve) leave(middle, box point, gap float64) float64 {
	for t := 0.0; t < 0.5; t += 1.0 / 256 {
		d := c.at(t).sub(middle)
		if math.Abs(d.x) > box.x/2+gap || math.Abs(d.y) > box.y/2+gap {
			return t
		}
	}
	return 0.5
}

// enter is where the curve, which ends at the middle of a box, reaches it but for a gap.
func (c curve) enter(middle, box point, gap float64) float64 {
	return 1 - curve{c[2], c[1], c[0]}.leave(middle, box, gap)
}

// A matrix drawing is at most about this wide where its rows can stand in several blocks, side by
// side.
const matrixWidth = 1000.0

// matrixDrawing draws the predicate vector of each learned state: a row a state, a column a
// predicate, dark where it holds. Rows with the same vector as an earlier one name it.
func matrixDrawing(m *strips.Model) string {
	d := matrix{cell: 18, model: m, first: map[strips.State]strips.StateID{}}
	blocks := 1
	if n := len(m.States); n > 40 {
		d.cell = 11
		blocks = max(1, min(int(matrixWidth/d.width()), (n+29)/30))
	}
	rows := (len(m.States) + blocks - 1) / blocks
	size := point{d.width() * float64(blocks), matrixTop + d.cell*float64(rows) + 4}
	d.open(point{}, size, fmt.Sprintf("%d states by %d predicates", len(m.States), m.Predicates))
	for i, k := range m.States {
		corner := point{d.width()*float64(i/rows) + matrixLeft, matrixTop + d.cell*float64(i%rows)}
		if i%rows == 0 {
			d.head(corner)
		}
		d.row(corner, k)
	}
	return d.close()
}

// Room for labels on three sides of a block.
const matrixLeft, matrixTop, matrixRight = 44.0, 26.0, 50.0

type matrix struct {
	svg
	cell  float64
	model *strips.Model
	first map[strips.State]strips.StateID // by vector
}

func (d *matrix) width() float64 {
	return matrixLeft + d.cell*float64(d.model.Predicates) + matrixRight
}

func (d *matrix) head(at point) {
	d.label(at.add(point{-8, -7}), "end", black, "state")
	for p := range d.model.Predicates {
		d.label(at.add(point{d.cell * (float64(p) + 0.5), -7}), "middle", black, fmt.Sprint(p))
	}
}

func (d *matrix) row(at point, k strips.Known) {
	line := at.add(point{0, d.cell * 0.72})
	d.label(line.add(point{-8, 0}), "end", black, fmt.Sprintf("s%d", k.Node))
	for p := range d.model.Predicates {
		fill := "#f3f3f3"
		if k.Code.Get(strips.Predicate(p)) {
			fill = blue
		}
		d.rect(at.add(point{d.cell*float64(p) + 0.5, 0.5}), point{d.cell - 1, d.cell - 1},
			fmt.Sprintf("fill=%q", fill))
	}
	if s, seen := d.first[k.Code]; seen {
		d.label(line.add(point{d.cell*float64(d.model.Predicates) + 6, 0}), "start", vermilion,
			fmt.Sprintf("= s%d", s))
		return
	}
	d.first[k.Code] = k.Node
}

func (d *matrix) label(at point, anchor, colour, words string) {
	d.text(at, fmt.Sprintf(`font-size="%s" text-anchor=%q fill=%q`, num(d.cell*0.6+1), anchor, colour), words)
}

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
