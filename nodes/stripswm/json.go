package main

import (
	"encoding/json"

	"github.com/spf13/cobra"
)

// printJSON writes a verb's result for scripts.
func printJSON(cmd *cobra.Command, v any) error {
	enc := json.NewEncoder(cmd.OutOrStdout())
	enc.SetIndent("", " ")
	return enc.Encode(v)
}
