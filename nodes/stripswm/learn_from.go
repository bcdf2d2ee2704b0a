package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"stripswm/bags"
)

// learnable refuses what has no attempts to learn from, and says which verb makes a recording of it.
func learnable(ctx context.Context, path string) error {
	r, err := bags.Open(path)
	if errors.Is(err, bags.ErrNoBag) || errors.Is(err, bags.ErrUnsupported) {
		return fmt.Errorf("%w; stripswm import makes a recording of a plain rosbag2, or of images with a %s", err, bags.TableName)
	}
	if err != nil {
		return err
	}
	defer r.Close()
	var topics []string
	for m, err := range r.Messages(ctx) {
		if err != nil || m.Topic.IsTransition() {
			return nil // what is wrong further on, learning tells
		}
		if topic := m.Topic.String(); !slices.Contains(topics, topic) {
			topics = append(topics, topic)
		}
	}
	if len(topics) == 0 {
		return nil // an empty recording
	}
	return fmt.Errorf("%w: %s has 0 transitions, only %s; where these have images and say when skills run, `stripswm import %s --image TOPIC --skill TOPIC --end RULE --out BAG` makes a recording of it",
		errInput, path, strings.Join(topics, ", "), path)
}
