package rclgo

import (
	"encoding/json"
	"go/ast"
	"go/build"
	"go/constant"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

const module = "github.com/tiiuae/rclgo"

// The package needs ROS 2's headers to be compiled. Its Go code is held against rclgo's own source
// without them: what comes from C is of any type, all else must fit.
func TestPackageFitsTheRealModule(t *testing.T) {
	// The standard library's own cgo code is not of interest.
	build.Default.CgoEnabled = false
	t.Cleanup(func() { build.Default.CgoEnabled = true })
	fset := token.NewFileSet()
	c := &checker{t: t, fset: fset, dir: moduleDir(t), done: map[string]*types.Package{},
		source: importer.ForCompiler(fset, "source", nil).(types.ImporterFrom)}
	for _, dir := range []string{".", "../middleware"} {
		var faults []error
		pkg := c.check(dir, dir, func(err error) { faults = append(faults, err) })
		for _, err := range faults {
			t.Error(err)
		}
		if dir == "." && len(faults) == 0 {
			fits(t, c, pkg)
			hasHandles(t, c, pkg)
		}
	}
}

// fits asks that Transport implements what nodes are written against.
func fits(t *testing.T, c *checker, pkg *types.Package) {
	ros, err := c.ImportFrom("stripswm/nodes/ros", ".", 0)
	if err != nil {
		t.Fatal(err)
	}
	want := ros.Scope().Lookup("Transport").Type().Underlying().(*types.Interface)
	if got := types.NewPointer(pkg.Scope().Lookup("Transport").Type()); !types.Implements(got, want) {
		method, _ := types.MissingMethod(got, want, true)
		t.Errorf("%v does not implement ros.Transport: %v", got, method)
	}
}

// hasHandles asks that rclgo's types have the fields that handle reads by name: what rcl made.
func hasHandles(t *testing.T, c *checker, pkg *types.Package) {
	rclgo := c.done[module+"/pkg/rclgo"]
	for typ, name := range map[string]string{"Context": "contextHandle", "Node": "nodeHandle",
		"Publisher":    "publisherHandle",
		"Subscription": "subscriptionHandle", "Service": "serviceHandle", "Client": "clientHandle"} {
		field := constant.StringVal(pkg.Scope().Lookup(name).(*types.Const).Val())
		found, _, _ := types.LookupFieldOrMethod(rclgo.Scope().Lookup(typ).Type(), true, rclgo, field)
		if v, ok := found.(*types.Var); !ok || !v.IsField() {
			t.Errorf("rclgo.%s has no field %s", typ, field)
		}
	}
}

func moduleDir(t *testing.T) string {
	t.Helper()
	out, err := exec.Command("go", "list", "-m", "-json", module).Output()
	if err != nil {
		t.Fatalf("find %s (run go mod download): %v", module, err)
	}
	var m struct{ Dir string }
	if err := json.Unmarshal(out, &m); err != nil || m.Dir == "" {
		t.Fatalf("find %s (run go mod download): %s, %v", module, out, err)
	}
	return m.Dir
}

// A checker checks packages from source, those that need cgo included.
type checker struct {
	t      *testing.T
	fset   *token.FileSet
	dir    string // of the module rclgo
	done   map[string]*types.Package
	source types.ImporterFrom
}

func (c *checker) Import(path string) (*types.Package, error) { return c.ImportFrom(path, ".", 0) }

func (c *checker) ImportFrom(path, dir string, mode types.ImportMode) (*types.Package, error) {
	rest, rclgo := strings.CutPrefix(path, module+"/")
	switch {
	case c.done[path] != nil:
		return c.done[path], nil
	case rclgo: // whose use of C values makes faults that are none
		c.done[path] = c.check(path, filepath.Join(c.dir, rest), func(error) {})
		return c.done[path], nil
	case path == "stripswm/nodes/ros/rclgo":
		c.done[path] = c.check(path, ".", func(err error) { c.t.Error(err) })
		return c.done[path], nil
	}
	return c.source.ImportFrom(path, ".", mode)
}

func (c *checker) check(path, dir string, fault func(error)) *types.Package {
	c.t.Helper()
	context := build.Default
	context.BuildTags = []string{"rclgo"}
	context.CgoEnabled = true
	found, err := context.ImportDir(dir, 0)
	if err != nil {
		c.t.Fatal(err)
	}
	var files []*ast.File
	for _, name := range append(found.GoFiles, found.CgoFiles...) {
		f, err := parser.ParseFile(c.fset, filepath.Join(dir, name), nil, parser.SkipObjectResolution)
		if err != nil {
			c.t.Fatal(err)
		}
		files = append(files, f)
	}
	config := types.Config{Importer: c, FakeImportC: true, Error: fault}
	pkg, _ := config.Check(path, c.fset, files, nil)
	return pkg
}
