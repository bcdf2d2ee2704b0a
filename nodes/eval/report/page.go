package report

import (
	_ "embed"
	"fmt"
	"html/template"
	"image"
	"slices"
	"strings"

	"stripswm/models/strips"
	"stripswm/models/taskgraph"
	"stripswm/nodes/eval"
)

//go:embed page.html
var pageText string

//go:embed page.css
var style string

var pageTemplate = template.Must(template.New("page").Funcs(template.FuncMap{
	"thousands": thousands, "share": share, "interval": interval, "embed": embed,
	"total": func(h []eval.Horizon) eval.Horizon { all, _ := eval.Total(h); return all },
	"last":  func(h []eval.Horizon) eval.Horizon { _, last := eval.Total(h); return last },
	"refused": func(o eval.OutOfDistribution) string {
		return share(o.Images-o.Wrong-o.Right, o.Images)
	},
}).Parse(pageText))

// page is what the template shows: the input, what was drawn of it, and by its methods the rows of
// tables.
type page struct {
	Input
	Graph            template.HTML
	Images           map[strips.StateID]*img  // drawn where a predicate is explained
	Charts           map[string]template.HTML // by name
	Operators        []operator
	Toggling         bool // some operator toggles a predicate
	Nondeterministic []nondeterminism
	Matrix           template.HTML
	Diagnosed        []diagnosed
	ObjectsDrawing   template.URL
	OutliersDrawing  template.URL
}

// Style is the style sheet.
func (p *page) Style() template.CSS { return template.CSS(style) }

// Findings are the sentences at the head of the page.
func (p *page) Findings() []finding { return findings(p.Input) }

// Total is how many seconds the parts of the run took.
func (p *page) Total() (sum float64) {
	for _, t := range p.Timings {
		sum += t.Seconds
	}
	return sum
}

// Width is the length of a bar for a part of the run, in rem.
func (p *page) Width(seconds float64) string {
	return fmt.Sprintf("%.2f", 20*seconds/max(p.Total(), 1e-9))
}

// img is an image in the page.
type img struct {
	Width, Height int
	URI           template.URL
}

// seen is some states and how many more there are.
type seen struct {
	States []strips.StateID
	More   int
}

// predicate is one predicate by example.
type predicate struct {
	Name   string
	Groups [2]seen // where it holds, and where it does not
}

const (
	cardImages   = 4
	cardSide     = 200 // pixels; twice what the page shows, for sharp screens and print
	manyCardSide = 130 // the same where there are many states
	smallSide    = 72
	maxBits      = 20 // longer predicate vectors are in the matrix only
	examples     = 16 // states shown for each value of a predicate
)

// Side is how large a state's images are on the page.
func (p *page) Side() int {
	if len(p.States) > roomy {
		return manyCardSide
	}
	return cardSide
}

// Some are the images of a state that the page shows.
func (s StateImages) Some() []image.Image { return s.Images[:min(cardImages, len(s.Images))] }

// Bits are the predicates of a state; "" where they are in the matrix only.
func (p *page) Bits(state int) string {
	if p.Model != nil && p.Model.Predicates <= maxBits {
		if code, ok := p.Model.Code(strips.StateID(state)); ok {
			return code.String()
		}
	}
	return ""
}

// embedStates makes the small image of each state that has one.
func (p *page) embedStates() error {
	p.Images = map[strips.StateID]*img{}
	for s, state := range p.States {
		if len(state.Images) == 0 {
			continue
		}
		small, err := embed(state.Images[0], smallSide)
		if err != nil {
			return fmt.Errorf("state %d: %w", s, err)
		}
		p.Images[strips.StateID(s)] = small
	}
	return nil
}

// Predicates shows each predicate by the states where it holds and where it does not.
func (p *page) Predicates() (all []predicate) {
	if len(p.Images) == 0 {
		return nil
	}
	for i := range p.Model.Predicates {
		it := predicate{Name: fmt.Sprintf("p%d", i)}
		for _, k := range p.Model.States {
			group := &it.Groups[1]
			if k.Code.Get(strips.Predicate(i)) {
				group = &it.Groups[0]
			}
			if p.Images[k.Node] == nil || len(group.States) == examples {
				group.More++
			} else {
				group.States = append(group.States, k.Node)
			}
		}
		all = append(all, it)
	}
	return all
}

// embed makes a data URI of an image; nil of none.
func embed(m image.Image, side int) (*img, error) {
	t := shrunk(m, side)
	if t == nil {
		return nil, nil
	}
	uri, err := dataURI(t)
	return &img{t.Bounds().Dx(), t.Bounds().Dy(), uri}, err
}

// interval is the 95 % interval of a share in per cent, as text.
func interval(part, all int) string {
	low, high := Wilson(part, all)
	return fmt.Sprintf("%.1f to %.1f", low, high)
}

func share(part, all int) string { return fmt.Sprintf("%.1f", percent(part, all)) }

// Methods are the planners on the same queries, if there are several.
func (p *page) Methods() []eval.Method {
	if len(p.Horizons) == 0 || len(p.Input.Methods) == 0 {
		return nil
	}
	return append([]eval.Method{{Name: "STRIPS-WM", Horizons: p.Horizons}}, p.Input.Methods...)
}

// diagnosed is a diagnostic with its images in one.
type diagnosed struct {
	What, Do string
	Drawing  template.URL // none where it is empty
}

