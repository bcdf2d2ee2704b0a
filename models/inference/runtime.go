package inference

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"

	ort "github.com/yalue/onnxruntime_go"
)

// LibraryName is the file that `make setup` installs.
const LibraryName = "libonnxruntime.so.1"

// ErrNoLibrary is returned when ONNX Runtime is missing or is not the version
// that this program speaks (C API 25: 1.25 or newer).
var ErrNoLibrary = errors.New("onnx runtime is not available")

var load struct {
	once sync.Once
	path string
	err  error
}

// Load loads ONNX Runtime once for the process and returns the library's path.
// An empty path means: look where `make setup` and the installers put it (see
// LibraryPaths). Later calls return what the first one found.
func Load(path string) (string, error) {
	load.once.Do(func() { load.path, load.err = loadFrom(path) })
	return load.path, load.err
}

// LibraryPaths lists, in order, where the library is looked for: beside the
// executable (lib, then .deps of the tree it was built in), in the source tree,
// in the user's data folder.
func LibraryPaths() []string {
	var paths []string
	add := func(elems ...string) {
		paths = append(paths, filepath.Join(append(elems, LibraryName)...))
	}
	if exe, err := os.Executable(); err == nil {
		if real, err := filepath.EvalSymlinks(exe); err == nil {
			exe = real
		}
		dir := filepath.Dir(exe)
		add(dir)
		add(dir, "lib")
		add(dir, "..", ".deps", "onnxruntime")
		add(dir, "..", "..", "lib", "strips_wm")
	}
	if _, file, _, ok := runtime.Caller(0); ok && filepath.IsAbs(file) {
		add(filepath.Dir(file), "..", "..", ".deps", "onnxruntime")
	}
	if home, err := os.UserHomeDir(); err == nil {
		add(home, ".local", "share", "strips_wm")
	}
	return paths
}

func loadFrom(path string) (string, error) {
	if path == "" {
		path = firstExisting(LibraryPaths())
		if path == "" {
			return "", fmt.Errorf("%w: no %s found; run `make setup`, or name the file with --onnxruntime",
				ErrNoLibrary, LibraryName)
		}
	}
	if _, err := os.Stat(path); err != nil {
		return "", fmt.Errorf("%w: %w; run `make setup`, or name the file with --onnxruntime",
			ErrNoLibrary, err)
	}
	ort.SetSharedLibraryPath(path)
	// Its telemetry reads the command line, and ends the process where that is longer than 32 KB.
	if err := os.Setenv("ORT_DISABLE_TELEMETRY", "1"); err != nil {
		return "", fmt.Errorf("%w: %w", ErrNoLibrary, err)
	}
	if err := ort.InitializeEnvironment(ort.WithLogLevelError()); err != nil {
		if why := err.Error(); strings.Contains(why, "failed to map segment") ||
			strings.Contains(why, "annot allocate memory") || strings.Contains(why, "bad_alloc") {
			return "", fmt.Errorf("%w: %s does not fit in memory: raise the limit of this process "+
				"(ulimit -v): %w", ErrNoLibrary, path, err)
		}
		return "",
			fmt.Errorf(
				"%w: %s cannot be used (need version 1.25 or newer, for this machine; `make setup` installs "+
					"one): %w", ErrNoLibrary, path, err)
	}
	return path, nil
}

func firstExisting(paths []string) string {
	for _, p := range paths {
		if info, err := os.Stat(p); err == nil && info.Mode().IsRegular() {
			return filepath.Clean(p)
		}
	}
	return ""
}

// Version is the loaded ONNX Runtime's version, such as "1.30.0".
func Version() (string, error) {
	if _, err := Load(""); err != nil {
		return "", err
	}
	return ort.GetVersion(), nil
}
