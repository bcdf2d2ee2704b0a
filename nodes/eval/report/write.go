package report

import (
	"bytes"
	"fmt"
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
	w := writer{dir: dir, in: in, page: page{Input: in}}
	for _, section := range []func() error{w.graph, w.states, w.curves, w.symbols, w.success,
		w.ablation, w.calibration, w.outliers, w.plan, w.page.addDiagnostics, w.html} {
		if err := section(); err != nil {
			return fmt.Errorf("report %s: %w", dir, err)
		}
	}
	return nil
}

type writer struct {
	dir  string
	in   Input
	page page
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

const xmlHead = `<?xml version="1.0" encoding="UTF-8"?>` + "\n"

func (w *writer) saveSVG(name, drawing string) error {
	return w.save(name, []byte(xmlHead+drawing))
}

func (w *writer) graph() error {
	g := w.in.Graph
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
	drawing, err := newDrawing(g, w.in.States)
	if err != nil {
		return err
	}
	w.page.Graph = raw(drawing.draw(true))
	return w.saveSVG("task_graph.svg", drawing.draw(false))
}

func (w *writer) states() error {
	if len(w.in.States) == 0 {
		return nil
	}
	if err := w.page.addStates(); err != nil {
		return err
	}
	sheet, err := contactGrid(w.in.States)
	if err != nil {
		return err
	}
	return w.savePNG("contact_sheet.png", sheet)
}

func (w *writer) curves() error {
	if s := w.in.Stage1; s != nil && len(s.Losses) > 0 {
		if err := w.chart("loss", "losses of stage 1 by training step", lossChart(s),
			&w.page.Loss); err != nil {
			return err
		}
	}
	if s := w.in.Stage1; s != nil && len(s.Codes) > 0 {
		trueStates := 0
		if w.in.Table != nil {
			trueStates = w.in.Table.TrueStates
		}
		if err := w.chart("codes", "distinct codes by training step", codesChart(s, trueStates),
			&w.page.Codes); err != nil {
			return err
		}
	}
	if len(w.in.Stage3) > 0 {
		return w.chart("classifier", "accuracy of the predicate classifier by training step",
			classifierChart(w.in.Stage3), &w.page.Classifier)
	}
	return nil
}

func (w *writer) chart(name, label string, c chart, into *markup) error {
	if c.empty() {
		return nil
	}
	vector, raster, err := c.draw()
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	if err := w.saveSVG(name+".svg", vector); err != nil {
		return err
	}
	*into = labelled(vector, label)
	return w.save(name+".png", raster)
}

func (w *writer) symbols() error {
	m := w.in.Model
	if m == nil {
		return nil
	}
	w.page.Operators, w.page.Nondeterministic = operators(m, w.in.Graph), nondeterministic(m)
	var lines strings.Builder
	for _, o := range w.page.Operators {
		fmt.Fprintln(&lines, o)
		w.page.Toggling = w.page.Toggling || o.Toggles != ""
	}
	for _, c := range w.page.Nondeterministic {
		fmt.Fprintln(&lines, c)
	}
	if err := w.save("operators.txt", []byte(lines.String())); err != nil {
		return err
	}
	if len(m.States) == 0 || m.Predicates == 0 || len(m.States) > maxDrawn {
		return nil
	}
	w.page.addPredicates()
	drawing := matrixDrawing(m)
	w.page.Matrix = raw(drawing)
	return w.saveSVG("predicate_matrix.svg", drawing)
}

func (w *writer) success() error {
	if len(w.in.Success) == 0 {
		return nil
	}
	w.page.addSuccess()
	return w.chart("success", "solved queries by shortest-path length", successChart(w.in),
		&w.page.SuccessPlot)
}

func (w *writer) ablation() error {
	if len(w.in.Ablation) == 0 {
		return nil
	}
	w.page.addAblation()
	return w.chart("ablation",
		"solved queries by shortest-path length, with and without negative evidence",
		ablationChart(w.in.Ablation), &w.page.AblationPlot)
}

func (w *writer) calibration() error {
	if len(w.in.Calibration) == 0 {
		return nil
	}
	w.page.addCalibration()
	if err := w.chart("reliability", "how often predicates hold by the classifier's probability",
		reliabilityChart(w.in.Calibration), &w.page.Reliability); err != nil {
		return err
	}
	return w.chart("mistakes", "images not recognised as their state by strength of the nuisance",
		mistakesChart(w.in.Calibration), &w.page.Mistakes)
}

func (w *writer) outliers() error {
	all := byWorst(w.in.Unrelated, w.in.Corrupted)
	if len(all) == 0 {
		return nil
	}
	sheet, err := outOfDistributionSheet(all)
	if err != nil {
		return err
	}
	if err := w.page.addOutOfDistribution(sheet); err != nil {
		return err
	}
	return w.savePNG("out-of-distribution images.png", sheet)
}

func (w *writer) plan() error {
	if w.in.Plan == nil {
		return nil
	}
	if err := w.page.addPlan(); err != nil {
		return err
	}
	strip, err := filmStrip(w.in.Plan)
	if err != nil {
		return err
	}
	return w.savePNG("film_strip.png", strip)
}

func (w *writer) html() error {
	data, err := w.page.render()
	if err != nil {
		return err
	}
	return w.save("report.html", data)
}
