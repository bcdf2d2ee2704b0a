package main

import (
	"errors"
	"strings"
	"testing"

	"github.com/spf13/cobra"
)

// TestLossFlag sets weights on the command line.
func TestLossFlag(t *testing.T) {
	for _, c := range []struct{ flags, want string }{ // want: of the error
		{"--loss augment=0.05", ""},
		{"--loss augment=0.05,choice=0 --loss pull=1e-2", ""},
		{"--loss agument=0.05", `no loss is called "agument"`},
		{"--loss augment=mild", "not a number"},
		{"--loss augment=-1", "weight -1"},
	} {
		var f learnFlags
		cmd := &cobra.Command{}
		f.add(cmd)
		if err := cmd.ParseFlags(strings.Fields(c.flags)); err != nil {
			t.Fatal(err)
		}
		l, err := f.learner("bag", "out", 1)
		if c.want != "" {
			if usage := (usageError{}); !errors.As(err, &usage) || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%s: %v, want a usage error with %q", c.flags, err, c.want)
			}
			continue
		}
		if err != nil || l.Preset.Objective["augment"].Weight != 0.05 {
			t.Errorf("%s: %v, %v", c.flags, l.Preset.Objective, err)
		}
	}
}
