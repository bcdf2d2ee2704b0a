package report

import (
	"bytes"
	_ "embed"
	"fmt"
	"html/template"
	"image"
	"strings"

	"stripswm/models/strips"
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
