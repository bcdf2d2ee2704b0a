package report

import (
	_ "embed"
	"fmt"
	"html/template"
	"math"
	"slices"
	"strings"

	"stripswm/models/strips"
	"stripswm/models/taskgraph"
)

//go:embed drawing.svg
var drawingText string

// drawings are the templates of the graph and the matrix.
var drawings = template.Must(template.New("drawing").Funcs(template.FuncMap{"num": num,
	"colour": func(kind string) string {
		return map[string]string{"seen": grey, "branch": vermilion}[kind]
	}}).Parse(drawingText))

// svg draws by a template.
func svg(name string, data any) (template.HTML, error) {
	var b strings.Builder
	err := drawings.ExecuteTemplate(&b, name, data)
	return template.HTML(b.String()), err
}

// Graphs of more states are not drawn: the image would show nothing and cost minutes.
const maxDrawn = 1000

// Graphs of more states are drawn with dots in place of images.
const maxShown = 150

// Graphs of more states are drawn closer.
const roomy = 40

// Graphs with more arrows are drawn without the actions' names.
const maxLabelled = 300

// frame is what each drawing has.
type frame struct {
	Low, Size point
	Label     string
}

// drawing is a task graph. Its nodes are images where there are some, or dots.
type drawing struct {
	frame
	Arrows                      []arrow
	Nodes                       []node
	Box, Corner, Inner, Picture point // of a node, from its middle, and of its image
	Below                       float64
	Dots, Labelled              bool
}

// node is a state.
type node struct {
	State   int
	At      point
	Words   string
	Support int
	Image   template.URL
	Link    bool // to the state's card on the page
}

// arrow is all edges from one state to another.
type arrow struct {
	from, to strips.StateID
	labels   []string
	support  int
	Branches bool // an action of it leads elsewhere too

	Path  string
	Width float64
	Name  point // middle of the actions' names
}

// Kind is of the arrow's head, and colour.
func (a arrow) Kind() string {
	if a.Branches {
		return "branch"
	}
	return "seen"
}

// Short are the actions as far as there is room.
func (a arrow) Short() string {
	const most = 24
	name := []rune(strings.Join(a.labels, ", "))
	if len(name) > most {
		return string(name[:most-1]) + "…"
	}
	return string(name)
}

// Words are for the pointer.
func (a arrow) Words() string {
	words := fmt.Sprintf("%s: s%d → s%d, seen %d times", strings.Join(a.labels, ", "), a.from, a.to,
		a.support)
	if a.Branches {
		words += ", leads to other states too"
	}
	return words
}

// newDrawing lays a task graph out.
func newDrawing(g *taskgraph.Graph, states []StateImages) (*drawing, error) {
	d := &drawing{Arrows: gather(g), Nodes: make([]node, g.NumStates()), Box: point{7, 7}, Dots: true}
	unit, side := 26.0, 64
	if g.NumStates() <= roomy {
		side = 92
	}
	if g.NumStates() <= maxShown {
		d.Box, d.Dots, unit = point{48, 28}, false, 120
		if err := d.load(states, side); err != nil {
			return nil, err
		}
		d.Labelled = len(d.Arrows) <= maxLabelled
	}
	if g.NumStates() <= roomy {
		unit *= 1.45 // for the names of actions
	}
	d.Corner = d.Box.times(-0.5)
	d.Inner, d.Below = d.Corner.add(point{3, 3}), d.Box.Y/2-5
	at := layout(g, unit, d.Box.add(point{unit / 4, unit / 5}))
	for s, n := range g.Nodes {
		node := &d.Nodes[s]
		node.State, node.At, node.Support = s, at[s], n.Support
		node.Words = fmt.Sprintf("state %d: %d observations", s, n.Support)
		if n.Code != "" {
			node.Words += ", code " + n.Code
		}
	}
	two, most := map[[2]strips.StateID]bool{}, 1
	for _, a := range d.Arrows {
		two[[2]strips.StateID{a.from, a.to}] = true
		most = max(most, a.support)
	}
	for i := range d.Arrows {
		a := &d.Arrows[i]
		a.Width = 0.8 + 1.2*math.Log1p(float64(a.support))/math.Log1p(float64(most))
		a.place(at[a.from], at[a.to], d.Box, two[[2]strips.StateID{a.to, a.from}])
	}
	low, high := bounds(at)
	margin := d.Box.times(0.5).add(point{22, 22})
	d.Low, d.Size = low.sub(margin), high.sub(low).add(margin.times(2))
	d.Label = fmt.Sprintf("task graph of %d states and %d edges", g.NumStates(), len(g.Edges))
	return d, nil
}

// linked has nodes link to the cards of so many states.
func (d drawing) linked(cards int) drawing {
	d.Nodes = slices.Clone(d.Nodes)
	for s := range min(cards, len(d.Nodes)) {
		d.Nodes[s].Link = true
	}
	return d
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
		a.Branches = a.Branches || branching[[2]int{int(e.Source), int(e.Action)}]
	}
	return arrows
}

