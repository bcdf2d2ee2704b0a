package report

import (
	"bytes"
	_ "embed"
	"fmt"
	"html/template"
	"image"
	"slices"
	"strings"

	"stripswm/models/strips"
	"stripswm/models/taskgraph"
)

//go:embed page.html
var pageText string

//go:embed page.css
var style string

var pageTemplate = template.Must(template.New("page").Funcs(template.FuncMap{
	"thousands": thousands,
	"seconds":   seconds,
}).Parse(pageText))

// markup is a drawing of this package, safe to put in a page.
type markup = template.HTML

// page is what the template shows: the input and what was made of it.
type page struct {
	Input
	Style            template.CSS
	Findings         []finding
	Graph            markup
	Cards            []card
	Images           []img // one a state, drawn where a predicate is explained
	Loss             markup
	Codes            markup
	Classifier       markup
	Operators        []operator
	Toggling         bool // some operator toggles a predicate
	Nondeterministic []nondeterminism
	Matrix           markup
	Predicates       []predicate
	Rates            []rate
	SuccessPlot      markup
	Methods          []compared
	Film             []shot
	Diagnosed        []diagnosed
	Total            float64 // seconds

	Ablations    []compared
	AblationPlot markup
	Reliability  markup
	Mistakes     markup
	Strengths    []strength

	OutOfDistribution        []taken
	OutOfDistributionDrawing template.URL
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

func (p *page) addPlan() error {
	for i, f := range p.Plan.frames() {
		uri, _, err := embed(f.Image, filmSide)
		if err != nil {
			return fmt.Errorf("frame %d of the plan: %w", i, err)
		}
		p.Film = append(p.Film, shot{f.Action, f.Name, uri})
	}
	return nil
}

func (p *page) render() ([]byte, error) {
	p.Style = template.CSS(style)
	p.Findings = findings(p.Input)
	if p.Title == "" {
		p.Title = p.Domain
	}
	for _, t := range p.Timings {
		p.Total += t.Seconds
	}
	var b bytes.Buffer
	if err := pageTemplate.Execute(&b, p); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// Width is the length of a bar for a part of the run, in rem.
func (p *page) Width(seconds float64) string {
	return fmt.Sprintf("%.2f", 20*seconds/max(p.Total, 1e-9))
}

// embed makes a data URI of an image; "" for none.
func embed(m image.Image, side int) (template.URL, image.Point, error) {
	t := shrunk(m, side)
	if t == nil {
		return "", image.Point{}, nil
	}
	uri, err := dataURI(t)
	return template.URL(uri), t.Bounds().Size(), err
}

func raw(drawing string) markup { return markup(drawing) }

// labelled names a drawing for people who do not see it.
func labelled(drawing, label string) markup {
	return raw(strings.Replace(drawing, "<svg ", fmt.Sprintf("<svg role=\"img\" aria-label=%q ",
		label), 1))
}

func share(part, all int) string { return fmt.Sprintf("%.1f", percent(part, all)) }

func seconds(s float64) string { return fmt.Sprintf("%.2f", s) }

// rate is a row of the table of success.
type rate struct {
	Horizon
	Percent   string // solved
	Low, High string
}

func (p *page) addSuccess() {
	for _, h := range p.Success {
		low, high := Wilson(h.SolvedGraph, h.Queries)
		p.Rates = append(p.Rates, rate{h, share(h.SolvedGraph, h.Queries), fmt.Sprintf("%.1f", low),
			fmt.Sprintf("%.1f", high)})
	}
	if len(p.Baselines) == 0 {
		return
	}
	p.Methods = append(p.Methods, compare("STRIPS-WM", p.Success))
	for _, m := range p.Baselines {
		p.Methods = append(p.Methods, compare(m.Name, m.Success))
	}
}

// compared is a row of a table of methods: success in the true graph.
type compared struct {
	Name           string
	All, Low, High string // over all horizons, with its interval
	Longest        string
	Condition      // of an ablation
}

func compare(name string, success []Horizon) compared {
	c := compared{Name: name}
	if len(success) == 0 {
		return c
	}
	queries, graph := sums(success)
	low, high := Wilson(graph, queries)
	last := success[len(success)-1]
	c.All, c.Low, c.High = share(graph, queries), fmt.Sprintf("%.1f", low), fmt.Sprintf("%.1f", high)
	c.Longest = share(last.SolvedGraph, last.Queries)
	return c
}

func (p *page) addAblation() {
	for _, k := range p.Ablation {
		c := compare(k.Name, k.Success)
		c.Condition = k
		p.Ablations = append(p.Ablations, c)
	}
}

// strength is a row of the tables of calibration.
type strength struct {
	Calibration
	Share struct{ Right, Wrong, Certain, Unrecognized string }
	Error struct{ ECE, Brier string }
}

func (p *page) addCalibration() {
	for _, c := range p.Calibration {
		s := strength{Calibration: c}
		s.Share.Right, s.Share.Wrong = share(c.Right, c.Images), share(c.Wrong, c.Images)
		s.Share.Certain, s.Share.Unrecognized = share(c.WrongCertain, c.Images), share(c.Unrecognized,
			c.Images)
		s.Error.ECE, s.Error.Brier = fmt.Sprintf("%.4f", c.Together.ECE), fmt.Sprintf("%.4f",
			c.Together.Brier)
		p.Strengths = append(p.Strengths, s)
	}
}

// diagnosed is a diagnostic with its images in one.
type diagnosed struct {
	What, Do string
	Drawing  template.URL // none where it is empty
}

func (p *page) addDiagnostics() error {
	for _, d := range p.Diagnostics {
		shown := diagnosed{What: sentence(d.What), Do: sentence(d.Do)}
		if len(d.Images) > 0 {
			sheet, err := attemptsSheet(d.Images)
			if err != nil {
				return err
			}
			uri, err := dataURI(sheet)
			if err != nil {
				return err
			}
			shown.Drawing = template.URL(uri)
		}
		p.Diagnosed = append(p.Diagnosed, shown)
	}
	return nil
}

// sentence gives words a capital letter and a full stop.
func sentence(words string) string {
	return strings.ToUpper(words[:1]) + words[1:] + "."
}

// byWorst puts the kinds most often classified as a wrong state first.
func byWorst(groups ...[]OutOfDistributionRow) []OutOfDistributionRow {
	return slices.SortedStableFunc(slices.Values(slices.Concat(groups...)),
		func(a, b OutOfDistributionRow) int { return b.Wrong*a.Images - a.Wrong*b.Images })
}

// outOfDistributionSheet puts an example of each kind together, with what it is classified as.
func outOfDistributionSheet(all []OutOfDistributionRow) (image.Image, error) {
	const side, across = 190, 6 // wide enough for the words
	columns := min(across, len(all))
	high := side + 2*lineStep + margin
	c, err := newCanvas(margin+columns*(side+margin), margin+(len(all)+columns-1)/columns*high)
	if err != nil {
		return nil, err
	}
	for i, s := range all {
		x, y := margin+i%columns*(side+margin), margin+i/columns*high
		colour := black
		if s.Wrong > 0 {
			colour = vermilion
		}
		c.put(s.Image, x, y, side, side)
		c.write(s.Kind, x, y+side+lineStep-4, side, black)
		c.write(s.Verdict, x, y+side+2*lineStep-6, side, colour)
	}
	return c, nil
}

// taken is a row of the table of out-of-distribution images.
type taken struct {
	Kind, Wrong, Right, Refused string
	Images                      int
}

func rowOf(s OutOfDistributionRow) taken {
	return taken{s.Kind, share(s.Wrong, s.Images), share(s.Right, s.Images),
		share(s.Images-s.Wrong-s.Right, s.Images), s.Images}
}

func (p *page) addOutOfDistribution(sheet image.Image) error {
	for _, group := range []struct {
		name  string
		kinds []OutOfDistributionRow
	}{{"that show no state", p.Unrelated}, {"that were tampered with", p.Corrupted}} {
		sum := OutOfDistributionRow{Kind: "all " + group.name}
		for _, s := range byWorst(group.kinds) {
			sum.Images, sum.Right, sum.Wrong = sum.Images+s.Images, sum.Right+s.Right, sum.Wrong+s.Wrong
			if s.Wrong > 0 {
				p.OutOfDistribution = append(p.OutOfDistribution, rowOf(s))
			}
		}
		if sum.Images > 0 {
			p.OutOfDistribution = append(p.OutOfDistribution, rowOf(sum))
		}
	}
	uri, err := dataURI(sheet)
	p.OutOfDistributionDrawing = template.URL(uri)
	return err
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

// nondeterminism is a state and an action whose outcome the model calls nondeterministic.
type nondeterminism struct {
	State    strips.StateID
	Name     string
	Outcomes string // "7 times to state 2, 3 times to state 4"
}

func operators(m *strips.Model, g *taskgraph.Graph) []operator {
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

// explained counts the edges of an action for the operator that applies there, one
// that is alone for all; what is nondeterministic nothing explains.
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

// String is the nondeterministic outcome in words.
func (c nondeterminism) String() string {
	return fmt.Sprintf("%s in state %d is left to nondeterministic: %s", c.Name, c.State, c.Outcomes)
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
