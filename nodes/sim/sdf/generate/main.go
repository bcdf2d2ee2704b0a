// Command generate writes the worlds of sdf.Files as SDF files into a folder:
//
//	go run ./nodes/sim/sdf/generate launch/worlds
package main

import (
	"fmt"
	"os"
	"path/filepath"

	"stripswm/nodes/sim"
	"stripswm/nodes/sim/sdf"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: generate FOLDER")
		os.Exit(2)
	}
	for _, name := range sdf.Files {
		if err := write(os.Args[1], name); err != nil {
			fmt.Fprintln(os.Stderr, "generate:", err)
			os.Exit(1)
		}
	}
}

func write(folder, name string) error {
	w, err := sim.New(name)
	if err != nil {
		return err
	}
	text, err := sdf.World(w, sdf.Default())
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(folder, name+".sdf"), text, 0o644)
}
