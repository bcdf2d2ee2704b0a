package main

import "github.com/spf13/cobra"

func operatorsCommand() *cobra.Command { return &cobra.Command{Use: "operators"} }
