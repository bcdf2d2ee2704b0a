package bags_test

import (
	"context"
	"fmt"
	"image"
	"os"
	"path/filepath"

	"stripswm/bags"
	"stripswm/msgs"
)

func Example() {
	parent, _ := os.MkdirTemp("", "bags")
	defer os.RemoveAll(parent)
	dir := filepath.Join(parent, "run")

	if err := record(dir); err != nil {
		fmt.Println(err)
		return
	}
	r, err := bags.Open(dir)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer r.Close()
	for t, err := range r.Transitions(context.Background()) {
		if err != nil {
			fmt.Println(err)
			return
		}
		after, err := t.After.Message() // *msgs.Image or *msgs.CompressedImage
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(t.Index, "action", t.Action, t.Outcome, after.(*msgs.Image).Width)
	}
	// Output: 0 action 7 succeeded 64
}

func record(dir string) error {
	w, err := bags.Create(dir, bags.Options{})
	if err != nil {
		return err
	}
	before, after := msgs.Time{Sec: 1}, msgs.Time{Sec: 3}
	for _, stamp := range []msgs.Time{before, after} {
		m := msgs.NewImage(msgs.Header{Stamp: stamp, FrameID: "camera"},
			image.NewRGBA(image.Rect(0, 0, 64, 64)))
		if err := w.WriteImage("/camera/image", m); err != nil {
			return err
		}
	}
	err = w.WriteTransition(&msgs.Transition{ImageTopic: "/camera/image", Before: before, Action: 7,
		After:   after,
		Outcome: msgs.TransitionSucceeded})
	if err != nil {
		return err
	}
	return w.Close()
}
