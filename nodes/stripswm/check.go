package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"regexp"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"stripswm/bags"
	"stripswm/bags/annotated"
	"stripswm/bags/pairing"
	"stripswm/msgs"
	"stripswm/nodes/camera"
	"stripswm/nodes/cvbridge"
)

func checkCommand(c *common) *cobra.Command {
	var repair bool
	cmd := &cobra.Command{
		Use:   "check BAG",
		Short: "Verify a recording: every record, checksum, image and reference",
		Long: `check reads a whole recording and reports what is wrong and where. --repair makes the
recording of a killed recorder valid again, with everything in it that is complete. The
damaged original is kept beside it.

Messages in an encoding other than CDR, such as JSON, are counted and not decoded.

Exit codes: 0 intact, 3 repairable (with --repair: repaired), 1 unusable.`,
		Example: `  stripswm check runs/bag
  stripswm check runs/bag --json
  stripswm check runs/killed --repair`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			show := c.progress(cmd.Context())
			watch := func(done, total int64) { show.Set("check (bytes)", int(done), int(total), "") }
			if repair {
				return repairBag(cmd, c, args[0], watch)
			}
			report, err := bags.Check(cmd.Context(), args[0], cvbridge.Describe, watch)
			show.Done()
			if err != nil {
				return err
			}
			return cmp.Or(printCheck(cmd, c, report), classOutcome(report.Class))
		},
	}
	cmd.Flags().BoolVar(&repair, "repair", false, "make the recording valid again; keeps the original")
	return cmd
}

func repairBag(cmd *cobra.Command, c *common, path string, watch func(done, total int64)) error {
	report, err := bags.Repair(context.WithoutCancel(cmd.Context()), path, cvbridge.Describe, watch)
	if err != nil {
		return err
	}
	err = c.print(cmd, report, func(w io.Writer) {
		if report.Repaired {
			fmt.Fprintf(w, "%s: repaired, %d transitions kept, %d unacknowledged lost; the original is %s\n",
				path, report.Kept, report.Lost, report.Backup)
		} else {
			fmt.Fprintf(w, "%s: %s, nothing to repair\n", path, report.Before.Class)
		}
	})
	return cmp.Or(err, classOutcome(report.Before.Class))
}

// classOutcome turns what a recording is into an exit code.
func classOutcome(class bags.Class) error {
	if code := class.ExitCode(); code != exitOK {
		return outcome{code: code}
	}
	return nil
}

func printCheck(cmd *cobra.Command, c *common, r *bags.Report) error {
	return c.print(cmd, r, func(w io.Writer) { writeCheck(w, r) })
}

func writeCheck(w io.Writer, r *bags.Report) {
	fmt.Fprintf(w, "%s: %s\n", r.Path, r.Class)
	fmt.Fprintf(w, "  %d messages, %d images, %.1f MB, %s from %s\n", r.Messages, r.Images,
		float64(r.Bytes)/1e6, r.Duration, r.Start.UTC().Format("2006-01-02 15:04:05"))
	fmt.Fprintf(w, "  %d transitions: %s\n", r.Transitions, r.Tally)
	printActions(w, r.Actions)
	for _, note := range r.Notes {
		fmt.Fprintf(w, "  note: %s\n", note)
	}
	for _, f := range r.Faults {
		fmt.Fprintf(w, "  fault: %s\n", f)
	}
	if more := r.FaultCount - len(r.Faults); more > 0 {
		fmt.Fprintf(w, "  and %d more faults\n", more)
	}
}

// printActions prints how often each action was tried, ten to a line.
func printActions(w io.Writer, actions map[uint32]int) {
	for i, a := range slices.Sorted(maps.Keys(actions)) {
		switch {
		case i == 0:
			fmt.Fprint(w, "  tries by action:")
		case i%10 == 0:
			fmt.Fprint(w, "\n                  ")
		}
		fmt.Fprintf(w, " %d:%d", a, actions[a])
	}
	if len(actions) > 0 {
		fmt.Fprintln(w)
	}
}

func importCommand(c *common) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "import",
		Short: "Make a recording from a folder of images, or from another program's rosbag2",
		Example: `  stripswm import images table --out runs/bag
  stripswm import bag drive --image-topic /camera/image_raw --skill-topic /skill --out runs/bag`,
	}
	cmd.AddCommand(importImagesCommand(c), importBagCommand(c))
	return cmd
}

func importImagesCommand(c *common) *cobra.Command {
	var out string
	cmd := &cobra.Command{
		Use:   "images DIR --out BAG",
		Short: "Make a recording from a folder of images with transitions.csv",
		Long: `images makes a recording from a folder of images. transitions.csv has one attempt per
row, in the order of execution:

  before,action,after,outcome,reset
  img/1.png,pick,img/2.png,succeeded,
  img/3.png,place,img/4.png,refused,
  img/5.png,pick,img/6.png,succeeded,1

Images are PNG or JPEG, with paths inside the folder. An action is an id from 1, or a
name of one word; names get ids in alphabetical order. The outcome is succeeded, refused
(the skill did not apply and nothing moved) or failed (the result is unknown). reset is
optional: 1 means that somebody changed the scene before the attempt. Other columns are
ignored, and a note lists them. A note also lists images of different sizes. Links must
not lead out of the folder.

All images are decoded. ^C and errors leave no recording; a kill leaves a folder
.BAG.new-NUMBER, which can be removed.

learn, check and all other verbs also accept the folder itself. eval --truth needs the
true states beside it, in truth.csv, and optionally all transitions of the world, in
truth_graph.csv. import does not read these two:

  image,state                    state,action,next
  img/1.png,mug on shelf         mug on shelf,pick,mug in hand`,
		Example: `  stripswm import images table --out runs/bag
  stripswm learn --bag runs/bag --out runs/table`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := outside("--out", out, args[0]); err != nil {
				return err
			}
			show := c.progress(cmd.Context())
			report, err := bags.Import(cmd.Context(), args[0], out, cvbridge.Describe,
				func(done, total int64) {
					show.Set("import (bytes of transitions.csv)", int(done), int(total), "")
				})
			show.Done()
			if err != nil {
				return err
			}
			return printCheck(cmd, c, report)
		},
	}
	cmd.Flags().StringVarP(&out, "out", "o", "", "recording to make")
	require(cmd, "out")
	return cmd
}

