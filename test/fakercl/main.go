// Command fakercl writes a substitute for a ROS 2 installation: the headers and libraries that
// rclgo and nodes/ros/rclgo are built with. With it their code runs in tests and in rosbench where
// no ROS 2 is installed:
//
//	go run ./test/fakercl /tmp/ros
//	AMENT_PREFIX_PATH=/tmp/ros make ros
//
// The substitute (src) implements the interface of rcl over CycloneDDS, with the endpoints of
// nodes/ros/dds, configured as by rmw_cyclonedds. Everything that can lose images is as in ROS 2:
// sockets, history, waitset, copies. The rest is simpler: messages are their payloads, the graph
// contains nodes only, and there are no timers and no actions of rcl, which are not used here.
package main

import (
	"bytes"
	"embed"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"stripswm/msgs"
)

//go:embed src
var sources embed.FS

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: go run ./test/fakercl DIR")
		os.Exit(2)
	}
	if err := install(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "fakercl:", err)
		os.Exit(1)
	}
}

// headers are those that are included by name; each stands for rcl.h.
var headers = map[string][]string{
	"rcl": {"client", "context", "event", "expand_topic_name", "graph", "init", "init_options",
		"logging", "rcl", "service", "time", "timer",
		"types", "wait"},
	"rcl_action":       {"graph", "rcl_action", "types", "wait"},
	"rcutils":          {"allocator", "error_handling", "types/string_array", "types/uint8_array"},
	"rmw":              {"events_statuses/incompatible_qos", "qos_policy_kind", "ret_types", "rmw"},
	"rosidl_runtime_c": {"message_type_support_struct", "service_type_support_struct"},
}

// libraries are those that rclgo links, beside librcl.so, which has everything.
var libraries = []string{"rmw", "rmw_implementation", "rcutils", "rcl_action", "rosidl_runtime_c",
	"rosidl_typesupport_c"}

func install(prefix string) error {
	prefix, err := filepath.Abs(prefix)
	if err != nil {
		return err
	}
	src, lib := filepath.Join(prefix, "src"), filepath.Join(prefix, "lib")
	if err := os.MkdirAll(lib, 0o755); err != nil {
		return err
	}
	if err := os.RemoveAll(src); err != nil {
		return err
	}
	if err := os.CopyFS(prefix, sources); err != nil {
		return err
	}
	for pkg, names := range headers {
		for _, name := range names { // include/PKG/PKG/NAME.h, as Humble has it
			path := filepath.Join(prefix, "include", pkg, pkg, name+".h")
			if err := write(path, fmt.Sprintf("#include %q\n", filepath.Join(src, "rcl.h"))); err != nil {
				return err
			}
		}
	}
	if err := compile(src, lib); err != nil {
		return err
	}
	for _, name := range libraries {
		if err := relink("librcl.so", filepath.Join(lib, "lib"+name+".so")); err != nil {
			return err
		}
	}
	return types(src, lib)
}

// compile makes librcl.so, with the endpoints of nodes/ros/dds in it: -Bsymbolic keeps them apart
// from the program's own.
func compile(src, lib string) error {
	list, err := run("go", "list", "-f", "{{.Dir}}", "stripswm/nodes/ros/dds")
	if err != nil {
		return err
	}
	dds := strings.TrimSpace(list)
	flags, err := run("pkg-config", "--cflags", "--libs", "CycloneDDS")
	if err != nil {
		return err
	}
	files, err := filepath.Glob(filepath.Join(src, "*.c"))
	if err != nil {
		return err
	}
	args := append(files, filepath.Join(dds, "endpoint.c"), filepath.Join(dds, "sertype.c"), "-I"+dds,
		"-Wl,-soname,librcl.so",
		"-o", filepath.Join(lib, "librcl.so"))
	_, err = run("gcc", append(append(library, args...), strings.Fields(flags)...)...)
	return err
}

var library = []string{"-std=gnu11", "-O2", "-Wall", "-Wextra", "-Wno-unused-parameter", "-fPIC",
	"-shared", "-Wl,-Bsymbolic"}

// types makes a library for the messages and services of each package; what rosidl calls two
// libraries is one.
func types(src, lib string) error {
	packages := map[string]*strings.Builder{}
	for _, name := range msgs.Types() {
		pkg, rest, _ := strings.Cut(name, "/")
		folder, name, _ := strings.Cut(rest, "/")
		b := packages[pkg]
		if b == nil {
			b = &strings.Builder{}
			b.WriteString("#include \"types.h\"\n")
			packages[pkg] = b
		}
		fmt.Fprintf(b, "MESSAGE(%s, %s, %s)\n", pkg, folder, name)
		if service, ok := strings.CutSuffix(name, "_Request"); ok {
			fmt.Fprintf(b, "SERVICE(%s, %s, %s)\n", pkg, folder, service)
		}
	}
	for pkg, text := range packages {
		file := filepath.Join(src, "types", pkg+".c")
		if err := write(file, text.String()); err != nil {
			return err
		}
		out := filepath.Join(lib, "lib"+pkg+"__rosidl_typesupport_c.so")
		if _, err := run("gcc", append(library, "-I"+src, file, "-o", out)...); err != nil {
			return err
		}
		if err := relink(filepath.Base(out), filepath.Join(lib, "lib"+pkg+
			"__rosidl_generator_c.so")); err != nil {
			return err
		}
	}
	return nil
}

func write(path, text string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return os.WriteFile(path, []byte(text), 0o644)
}

func relink(to, path string) error {
	if err := os.Remove(path); err != nil && !os.IsNotExist(err) {
		return err
	}
	return os.Symlink(to, path)
}

func run(name string, args ...string) (string, error) {
	var out, errs bytes.Buffer
	cmd := exec.Command(name, args...)
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); err != nil {
		return "", fmt.Errorf("%s: %w\n%s", name, err, errs.String())
	}
	return out.String(), nil
}
