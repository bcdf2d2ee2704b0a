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
	"thousands": thousands,
	"seconds":   seconds,
}).Parse(pageText))

// page is what the template shows: the input, what was drawn of it, and by its methods the rows of
// tables.
type page struct {
	Input
	Graph            template.HTML
	Cards            []card
	Images           []img // one a state, drawn where a predicate is explained
	Loss             template.HTML
	Codes            template.HTML
	Classifier       template.HTML
	Operators        []operator
	Toggling         bool // some operator toggles a predicate
	Nondeterministic []nondeterminism
	Matrix           template.HTML
	Predicates       []predicate
	SuccessPlot      template.HTML
	Film             []shot
	Diagnosed        []diagnosed
	AblationPlot     template.HTML
	Reliability      template.HTML
	Mistakes         template.HTML
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

// card is a learned state on the contact sheet.
type card struct {
	State   int
	Support int
	Code    string
	Bits    string
	Images  []template.URL
}

type img struct {
	State         int
	Width, Height int
	URI           template.URL
}

// seen is some states and how many more there are.
type seen struct {
	Images []img
	More   int
}

func (s *seen) add(p img, ok bool) {
	if !ok || len(s.Images) == examples {
		s.More++
		return
	}
	s.Images = append(s.Images, p)
}

// predicate is one predicate by example.
type predicate struct {
	Name       string
	Holds, Not seen
}

type shot struct {
	Action, Name string
	URI          template.URL
}

const (
	cardImages   = 4
	cardSide     = 200 // pixels; twice what the page shows, for sharp screens and print
	manyCardSide = 130 // the same where there are many states
	filmSide     = 300
	smallSide    = 72
	maxBits      = 20 // longer predicate vectors are in the matrix only
	examples     = 16 // states shown for each value of a predicate
)

func (p *page) addStates() error {
	side := cardSide
	if len(p.States) > roomy {
		side = manyCardSide
	}
	for s, state := range p.States {
		c := card{State: s, Support: state.Support, Code: state.Code}
		if p.Model != nil && p.Model.Predicates <= maxBits {
			if code, ok := p.Model.Code(strips.StateID(s)); ok {
				c.Bits = code.String()
			}
		}
		for _, m := range state.Images[:min(cardImages, len(state.Images))] {
			uri, _, err := embed(m, side)
			if err != nil {
				return fmt.Errorf("state %d: %w", s, err)
			}
			c.Images = append(c.Images, uri)
		}
		p.Cards = append(p.Cards, c)
		if len(state.Images) > 0 {
			uri, size, err := embed(state.Images[0], smallSide)
			if err != nil {
				return fmt.Errorf("state %d: %w", s, err)
			}
			p.Images = append(p.Images, img{s, size.X, size.Y, uri})
		}
	}
	return nil
}

// addPredicates shows each predicate by the states where it holds and where it does not.
func (p *page) addPredicates() {
	images := map[strips.StateID]img{}
	for _, img := range p.Images {
		images[strips.StateID(img.State)] = img
	}
	if len(images) == 0 {
		return
	}
	for i := range p.Model.Predicates {
		it := predicate{Name: fmt.Sprintf("p%d", i)}
		for _, k := range p.Model.States {
			shown, ok := images[k.Node]
			if k.Code.Get(strips.Predicate(i)) {
				it.Holds.add(shown, ok)
			} else {
				it.Not.add(shown, ok)
			}
		}
		p.Predicates = append(p.Predicates, it)
	}
}

// embed makes a data URI of an image; "" for none.
func embed(m image.Image, side int) (template.URL, image.Point, error) {
	t := shrunk(m, side)
	if t == nil {
		return "", image.Point{}, nil
	}
	uri, err := dataURI(t)
	return uri, t.Bounds().Size(), err
}

// interval is a share in per cent, with its 95 % interval, as text.
func interval(part, all int) (percent, low, high string) {
	from, to := Wilson(part, all)
	return share(part, all), fmt.Sprintf("%.1f", from), fmt.Sprintf("%.1f", to)
}

func share(part, all int) string { return fmt.Sprintf("%.1f", percent(part, all)) }

func seconds(s float64) string { return fmt.Sprintf("%.2f", s) }

// successRow is a row of the table of success.
type successRow struct {
	eval.Horizon
	Percent   string // solved
	Low, High string
}

// Rates are the rows of the table of success.
func (p *page) Rates() (rows []successRow) {
	for _, h := range p.Horizons {
		percent, low, high := interval(h.SolvedGraph, h.Queries)
		rows = append(rows, successRow{h, percent, low, high})
	}
	return rows
}

// Methods are the rows of the table of planners on the same queries.
func (p *page) Methods() (rows []compared) {
	if len(p.Horizons) == 0 || len(p.Input.Methods) == 0 {
		return nil
	}
	rows = append(rows, compare("STRIPS-WM", p.Horizons))
	for _, m := range p.Input.Methods {
		rows = append(rows, compare(m.Name, m.Horizons))
	}
	return rows
}

// Ablations are the rows of the table of conditions.
func (p *page) Ablations() (rows []compared) {
	for _, k := range p.Ablation {
		c := compare(k.Condition, k.Horizons)
		c.Ablation = k
		rows = append(rows, c)
	}
	return rows
}

// compared is a row of a table of methods: success in the true graph.
type compared struct {
	Name           string
	All, Low, High string // over all horizons, with its interval
	Longest        string
	eval.Ablation  // if it is one
}

func compare(name string, success []eval.Horizon) compared {
	c := compared{Name: name}
	if len(success) == 0 {
		return c
	}
	all, last := eval.Total(success)
	c.All, c.Low, c.High = interval(all.SolvedGraph, all.Queries)
	c.Longest = share(last.SolvedGraph, last.Queries)
	return c
}

// strength is a row of the tables of calibration.
type strength struct {
	eval.Calibration
	Share struct{ Right, Wrong, Certain, Unrecognized string }
	Error struct{ ECE, Brier string }
}

// Strengths are the rows of the tables of calibration.
func (p *page) Strengths() (rows []strength) {
	for _, c := range p.Calibration {
		s := strength{Calibration: c}
		s.Share.Right, s.Share.Wrong = share(c.Right, c.Images), share(c.Wrong, c.Images)
		s.Share.Certain = share(c.WrongCertain, c.Images)
		s.Share.Unrecognized = share(c.Unrecognized, c.Images)
		s.Error.ECE = fmt.Sprintf("%.4f", c.Together.ECE)
		s.Error.Brier = fmt.Sprintf("%.4f", c.Together.Brier)
		rows = append(rows, s)
	}
	return rows
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

// outlierRow is a row of the table of out-of-distribution images.
type outlierRow struct {
	Kind, Wrong, Right, Refused string
	Images                      int
}

// Outliers are the kinds of images of which some are classified as a wrong state, and sums.
func (p *page) Outliers() (rows []outlierRow) {
	add := func(o eval.OutOfDistribution) {
		rows = append(rows, outlierRow{o.Kind, share(o.Wrong, o.Images), share(o.Right, o.Images),
			share(o.Images-o.Wrong-o.Right, o.Images), o.Images})
	}
	for _, group := range []struct {
		name  string
		kinds []eval.OutOfDistribution
	}{{"that show no state", p.Unrelated}, {"that were tampered with", p.tampered()}} {
		sum := eval.OutOfDistribution{Kind: "all " + group.name}
		for _, o := range byWorst(group.kinds) {
			sum.Add(o)
			if o.Wrong > 0 {
				add(o)
			}
		}
		if sum.Images > 0 {
			add(sum)
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
