package main

import (
	"github.com/spf13/cobra"

	"stripswm/bags"
	"stripswm/nodes/cvbridge"
	"stripswm/nodes/stripswm/internal/progress"
)

func importCommand(c *common) *cobra.Command {
	var out string
	cmd := &cobra.Command{
		Use:   "import DIR --out BAG",
		Short: "Make a recording of a folder of pictures with transitions.csv",
		Long: `import writes a rosbag2 directory of a folder that another program made. In it,
transitions.csv has an attempt a row, in the order in which they were made:

  before,action,after,outcome,reset
  img/1.png,pick,img/2.png,succeeded,
  img/3.png,place,img/4.png,refused,
  img/5.png,pick,img/6.png,succeeded,1

Pictures are PNG or JPEG of any size, with paths inside the folder. An action is
an id from 1 on, or a name of one word (names get ids in alphabetical order). The
outcome is succeeded, refused (the action does not apply, and nothing moved) or
failed (nobody knows). reset, which may be left out, is 1 where somebody changed
the scene before the attempt; otherwise it found what the one before left.

All pictures are decoded on the way. Until the recording is whole it is called
BAG.importing; ^C and errors leave nothing.

learn, check and every other verb also take the folder itself.`,
		Example: `  stripswm import table --out runs/bag
  stripswm learn --bag runs/bag --out runs/table`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if out == "" {
				return usagef("--out is needed: the recording to make")
			}
			var bar *progress.Bar
			report, err := bags.Import(cmd.Context(), args[0], out, cvbridge.Describe, func(done, total int64) {
				if bar == nil {
					bar = progress.Start(cmd.Context(), "import (bytes of transitions.csv)", total, progress.Options{Quiet: c.quiet || c.json})
				}
				bar.Set(done)
			})
			bar.Done()
			if err != nil {
				return err
			}
			return printCheck(cmd, c, report)
		},
	}
	cmd.Flags().StringVarP(&out, "out", "o", "", "recording to make")
	return cmd
}
