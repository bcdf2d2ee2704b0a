// Command gen writes the Go structs, the codec methods and the schema table of package msgs from
// the ROS interface definitions in its folder: msg, srv and action are package strips_wm_msgs,
// standard/P is package P. go generate runs it in the folder of package msgs.
package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
)

func main() {
	if err := run("."); err != nil {
		fmt.Fprintln(os.Stderr, "gen:", err)
		os.Exit(1)
	}
}

func run(dir string) error {
	files, err := generate(dir)
	if err != nil {
		return err
	}
	for name, src := range files {
		if err := os.WriteFile(filepath.Join(dir, name), src, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// generate returns the generated files by name.
func generate(dir string) (map[string][]byte, error) {
	roots, err := filepath.Glob(filepath.Join(dir, "standard", "*"))
	if err != nil {
		return nil, err
	}
	slices.Sort(roots)
	folder := map[string]string{"strips_wm_msgs": dir}
	packages := []string{"strips_wm_msgs"}
	for _, root := range roots {
		if info, err := os.Stat(root); err != nil || !info.IsDir() {
			continue
		}
		pkg := filepath.Base(root)
		folder[pkg] = root
		packages = append(packages, pkg)
	}

	g := &generator{defs: map[string]*definition{}}
	byPackage := map[string][]*definition{}
	var all []*definition
	for _, pkg := range packages {
		defs, err := loadPackage(pkg, folder[pkg])
		if err != nil {
			return nil, err
		}
		for _, d := range defs {
			g.defs[d.key()] = d
		}
		byPackage[pkg] = defs
		all = append(all, defs...)
	}

	files := map[string][]byte{}
	for _, pkg := range packages {
		if files["gen_"+pkg+".go"], err = g.file(pkg, byPackage[pkg]); err != nil {
			return nil, err
		}
	}
	if files["gen_definitions.go"], err = g.schemas(all); err != nil {
		return nil, err
	}
	return files, nil
}