// markFlags say which messages of a rosbag2 mark skills.
type markFlags struct {
	image, skill, field         string
	start, end, refused, failed string
	settle, age                 time.Duration
	motion                      float64
	camera                      cameraFlags
}

func importBagCommand(c *common) *cobra.Command {
	var out string
	var m markFlags
	cmd := &cobra.Command{
		Use:   "bag BAG --image-topic TOPIC --skill-topic TOPIC --end-rule RULE --out BAG",
		Short: "Make a recording from another program's rosbag2",
		Long: `bag makes a recording from a rosbag2 with a camera and a topic that marks skills. It
reads the images on --image-topic (sensor_msgs/Image or CompressedImage) and the messages
on --skill-topic, of any type, whose --field is a string, an integer or a bool.

Rules are regular expressions (RE2) for the values of the field. --start-rule matches the
start of a skill; its first group, or the whole value, is the name of the skill. Names
that are numbers from 1 are ids. --end-rule matches the end of the running skill,
--refused-rule its end if nothing moved, and --failed-rule its end with an unknown
result. Without --end-rule a skill ends when the next one starts.

Messages count by their receive times, wherever they are in the bag, unless these go back
within a file.

An attempt is the image before the start, the skill, and the first image after the end in
which the scene is at rest. Other attempts are left out, with the reason on stderr. For a
camera with one image in several seconds, set --max-age to the period, and --motion to 0.
^C and errors leave no recording.`,
		Example: `  stripswm import bag drive --image-topic /camera/image_raw --skill-topic /skill \
    --start-rule '^start (.+)' --end-rule '^done' --out runs/bag
  stripswm import bag drive --image-topic /camera/image_raw --skill-topic /mode --field mode.id \
    --start-rule '^[1-9]' --end-rule '^0$' --out runs/bag`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := outside("--out", out, args[0]); err != nil {
				return err
			}
			return m.importAnnotated(cmd, c, args[0], out)
		},
	}
	cmd.Flags().StringVarP(&out, "out", "o", "", "recording to make")
	m.add(cmd)
	require(cmd, "out", "image-topic", "skill-topic")
	return cmd
}

func (f *markFlags) add(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVar(&f.image, "image-topic", "", "topic of the camera's images")
	flags.StringVar(&f.skill, "skill-topic", "", "topic of the messages that mark skills")
	flags.StringVar(&f.field, "field", "data", "field of those messages, such as data or goal.name")
	flags.StringVar(&f.start, "start-rule", ".+",
		"values that start a skill; the first group is its name")
	flags.StringVar(&f.end, "end-rule", "",
		"values that end the running skill (default: the start of the next one)")
	flags.StringVar(&f.refused, "refused-rule", "", "values that end it as refused")
	flags.StringVar(&f.failed, "failed-rule", "", "values that end it as failed")
	atLeast(flags, &f.settle, "settle", 300*time.Millisecond, 0,
		"minimum time from the end of a skill to the image after it")
	atLeast(flags, &f.age, "max-age", time.Second, 0,
		"maximum age of the image before, when a skill starts")
	within(flags, &f.motion, "motion", 6, 0, 255,
		"grey levels that a patch may change by at rest; 0 if all images show it at rest")
	f.camera.add(cmd, "nothing special")
}

func (f *markFlags) rules() (r annotated.Rules, err error) {
	for _, rule := range []struct {
		flag, text string
		into       **regexp.Regexp
	}{{"start-rule", f.start, &r.Start}, {"end-rule", f.end, &r.End}, {"refused-rule", f.refused,
		&r.Refused}, {"failed-rule", f.failed, &r.Failed}} {
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
	const patience = 5 * time.Second // unless images come so rarely
	return pairing.Options{Settle: cmp.Or(f.settle, -1), MotionThreshold: cmp.Or(f.motion, -1),
		MaxAge: cmp.Or(f.age, -1), Timeout: max(patience, f.settle+f.age)}
}

func (f *markFlags) importAnnotated(cmd *cobra.Command, c *common, bag, out string) error {
	if f.start == "" {
		return usagef("--start-rule: want a rule")
	}
	rules, err := f.rules()
	if err != nil {
		return err
	}
	eye, err := f.camera.camera()
	if err != nil {
		return err
	}
	show := c.progress(cmd.Context())
	_, err = annotated.Import(cmd.Context(), bag, out, annotated.Options{
		Image: f.image, Skill: f.skill, Field: f.field, Rules: rules, Pairing: f.pairing(),
		Camera:    bags.Camera{Region: eye.Region.Slice(), Bits: eye.Bits},
		Thumbnail: func(m msgs.Message) (pairing.View, error) { return camera.View(m, eye) },
		Log: slog.New(slog.NewTextHandler(cmd.ErrOrStderr(), &slog.HandlerOptions{
			Level: slog.LevelWarn})),
		Progress: func(done, total int64) { show.Set("import (messages)", int(done), int(total), "") },
	})
	show.Done()
	if err != nil {
		return err
	}
	report, err := bags.Check(cmd.Context(), out, cvbridge.Describe, nil)
	if err != nil {
		return fmt.Errorf("import %s: %w", bag, err)
	}
	return printCheck(cmd, c, report)
}