// load makes the nodes' images and gives every node the size of the largest.
func (d *drawing) load(states []StateImages, side int) error {
	for s := range min(len(states), len(d.Nodes)) {
		if len(states[s].Images) == 0 {
			continue
		}
		m := thumbnail(states[s].Images[0], side, side)
		if m == nil {
			continue
		}
		var err error
		if d.Nodes[s].Image, err = dataURI(m); err != nil {
			return fmt.Errorf("image of state %d: %w", s, err)
		}
		size := m.Bounds().Size()
		d.Picture = point{max(d.Picture.X, float64(size.X)), max(d.Picture.Y, float64(size.Y))}
	}
	if d.Picture.X > 0 {
		d.Box = d.Picture.add(point{6, 20})
	}
	return nil
}

// place draws an edge as a curve that bends aside where its reverse is there too, from border to
// border, and puts its name beside the middle, just clear of the line.
func (a *arrow) place(from, to, box point, two bool) {
	const high, wide = 11.0, 5.9 // of the letters
	if a.from == a.to {
		a.Path = fmt.Sprintf("M%s %sc-8 -18 16 -18 8 0", num(from.X-4), num(from.Y-box.Y/2))
		a.Name = point{from.X, from.Y - box.Y/2 - 20}
		return
	}
	offset := to.sub(from)
	side := point{-offset.Y, offset.X}.times(1 / max(offset.length(), 1e-9))
	bend := 0.0
	if two {
		bend = min(0.16*offset.length(), 26)
	}
	c := curve{from, from.mix(to, 0.5).add(side.times(2 * bend)), to}
	c = c.part(c.leave(from, box, 2), 1)
	c = c.part(0, c.enter(to, box, 3))
	a.Path = fmt.Sprintf("M%s %sQ%s %s %s %s", num(c[0].X), num(c[0].Y), num(c[1].X), num(c[1].Y),
		num(c[2].X), num(c[2].Y))
	half := point{wide * float64(len([]rune(a.Short()))) / 2, high / 2}
	a.Name = c.at(0.5).add(side.times(3 + math.Abs(side.X)*half.X + math.Abs(side.Y)*half.Y))
	a.Name.Y += high / 3
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
		if math.Abs(d.X) > box.X/2+gap || math.Abs(d.Y) > box.Y/2+gap {
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

// Room for labels on three sides of a block.
const matrixLeft, matrixTop, matrixRight = 44.0, 26.0, 50.0

// matrix is the predicate vector of each learned state: a row a state, a column a predicate, dark
// where it holds. Rows with the same vector as an earlier one name it.
type matrix struct {
	frame
	Columns                     []float64 // left sides
	Side, Half, Font, Line, End float64   // of a cell, of letters, of a row
	Rows                        []row
}

type row struct {
	strips.Known
	At    point
	First bool   // of its block
	Same  string // state
}

func newMatrix(m *strips.Model) *matrix {
	cell, blocks := 18.0, 1
	if len(m.States) > 40 {
		cell = 11
	}
	wide := cell * float64(m.Predicates)
	whole := matrixLeft + wide + matrixRight
	if n := len(m.States); n > 40 {
		blocks = max(1, min(int(matrixWidth/whole), (n+29)/30))
	}
	rows := (len(m.States) + blocks - 1) / blocks
	d := &matrix{Side: cell - 1, Half: cell/2 - 0.5, Font: cell*0.6 + 1, Line: cell * 0.72,
		End: wide + 6}
	d.Size = point{whole * float64(blocks), matrixTop + cell*float64(rows) + 4}
	d.Label = fmt.Sprintf("%d states by %d predicates", len(m.States), m.Predicates)
	for p := range m.Predicates {
		d.Columns = append(d.Columns, cell*float64(p)+0.5)
	}
	first := map[strips.State]string{}
	for i, k := range m.States {
		at := point{whole*float64(i/rows) + matrixLeft, matrixTop + cell*float64(i%rows)}
		d.Rows = append(d.Rows, row{k, at, i%rows == 0, first[k.Code]})
		if first[k.Code] == "" {
			first[k.Code] = fmt.Sprint(k.Node)
		}
	}
	return d
}

// Colours after Okabe and Ito (https://jfly.uni-koeln.de/color/), which people with any kind of
// colour vision distinguish.
const (
	black     = "#222222"
	grey      = "#767676"
	pale      = "#d9d9d9"
	faint     = "#f2c9ad" // vermilion, far away
	blue      = "#0072b2"
	sky       = "#56b4e9"
	vermilion = "#d55e00"
	orange    = "#e69f00"
	green     = "#009e73"
	purple    = "#cc79a7"
)

func num(f float64) string {
	text := strings.TrimRight(strings.TrimRight(fmt.Sprintf("%.1f", f), "0"), ".")
	if text == "-0" {
		return "0"
	}
	return text
}
