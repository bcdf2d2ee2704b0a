// Command scenes says how many photographs of each kind a bundle plans from, as they are and with
// camera and light changed (package ood):
//
//	go run ./nodes/eval/scenes runs/mine/bundle photographs
//
// The kind is what a file's name begins with, as in arm_03.jpg and missing_12.png. Of changed
// photographs those are wrong that are accepted as another state than the photograph itself.
package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"text/tabwriter"

	"stripswm/models/imageplan"
	"stripswm/models/pixels"
	"stripswm/nodes/eval/ood"
)

func main() {
	if len(os.Args) != 3 {
		fail(fmt.Errorf("want a bundle and a folder of images"))
	}
	if err := run(os.Args[1], os.Args[2]); err != nil {
		fail(err)
	}
}

// counts are those of a kind of photographs, changed in one way.
type counts struct{ shown, accepted, wrong int }

func run(bundle, folder string) error {
	p, err := imageplan.Open(bundle, imageplan.Options{})
	if err != nil {
		return err
	}
	defer p.Close()
	paths, err := filepath.Glob(filepath.Join(folder, "*_*.*g"))
	if err != nil {
		return err
	}
	changes := append([]ood.Change{{Name: "as it is"}}, ood.Changes()...)
	rng := rand.New(rand.NewPCG(1, 0))
	var kinds []string
	all := map[string][]counts{}
	for _, path := range paths {
		img, err := read(path)
		if err != nil {
			return err
		}
		name := filepath.Base(path)
		kind := name[:strings.LastIndex(name, "_")]
		if all[kind] == nil {
			kinds, all[kind] = append(kinds, kind), make([]counts, len(changes))
		}
		var itself imageplan.Recognition
		for k, c := range changes {
			changed := img
			if k > 0 {
				d := c.Draw(rng)
				if changed, err = d.Moved(img); err != nil {
					return fmt.Errorf("%s: %w", path, err)
				}
				changed = d.Lit(changed)
			}
			r, err := p.Recognize(changed)
			if err != nil {
				return fmt.Errorf("%s: %w", path, err)
			}
			if k == 0 {
				itself = r
			}
			n := &all[kind][k]
			n.shown++
			if r.Known() {
				n.accepted++
			}
			if r.Known() && r.Code != itself.Code {
				n.wrong++
			}
		}
	}
	t := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	for _, kind := range kinds {
		for k, c := range changes {
			n := all[kind][k]
			fmt.Fprintf(t, "%s\t%s\t%d of %d accepted\t%d wrong\n", kind, c.Name, n.accepted, n.shown,
				n.wrong)
		}
	}
	return t.Flush()
}

func read(path string) (pixels.RGB, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return pixels.RGB{}, err
	}
	img, err := pixels.Decode(data)
	if err != nil {
		return img, fmt.Errorf("%s: %w", path, err)
	}
	return img, nil
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, "scenes:", err)
	os.Exit(1)
}
