package report

import (
	"bytes"
	"fmt"
	"html/template"
	"image"
	"image/png"
	"os"
	"path/filepath"
	"strings"

	"stripswm/internal/files"
)

// Write makes the report in dir: report.html and each of its images as a file of its own. It makes
// dir where it is missing, replaces the files of an earlier report and leaves others alone. The
// same input gives the same bytes.
func Write(dir string, in Input) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fmt.Errorf("report: %w", err)
	}
	w := writer{dir: dir, page: page{Input: in}}
	for _, section := range []func() error{w.objects, w.graph, w.states, w.charts, w.symbols,
		w.outliers, w.plan, w.diagnostics, w.html} {
		if err := section(); err != nil {
			return fmt.Errorf("report %s: %w", dir, err)
		}
	}
	return nil
}

// writer writes the files of a report, and puts into its page what they show.
type writer struct {
	dir string
	page
}

// save writes one file whole or not at all.
func (w *writer) save(name string, data []byte) error {
	return files.Write(filepath.Join(w.dir, name), data)
}

func (w *writer) savePNG(name string, m image.Image) error {
	var b bytes.Buffer
	if err := png.Encode(&b, m); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return w.save(name, b.Bytes())
}

func (w *writer) saveSVG(name string, drawing template.HTML) error {
	return w.save(name, []byte(`<?xml version="1.0" encoding="UTF-8"?>`+"\n"+string(drawing)))
}

func (w *writer) objects() error {
	if w.Objects == nil {
		return nil
	}
	w.ObjectsDrawing = dataOf("jpeg", w.Objects)
	return w.save("objects.jpg", w.Objects)
}

func (w *writer) graph() error {
	g := w.Input.Graph
	if g == nil {
		return nil
	}
	var dot bytes.Buffer
	if err := g.WriteDOT(&dot); err != nil {
		return err
	}
	if err := w.save("task_graph.dot", dot.Bytes()); err != nil {
		return err
	}
	if g.NumStates() == 0 || g.NumStates() > maxDrawn {
		return nil
	}
	drawing, err := newDrawing(g, w.States)
	if err != nil {
		return err
	}
	if w.Graph, err = svg("graph", drawing.linked(len(w.States))); err != nil {
		return err
	}
	alone, err := svg("graph", drawing)
	if err != nil {
		return err
	}
	return w.saveSVG("task_graph.svg", alone)
}

func (w *writer) states() error {
	if len(w.States) == 0 {
		return nil
	}
	if err := w.embedStates(); err != nil {
		return err
	}
	sheet, err := contactGrid(w.States)
	if err != nil {
		return err
	}
	return w.savePNG("contact_sheet.png", sheet)
}

func (w *writer) charts() error {
	w.Charts = map[string]template.HTML{}
	for _, c := range []struct {
		name, label string
		of          func(Input) Figure
	}{
		{"loss", "losses of stage 1 by training step", lossChart},
		{"codes", "distinct codes by training step", codesChart},
		{"classifier", "accuracy of the predicate classifier by training step", classifierChart},
		{"success", "solved queries by shortest-path length", successChart},
		{"ablation", "solved queries by shortest-path length, with and without negative evidence",
			ablationChart},
		{"reliability", "how often predicates hold by the classifier's probability", reliabilityChart},
		{"mistakes", "images not recognized as their state by strength of the nuisance", mistakesChart},
	} {
		figure := c.of(w.Input)
		figure.Name = c.name
		svg, err := figure.write(w.dir)
		if err != nil {
			return err
		}
		// The label is for people who do not see the drawing.
		w.Charts[c.name] = template.HTML(strings.Replace(svg, "<svg ",
			fmt.Sprintf("<svg role=\"img\" aria-label=%q ", c.label), 1))
	}
	return nil
}

func (w *writer) symbols() error {
	m := w.Model
	if m == nil {
		return nil
	}
	w.Operators, w.Nondeterministic = operatorRows(m, w.Input.Graph), nondeterministic(m)
	var lines strings.Builder
	for _, o := range w.Operators {
		fmt.Fprintln(&lines, o)
		w.Toggling = w.Toggling || o.Toggles != ""
	}
	for _, c := range w.Nondeterministic {
		fmt.Fprintln(&lines, c)
	}
	if err := w.save("operators.txt", []byte(lines.String())); err != nil {
		return err
	}
	if len(m.States) == 0 || m.Predicates == 0 || len(m.States) > maxDrawn {
		return nil
	}
	var err error
	if w.Matrix, err = svg("matrix", newMatrix(m)); err != nil {
		return err
	}
	return w.saveSVG("predicate_matrix.svg", w.Matrix)
}

func (w *writer) outliers() error {
	all := byWorst(w.Unrelated, w.tampered())
	if len(all) == 0 {
		return nil
	}
	sheet, err := outliersSheet(all)
	if err != nil {
		return err
	}
	if w.OutliersDrawing, err = dataURI(sheet); err != nil {
		return err
	}
	return w.savePNG("out_of_distribution.png", sheet)
}

func (w *writer) plan() error {
	if w.Plan == nil {
		return nil
	}
	strip, err := filmStrip(w.Plan)
	if err != nil {
		return err
	}
	return w.savePNG("film_strip.png", strip)
}

func (w *writer) diagnostics() error {
	for _, d := range w.Diagnostics {
		shown := diagnosed{What: sentence(d.What), Do: sentence(d.Do)}
		if len(d.Images) > 0 {
			sheet, err := attemptsSheet(d.Images)
			if err != nil {
				return err
			}
			if shown.Drawing, err = dataURI(sheet); err != nil {
				return err
			}
		}
		w.Diagnosed = append(w.Diagnosed, shown)
	}
	return nil
}

func (w *writer) html() error {
	var b bytes.Buffer
	if err := pageTemplate.Execute(&b, &w.page); err != nil {
		return err
	}
	return w.save("report.html", b.Bytes())
}
