package main

import (
	"context"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/sys/unix"

	"stripswm/nodes/stripswm/internal/progress"
)

// maxJSON bounds a result that is read back.
const maxJSON = 1 << 30

// print writes a verb's result to stdout: v with --json, else what text writes.
func (c *common) print(cmd *cobra.Command, v any, text func(io.Writer)) error {
	if c.json {
		return encode(cmd.OutOrStdout(), v)
	}
	text(cmd.OutOrStdout())
	return nil
}

// progress shows how far work has come on stderr, unless --quiet or --json says otherwise.
func (c *common) progress(ctx context.Context) *progress.Progress {
	if c.quiet || c.json {
		return progress.New(ctx, nil)
	}
	return progress.New(ctx, os.Stderr)
}

// encode writes JSON as people read it.
func encode(w io.Writer, v any) error {
	enc := json.NewEncoder(w)
	enc.SetIndent("", " ")
	return enc.Encode(v)
}

// writeJSON writes a file of it.
func writeJSON(path string, v any) error {
	return writeWith(path, func(w io.Writer) error { return encode(w, v) })
}

// developmentSeeds are those that the program was made with; what other seeds give
// was not looked at before.
const developmentSeeds = 3

// provenance says what a kept result is a result of.
type provenance struct {
	Commit  string     `json:"commit"`
	Command string     `json:"command"`
	Seed    uint64     `json:"seed"`
	Seeds   string     `json:"seeds"`            // development or fresh
	Policy  string     `json:"policy,omitempty"` // of a simulated recording
	Load    [3]float64 `json:"load"`             // runnable processes over 1, 5 and 15 minutes, at the end
}

// originOf is called at the end of a run.
func originOf(seed uint64, policy string) provenance {
	p := provenance{Commit: version(), Seed: seed, Seeds: "fresh", Policy: policy}
	p.Command = strings.Join(append([]string{filepath.Base(os.Args[0])}, os.Args[1:]...), " ")
	if seed <= developmentSeeds {
		p.Seeds = "development"
	}
	var info unix.Sysinfo_t
	if unix.Sysinfo(&info) == nil {
		for i, load := range info.Loads {
			p.Load[i] = float64(load) / (1 << 16)
		}
	}
	return p
}
