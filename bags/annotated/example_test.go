package annotated_test

import (
	"context"
	"errors"
	"fmt"
	"regexp"

	"stripswm/bags/annotated"
	"stripswm/bags/pairing"
	"stripswm/msgs"
)

// A bag whose topic /skill says "start pick" and "done" becomes a recording.
func ExampleImport() {
	report, err := annotated.Import(context.Background(), "drive", "runs/bag", annotated.Options{
		Image: "/camera/image",
		Skill: "/skill",
		Field: "data",
		Rules: annotated.Rules{
			Start: regexp.MustCompile(`^start (.+)`),
			End:   regexp.MustCompile(`^done`),
		},
		Thumbnail: func(m msgs.Message) (pairing.View, error) {
			image, ok := m.(*msgs.Image)
			if !ok || image.Encoding != msgs.RGB8 {
				return pairing.View{}, errors.New("not an rgb8 image")
			}
			return pairing.ViewOf(image.Data, int(image.Width), int(image.Height)), nil
		},
	})
	fmt.Println(report.Transitions(), "transitions", err)
}
