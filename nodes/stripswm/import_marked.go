package main

import (
	"cmp"
	"fmt"
	"log/slog"
	"regexp"
	"time"

	"github.com/spf13/cobra"

	"stripswm/bags"
	"stripswm/bags/annotated"
	"stripswm/bags/pairing"
	"stripswm/msgs"
	"stripswm/nodes/camera"
	"stripswm/nodes/cvbridge"
	"stripswm/nodes/stripswm/internal/progress"
)

// markFlags say where skills are marked in a plain rosbag2, and how.
type markFlags struct {
	image, skill, field         string
	start, end, refused, failed string
	settle, age                 time.Duration
	motion                      float64
	camera                      cameraFlags
}

func (f *markFlags) add(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.image, "image", "", "of a rosbag2: topic of the camera's images")
	cmd.Flags().StringVar(&f.skill, "skill", "", "of a rosbag2: topic whose messages mark skills")
	cmd.Flags().StringVar(&f.field, "field", "data", "field of those messages, such as data or goal.name")
	cmd.Flags().StringVar(&f.start, "start", ".+", "rule for values that start a skill; its first group is the name")
	cmd.Flags().StringVar(&f.end, "end", "", "rule for values that end the skill under way (default: it is over when the next one is about to start)")
	cmd.Flags().StringVar(&f.refused, "refused", "", "rule for values that end it because it does not apply")
	cmd.Flags().StringVar(&f.failed, "failed", "", "rule for values that end it with an unknown result")
	cmd.Flags().DurationVar(&f.settle, "settle", 300*time.Millisecond, "least time from the end of a skill to the image after it")
	cmd.Flags().DurationVar(&f.age, "max-age", time.Second, "greatest age of the image before, when a skill starts")
	cmd.Flags().Float64Var(&f.motion, "motion", 6, "grey levels that a part of a scene at rest may change; 0 where every image shows it at rest")
	f.camera.add(cmd, "nothing special")
	atLeast(cmd.Flags(), "settle", &f.settle, 0)
	atLeast(cmd.Flags(), "max-age", &f.age, 0)
	within(cmd.Flags(), "motion", &f.motion, 0, 255)
}

// given is whether it is a rosbag2 that is to be imported.
func (f *markFlags) given() bool { return f.image != "" || f.skill != "" }

func (f *markFlags) rules() (r annotated.Rules, err error) {
	for _, rule := range []struct {
		flag, text string
		into       **regexp.Regexp
	}{{"start", f.start, &r.Start}, {"end", f.end, &r.End}, {"refused", f.refused, &r.Refused}, {"failed", f.failed, &r.Failed}} {
		if rule.text == "" {
			continue
		}
		if *rule.into, err = regexp.Compile(rule.text); err != nil {
			return r, usagef("--%s: %w", rule.flag, err)
		}
	}
	return r, nil
}

// pairing has negative numbers for none.
func (f *markFlags) pairing() pairing.Options {
	const patience, clockJump = 5 * time.Second, 10 * time.Second // unless images come so rarely
	return pairing.Options{Settle: cmp.Or(f.settle, -1), MotionThreshold: cmp.Or(f.motion, -1), MaxAge: cmp.Or(f.age, -1), Timeout: max(patience, f.settle+f.age), ClockJump: max(clockJump, 2*f.age)}
}

func (f *markFlags) importAnnotated(cmd *cobra.Command, c *common, bag, out string) error {
	if f.image == "" || f.skill == "" || f.start == "" {
		return usagef("a rosbag2 takes --image and --skill, and rules for --start and --end")
	}
	rules, err := f.rules()
	if err != nil {
		return err
	}
	eye, err := f.camera.camera()
	if err != nil {
		return err
	}
	watch, done := progress.Later(cmd.Context(), "import (messages)", progress.Options{Quiet: c.quiet || c.json})
	_, err = annotated.Import(cmd.Context(), bag, out, annotated.Options{
		Image: f.image, Skill: f.skill, Field: f.field, Rules: rules, Pairing: f.pairing(),
		Camera: bags.Camera{Region: eye.Region.Slice(), Bits: eye.Bits}, Thumbnail: func(m msgs.Message) (pairing.View, error) { return camera.View(m, eye) },
		Log:      slog.New(slog.NewTextHandler(cmd.ErrOrStderr(), &slog.HandlerOptions{Level: slog.LevelWarn})),
		Progress: watch,
	})
	done()
	if err != nil {
		return err
	}
	report, err := bags.Check(cmd.Context(), out, cvbridge.Describe, nil)
	if err != nil {
		return fmt.Errorf("import %s: %w", bag, err)
	}
	return printCheck(cmd, c, report)
}
