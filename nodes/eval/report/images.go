package report

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"stripswm/models/bundle"
	"stripswm/models/facts"
	"stripswm/models/operators"
	"stripswm/models/pixels"
	"stripswm/models/strips"
	"stripswm/nodes/eval"
	"stripswm/nodes/learn"
	"stripswm/nodes/learn/diagnostics"
)

// HeldOut writes unforeseen.png to dir, the attempts of a recording that a model did not
// foresee, if there are any.
func HeldOut(dir string, r *eval.HeldOut, recording *learn.Recording) error {
	var list []ImagePair
	for _, e := range r.Examples {
		shown, err := attempt(recording, e.Before, e.After, e.Verdict)
		if err != nil {
			return err
		}
		list = append(list, shown)
	}
	return writeAttempts(filepath.Join(dir, "unforeseen.png"), list)
}

// attempt is the recorded images before and after a skill.
func attempt(recording *learn.Recording, before, after int, words string) (ImagePair, error) {
	return framed(recording, before, after, pixels.Region{}, words)
}

// framed is attempt with a frame around a region, unless that is all of the images.
func framed(recording *learn.Recording, before, after int, where pixels.Region,
	words string,
) (a ImagePair, err error) {
	from, err := recording.Image(before)
	if err != nil {
		return a, err
	}
	to, err := recording.Image(after)
	return ImagePair{Before: where.Outlined(from).Image(), After: where.Outlined(to).Image(),
		Words: words}, err
}

// contradictionsShown is how many are on a sheet.
const contradictionsShown = 60

// Contradictions writes a PNG file with the images of the first contradictions, if there are any.
func Contradictions(path string, all []facts.Contradiction, recording *learn.Recording,
	name func(strips.ActionID) string) error {
	var list []ImagePair
	for _, c := range all[:min(len(all), contradictionsShown)] {
		shown, err := attempt(recording, c.Images[0], c.Images[1],
			fmt.Sprintf("%d: %s", c.Attempt, c.Words(name)))
		if err != nil {
			return err
		}
		list = append(list, shown)
	}
	return writeAttempts(path, list)
}

// Unexplained writes a PNG file with the images before and after a success of each unexplained
// skill, if there are any. The place that it changes is framed.
func Unexplained(path string, all []facts.Unexplained, recording *learn.Recording) error {
	var list []ImagePair
	for _, u := range all {
		shown, err := framed(recording, u.Example[0], u.Example[1],
			inRegion(u.Where, recording.Frame.Region),
			fmt.Sprintf("%s: %d of %d", u.Name, u.Changes, u.Successes))
		if err != nil {
			return err
		}
		list = append(list, shown)
	}
	return writeAttempts(path, list)
}

// inRegion is a part of an image, in shares of a region of it that has the part.
func inRegion(part, region pixels.Region) pixels.Region {
	if region == (pixels.Region{}) {
		return part
	}
	return pixels.Region{X: (part.X - region.X) / region.Width, Y: (part.Y - region.Y) / region.Height,
		Width: part.Width / region.Width, Height: part.Height / region.Height}
}

// imagesPerEdge is how many transitions of a suspect edge are shown.
const imagesPerEdge = 6

// SuspectImages writes for each suspect edge a sheet of the recorded transitions
// behind it: the image before and the one after.
func SuspectImages(ctx context.Context, bundleDir, bag, out string,
	suspects []operators.Suspect,
) ([]string, error) {
	b, err := bundle.Open(bundleDir)
	if err != nil {
		return nil, err
	}
	frame, err := learn.FrameOf(b)
	if err != nil {
		return nil, err
	}
	recording, err := learn.Load(ctx, bag, frame, 0, nil)
	if err != nil {
		return nil, err
	}
	defer recording.Close()
	nodes, err := learn.Locate(ctx, b, recording)
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(out, 0o777); err != nil {
		return nil, err
	}
	var files []string
	for i, s := range suspects {
		var rows []ImagePair
		for _, t := range recording.Data.Transitions {
			if len(rows) == imagesPerEdge || nodes[t.Before] != s.Edge.Source ||
				nodes[t.After] != s.Edge.Target || t.Action != s.Edge.Action {
				continue
			}
			shown, err := attempt(recording, t.Before, t.After, "")
			if err != nil {
				return files, err
			}
			rows = append(rows, shown)
		}
		if len(rows) == 0 {
			continue // learned from another recording
		}
		path := filepath.Join(out, fmt.Sprintf("%02d_node%d_action%d_node%d.png", i+1, s.Edge.Source,
			s.Edge.Action, s.Edge.Target))
		if err := writeAttempts(path, rows); err != nil {
			return files, err
		}
		files = append(files, path)
	}
	return files, nil
}

// withImages shows diagnostics with the recorded images.
func withImages(recording *learn.Recording,
	all []diagnostics.Diagnostic,
) ([]Diagnostic, error) {
	var list []Diagnostic
	for _, d := range all {
		shown := Diagnostic{What: d.What, Do: d.Do}
		for _, e := range d.Examples {
			pair, err := attempt(recording, e.Left, e.Right, e.Words)
			if err != nil {
				return nil, err
			}
			shown.Images = append(shown.Images, pair)
		}
		list = append(list, shown)
	}
	return list, nil
}
