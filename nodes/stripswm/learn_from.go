package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"stripswm/bags"
)

// learnable refuses input without attempts, and names the verb that makes a recording.
func learnable(ctx context.Context, path string) error {
	r, err := bags.Open(path)
	if errors.Is(err, bags.ErrNoBag) || errors.Is(err, bags.ErrUnsupported) {
		return fmt.Errorf("%w; stripswm import makes a recording from a rosbag2, or from images with a %s", err, bags.TableName)
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
	return fmt.Errorf("%w: %s has 0 transitions, only %s; if these have images and mark skills, `stripswm import bag %s --image-topic TOPIC --skill-topic TOPIC --end-rule RULE --out BAG` makes a recording from it",
		errInput, path, strings.Join(topics, ", "), path)
}
