// Command scenes says how many photographs of each kind a bundle plans from:
//
//	go run ./nodes/eval/scenes runs/mine/bundle photographs
//
// The kind is what a file's name begins with, as in arm_03.jpg and missing_12.png.
package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"stripswm/models/imageplan"
	"stripswm/models/pixels"
)

func main() {
	if len(os.Args) != 3 {
		fail(fmt.Errorf("want a bundle and a folder of images"))
	}
	p, err := imageplan.Open(os.Args[1], imageplan.Options{})
	if err != nil {
		fail(err)
	}
	files, err := filepath.Glob(filepath.Join(os.Args[2], "*_*.*g"))
	if err != nil {
		fail(err)
	}
	var kinds []string
	shown, accepted := map[string]int{}, map[string]int{}
	for _, path := range files {
		data, err := os.ReadFile(path)
		if err != nil {
			fail(err)
		}
		img, err := pixels.Decode(data)
		if err != nil {
			fail(fmt.Errorf("%s: %w", path, err))
		}
		r, err := p.Recognize(img)
		if err != nil {
			fail(fmt.Errorf("%s: %w", path, err))
		}
		name := filepath.Base(path)
		kind := name[:strings.LastIndex(name, "_")]
		if shown[kind]++; shown[kind] == 1 {
			kinds = append(kinds, kind)
		}
		if r.Known() {
			accepted[kind]++
		}
	}
	for _, kind := range kinds {
		fmt.Printf("%s: %d of %d accepted\n", kind, accepted[kind], shown[kind])
	}
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, "scenes:", err)
	os.Exit(1)
}