// sentence gives words a capital letter and a full stop.
func sentence(words string) string {
	return strings.ToUpper(words[:1]) + words[1:] + "."
}

// byWorst puts the kinds most often classified as a wrong state first.
func byWorst(groups ...[]eval.OutOfDistribution) []eval.OutOfDistribution {
	return slices.SortedStableFunc(slices.Values(slices.Concat(groups...)),
		func(a, b eval.OutOfDistribution) int { return b.Wrong*a.Images - a.Wrong*b.Images })
}

// Outliers are the kinds of images of which some are classified as a wrong state, and sums.
func (p *page) Outliers() (rows []eval.OutOfDistribution) {
	for _, group := range []struct {
		name  string
		kinds []eval.OutOfDistribution
	}{{"that show no state", p.Unrelated}, {"that were tampered with", p.tampered()}} {
		sum := eval.OutOfDistribution{Kind: "all " + group.name}
		for _, o := range byWorst(group.kinds) {
			sum.Add(o)
			if o.Wrong > 0 {
				rows = append(rows, o)
			}
		}
		if sum.Images > 0 {
			rows = append(rows, sum)
		}
	}
	return rows
}

// operator is one row of the table of operators, which has those of one action
// (its variants) below each other.
type operator struct {
	Action   strips.ActionID
	Name     string
	Variant  int    // from 1
	Variants int    // of the action
	Needs    string // "p3, ¬p5"
	Adds     string
	Deletes  string
	Toggles  string
	Edges    int // transitions of the task graph that it explains
	Seen     int // observations of them
	// exceptions of the action: states where the data says that it does not apply and no precondition
	// does
	Except int
}

// nondeterminism is a state and an action that the recording shows with several outcomes.
type nondeterminism struct {
	State    strips.StateID
	Name     string
	Outcomes string // "7 times to state 2, 3 times to state 4"
}

func operatorRows(m *strips.Model, g *taskgraph.Graph) []operator {
	except := map[strips.ActionID]int{}
	for _, e := range m.Exceptions {
		except[e.Action]++
	}
	rows := make([]operator, 0, len(m.Operators))
	for a := range strips.ActionID(m.Actions()) {
		variants := m.Variants(a + 1)
		of := len(rows)
		for i, o := range variants {
			rows = append(rows, operator{
				Action: o.Action, Name: o.Name, Variant: i + 1, Variants: len(variants),
				Needs: join(literals("", o.PrePos), literals("¬", o.PreNeg)),
				Adds:  literals("", o.Add), Deletes: literals("", o.Del), Toggles: literals("", o.Toggle),
				Except: except[o.Action],
			})
		}
		explained(rows[of:], variants, m, g)
	}
	return rows
}

// explained counts the edges of an action for the operator that applies there; an operator that is
// alone explains all of them. Nothing explains a nondeterministic outcome.
func explained(rows []operator, variants []strips.Operator, m *strips.Model, g *taskgraph.Graph) {
	if g == nil {
		return
	}
	left := map[strips.StateID]bool{}
	for _, c := range m.Nondeterministic {
		left[c.Node] = left[c.Node] || c.Action == variants[0].Action
	}
	for _, e := range g.Edges {
		if e.Action != variants[0].Action || left[e.Source] {
			continue
		}
		code, known := m.Code(e.Source)
		for i := range variants {
			if len(variants) == 1 || known && variants[i].Applicable(code) {
				rows[i].Edges++
				rows[i].Seen += e.Support
				break
			}
		}
	}
}

func nondeterministic(m *strips.Model) []nondeterminism {
	var rows []nondeterminism
	for _, c := range m.Nondeterministic {
		words := make([]string, len(c.Outcomes))
		for i, o := range c.Outcomes {
			words[i] = fmt.Sprintf("%s to state %d", count(o.Count, "time", "times"), o.Target)
		}
		rows = append(rows, nondeterminism{c.Node, m.Label(c.Action), strings.Join(words, ", ")})
	}
	return rows
}

// String is the operator in words: "pick_0_1: needs p3, ¬p5; adds p2; deletes p3".
func (o operator) String() string {
	var parts []string
	for _, p := range []struct{ verb, what string }{{"needs", o.Needs}, {"adds", o.Adds},
		{"deletes", o.Deletes}, {"toggles", o.Toggles}} {
		if p.what != "" {
			parts = append(parts, p.verb+" "+p.what)
		}
	}
	if len(parts) == 0 {
		parts = []string{"applies always, changes nothing"}
	}
	name := o.Name
	if o.Variants > 1 {
		name = fmt.Sprintf("%s (%d of %d)", o.Name, o.Variant, o.Variants)
	}
	return name + ": " + strings.Join(parts, "; ")
}

// String says it in words.
func (c nondeterminism) String() string {
	return fmt.Sprintf("%s in state %d has no certain outcome: %s", c.Name, c.State, c.Outcomes)
}

func literals(sign string, predicates []strips.Predicate) string {
	words := make([]string, len(predicates))
	for i, p := range predicates {
		words[i] = fmt.Sprintf("%sp%d", sign, p)
	}
	return strings.Join(words, ", ")
}

func join(parts ...string) string {
	var kept []string
	for _, p := range parts {
		if p != "" {
			kept = append(kept, p)
		}
	}
	return strings.Join(kept, ", ")
}
