package report

import (
	"fmt"
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
	images   []string // data URIs, "" for none
	img      point    // size of the images
	anchors  bool
	labelled bool
}

// load makes the nodes' images and gives every node the size of the largest.
func (d *drawing) load() error {
	d.images = make([]string, d.g.NumStates())
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
