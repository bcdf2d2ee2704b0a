package main

import (
	"github.com/spf13/cobra"

	"stripswm/bags"
	"stripswm/nodes/cvbridge"
	"stripswm/nodes/stripswm/internal/progress"
)

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
			if out == "" {
				return usagef("--out is needed: the recording to make")
			}
			if err := outside("--out", out, args[0]); err != nil {
				return err
			}
			watch, done := progress.Later(cmd.Context(), "import (bytes of transitions.csv)",
				progress.Options{Quiet: c.quiet || c.json})
			report, err := bags.Import(cmd.Context(), args[0], out, cvbridge.Describe, watch)
			done()
			if err != nil {
				return err
			}
			return printCheck(cmd, c, report)
		},
	}
	cmd.Flags().StringVarP(&out, "out", "o", "", "recording to make")
	return cmd
}
