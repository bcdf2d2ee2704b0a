package main

import (
	"encoding/json"
	"io"

	"github.com/spf13/cobra"
)

// maxJSON bounds a result that is read back.
const maxJSON = 1 << 30

// printJSON writes a verb's result for scripts.
func printJSON(cmd *cobra.Command, v any) error { return encode(cmd.OutOrStdout(), v) }

// encode writes JSON as people read it.
func encode(w io.Writer, v any) error {
	enc := json.NewEncoder(w)
	enc.SetIndent("", " ")
	return enc.Encode(v)
}
