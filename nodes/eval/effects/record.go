package main

import (
	"bufio"
	"encoding/csv"
	"encoding/gob"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"stripswm/models/effects"
	"stripswm/models/effects/check"
	"stripswm/models/pixels"
	"stripswm/models/strips"
	"stripswm/nodes/sim"
	"stripswm/nodes/sim/camera"
)

// faults are shares of what goes wrong.
type faults struct {
	labels, unmarked, failures float64
	resets                     int
}

const (
	width    = 160 // of images, pixels
	height   = 120
	refusals = 0.1 // share of attempts that are refused
)

// thumbnail is what is learned from.
func thumbnail(img pixels.RGB, side int) ([]float32, error) {
	square, err := pixels.Frame{Side: side, Fit: pixels.Letterbox}.Of(img)
	if err != nil {
		return nil, err
	}
	return pixels.Shrink(square.Pix, side, side), nil
}

// kept is record, or what it made before with the same arguments.
func kept(folder, name string, attempts, side int, seed uint64, f faults) (*recording, error) {
	if folder == "" {
		return record(name, attempts, side, seed, f)
	}
	path := filepath.Join(folder, fmt.Sprintf("%s-%d-%d-%d-%g-%g-%g-%d.gob",
		name, attempts, side, seed,
		f.labels, f.unmarked, f.failures, f.resets))
	var all struct {
		Attempts []effects.Attempt
		Steps    []check.Step
		Skills   []string
	}
	if file, err := os.Open(path); err == nil {
		defer file.Close()
		if err := gob.NewDecoder(bufio.NewReader(file)).Decode(&all); err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		return &recording{name, all.Attempts, all.Steps, side, all.Skills}, nil
	}
	r, err := record(name, attempts, side, seed, f)
	if err != nil {
		return nil, err
	}
	all.Attempts, all.Steps, all.Skills = r.attempts, r.steps, r.skills
	file, err := os.Create(path)
	if err != nil {
		return nil, err
	}
	return r, errors.Join(gob.NewEncoder(file).Encode(all), file.Close())
}

// record takes images of a random walk through all states of a world.
func record(name string, attempts, side int, seed uint64, f faults) (*recording, error) {
	w, err := sim.New(name)
	if err != nil {
		return nil, err
	}
	r := &recording{name: name, width: side, skills: sim.ActionNames(w)}
	images := uint64(0)
	look := func(s sim.State) ([]float32, error) {
		images++
		img, err := camera.New(width, height).Render(w, s, seed<<32+images)
		if err != nil {
			return nil, err
		}
		return thumbnail(pixels.FromImage(img), side)
	}
	return r, r.walk(w, attempts, seed, f, look)
}

// walk tries skills, most of which apply.
func (r *recording) walk(w *sim.World, attempts int, seed uint64, f faults,
	look func(sim.State) ([]float32, error),
) error {
	rng := rand.New(rand.NewPCG(seed, 7))
	words := func(s sim.State) []string { return strings.Split(w.Describe(s), ", ") }
	at, segment, begins, tries := w.Initial(), 0, true, 0
	for len(r.attempts) < attempts {
		tries++
		if f.resets > 0 && tries%f.resets == 0 {
			at, begins = sim.State(rng.IntN(w.NumStates())), true
		}
		if rng.Float64() < f.unmarked {
			at = sim.State(rng.IntN(w.NumStates()))
		}
		refused := rng.Float64() < refusals
		a := strips.ActionID(1 + rng.IntN(w.NumActions()))
		next, ok := w.Apply(at, a)
		for try := 0; ok == refused && try < 1000; try++ {
			a = strips.ActionID(1 + rng.IntN(w.NumActions()))
			next, ok = w.Apply(at, a)
		}
		if ok && rng.Float64() < f.failures {
			if rng.IntN(2) == 0 {
				at = next
			}
			begins = true
			continue
		}
		if begins && len(r.attempts) > 0 {
			segment++
		}
		label := int(a)
		if ok && rng.Float64() < f.labels {
			label = 1 + rng.IntN(w.NumActions())
		}
		attempt := effects.Attempt{Action: label, Succeeded: ok, Segment: segment}
		var err error
		if attempt.Before, err = look(at); err != nil {
			return err
		}
		if attempt.After, err = look(next); err != nil {
			return err
		}
		r.attempts = append(r.attempts, attempt)
		r.steps = append(r.steps, check.Step{Action: label, Succeeded: ok, Begins: begins,
			Before: words(at), After: words(next)})
		at, begins = next, false
	}
	return nil
}

// readFolder reads a folder of images with transitions.csv, and truth.csv: image, places of
// objects.
func readFolder(folder string, side int) (*recording, error) {
	rows, err := table(filepath.Join(folder, "transitions.csv"), "before,action,after,outcome,reset")
	if err != nil {
		return nil, err
	}
	states, err := table(filepath.Join(folder, "truth.csv"), "image,state")
	if err != nil {
		return nil, err
	}
	words := map[string][]string{}
	for _, s := range states {
		for o, place := range strings.Fields(s[1]) {
			words[s[0]] = append(words[s[0]], fmt.Sprintf("object %d at %s", o, place))
		}
	}
	r := &recording{name: filepath.Base(folder), width: side}
	segment, begins := 0, true
	for _, row := range rows {
		a, err := strconv.Atoi(row[1])
		if err != nil {
			return nil, fmt.Errorf("action %q: %w", row[1], err)
		}
		if row[3] == "failed" {
			begins = true
			continue
		}
		if begins = begins || row[4] == "1"; begins && len(r.attempts) > 0 {
			segment++
		}
		attempt := effects.Attempt{Action: a, Succeeded: row[3] == "succeeded", Segment: segment}
		for k, into := range []*[]float32{&attempt.Before, &attempt.After} {
			data, err := os.ReadFile(filepath.Join(folder, row[2*k]))
			if err != nil {
				return nil, err
			}
			img, err := pixels.Decode(data)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", row[2*k], err)
			}
			if *into, err = thumbnail(img, side); err != nil {
				return nil, err
			}
		}
		r.attempts = append(r.attempts, attempt)
		r.steps = append(r.steps, check.Step{Action: a, Succeeded: attempt.Succeeded, Begins: begins,
			Before: words[row[0]], After: words[row[2]]})
		for len(r.skills) < a {
			r.skills = append(r.skills, fmt.Sprint(len(r.skills)+1))
		}
		begins = false
	}
	return r, nil
}

// table reads a CSV file with these columns.
func table(path, columns string) ([][]string, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil || len(rows) == 0 || strings.Join(rows[0], ",") != columns {
		return nil, fmt.Errorf("%s: want a table with columns %s (%w)", path, columns, err)
	}
	return rows[1:], nil
}
