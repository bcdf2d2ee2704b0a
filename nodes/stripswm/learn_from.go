package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"stripswm/bags"
	"stripswm/nodes/cvbridge"
)

// warnOfFolder prints what check notes about a folder of images: columns that are ignored, and
// images of different sizes.
func warnOfFolder(cmd *cobra.Command, path string) error {
	if _, err := os.Stat(filepath.Join(path, bags.TableName)); err != nil {
		return nil // not a folder of images
	}
	report, err := bags.Check(cmd.Context(), path, cvbridge.Describe, nil)
	if err != nil {
		return err
	}
	for _, note := range report.Notes {
		fmt.Fprintf(cmd.ErrOrStderr(), "warning: %s: %s\n", path, note)
	}
	return nil
}

// learnable refuses input without attempts, and names the verb that makes a recording.
func learnable(ctx context.Context, path string) error {
	r, err := bags.Open(path)
	if errors.Is(err, bags.ErrNoBag) || errors.Is(err, bags.ErrUnsupported) {
		return fmt.Errorf(
			"%w; stripswm import makes a recording from a rosbag2, or from images with a %s", err,
			bags.TableName)
	}
	if err != nil {
		return err
	}
	defer r.Close()
	var topics []string
	for m, err := range r.Messages(ctx) {
		if err != nil || m.Topic.IsTransition() {
			return nil // learning reports other faults
		}
		if topic := m.Topic.String(); !slices.Contains(topics, topic) {
			topics = append(topics, topic)
		}
	}
	if len(topics) == 0 {
		return nil // an empty recording
	}
	return fmt.Errorf(
		"%w: %s has 0 transitions, only %s; if these have images and mark skills, `stripswm import bag "+
			"%s --image-topic TOPIC --skill-topic TOPIC --end-rule RULE --out BAG` makes a recording from "+
			"it",
		errInput, path, strings.Join(topics, ", "), path)
}
