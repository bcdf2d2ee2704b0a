package main

import (
	"github.com/spf13/cobra"

	"stripswm/bags"
	"stripswm/nodes/cvbridge"
	"stripswm/nodes/stripswm/internal/progress"
)

func importCommand(c *common) *cobra.Command {
	var out string
	var m markFlags
	cmd := &cobra.Command{
		Use:   "import {DIR | BAG --image TOPIC --skill TOPIC --end RULE} --out BAG",
		Short: "Make a recording of a folder of images with transitions.csv, or of a plain rosbag2",
		Long: `import makes a recording of what another program made: a folder of images, or a
rosbag2 with a camera and a topic that says when skills run.

In a folder, transitions.csv has an attempt a row, in the order in which they were
made:

  before,action,after,outcome,reset
  img/1.png,pick,img/2.png,succeeded,
  img/3.png,place,img/4.png,refused,
  img/5.png,pick,img/6.png,succeeded,1

Images are PNG or JPEG of any size, with paths inside the folder. An action is
an id from 1 on, or a name of one word (names get ids in alphabetical order). The
outcome is succeeded, refused (the action does not apply, and nothing moved) or
failed (nobody knows). reset, which may be left out, is 1 where somebody changed
the scene before the attempt; otherwise it found what the one before left. Other
columns are ignored, and named in a note; links must not lead out of the folder.

All images are decoded on the way. ^C and errors leave nothing; only a kill leaves
a folder .BAG.new-NUMBER, which may be removed.

learn, check and every other verb also take the folder itself. eval --truth takes it
with the true states beside it: truth.csv (image,state) and, where every transition is
known, truth_graph.csv (state,action,next). import takes no notice of these.

Of a rosbag2, import takes the images on --image (sensor_msgs/Image or
CompressedImage) and the messages on --skill, of any type, whose --field is a
string, an integer or a bool. Rules are regular expressions (RE2) for its values:
--start matches what starts a skill, and its first group, or else the whole value,
names the skill (names that are numbers from 1 on are the ids); --end matches what
ends the one under way, as do --refused (nothing moved) and --failed (nobody knows
the result). Without --end a skill is over when the next one is about to start. A
camera of one image in some seconds needs a --max-age of as many, and --motion 0.
An attempt is the image before the start, the skill, and the first
image after the end in which the scene is at rest; those without are left out,
and stderr says why. Errors and ^C leave nothing.`,
		Example: `  stripswm import table --out runs/bag
  stripswm import drive --image /camera/image_raw --skill /skill --start '^start (.+)' --end '^done' --out runs/bag
  stripswm import drive --image /camera/image_raw --skill /mode --field mode.id --start '^[1-9]' --end '^0$' --out runs/bag
  stripswm learn --bag runs/bag --out runs/table`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if out == "" {
				return usagef("--out is needed: the recording to make")
			}
			if m.given() {
				return m.importAnnotated(cmd, c, args[0], out)
			}
			watch, done := progress.Later(cmd.Context(), "import (bytes of transitions.csv)", progress.Options{Quiet: c.quiet || c.json})
			report, err := bags.Import(cmd.Context(), args[0], out, cvbridge.Describe, watch)
			done()
			if err != nil {
				return err
			}
			return printCheck(cmd, c, report)
		},
	}
	cmd.Flags().StringVarP(&out, "out", "o", "", "recording to make")
	m.add(cmd)
	return cmd
}
