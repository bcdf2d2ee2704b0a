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
	parent := must(os.MkdirTemp("", "bags"))
	defer os.RemoveAll(parent)
	dir := filepath.Join(parent, "run")

	w := must(bags.Create(dir, bags.Options{}))
	before, after := msgs.Time{Sec: 1}, msgs.Time{Sec: 3}
	for _, stamp := range []msgs.Time{before, after} {
		must(0, w.WriteImage("/camera/image", msgs.NewImage(msgs.Header{Stamp: stamp},
			image.NewRGBA(image.Rect(0, 0, 64, 64)))))
	}
	must(0, w.WriteTransition(&msgs.Transition{ImageTopic: "/camera/image", Before: before, Action: 7,
		After: after, Outcome: msgs.TransitionSucceeded}))
	must(0, w.Close())

	r := must(bags.Open(dir))
	defer r.Close()
	for t, err := range r.Transitions(context.Background()) {
		must(t, err)
		after := must(t.After.Message()) // *msgs.Image or *msgs.CompressedImage
		fmt.Println(t.Index, "action", t.Action, t.Outcome, after.(*msgs.Image).Width)
	}
	// Output: 0 action 7 succeeded 64
}
