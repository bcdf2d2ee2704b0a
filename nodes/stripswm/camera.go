package main

import (
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"stripswm/nodes/camera"
)

func cameraCommand(c *common) *cobra.Command {
	var topic, transport, out string
	var period time.Duration
	var watch bool
	var flags cameraFlags
	cmd := &cobra.Command{
		Use:   "camera [IMAGE IMAGE]",
		Short: "Measure a camera: region, sharpness, exposure, and noise of an unchanged scene",
		Long: `camera measures the images of a camera while nothing moves in its view: sharpness,
exposure, and the difference between images. It writes a drawing of the last image with
a grid of tenths and the region, the input of the networks, and the pixels that change.

The recorder uses the same difference: a scene is at rest if no patch of the region
changes by more than the recorder's parameter motion_threshold. With --watch a line is
printed every second until ^C, for focusing: turn the lens until sharpness is largest.

Instead of a topic, camera takes two image files of an unchanged scene.`,
		Example: `  stripswm camera --out camera.png
  stripswm camera --topic /wrist/image_raw --region 0.25,0.1,0.5,0.8
  stripswm camera --watch
  stripswm camera now.png later.png`,
		Args: cobra.MaximumNArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 1 {
				return usagef("a second image of the scene is needed, to measure how far it changes")
			}
			eye, err := flags.camera()
			if err != nil {
				return err
			}
			mode, err := camera.ParseTransport(transport)
			if err != nil {
				return usageError{err}
			}
			l := &looker{camera: eye}
			switch {
			case len(args) > 0:
				err = l.files(args)
			case watch:
				return watchCamera(cmd, topic, mode, eye)
			default:
				err = l.once(cmd, topic, mode, period)
			}
			if err != nil {
				return err
			}
			return l.tell(cmd, c, out)
		},
	}
	cmd.Flags().StringVar(&topic, "topic", "/camera/image_raw",
		"topic of the raw images; compressed ones are beside it")
	cmd.Flags().StringVar(&transport, "transport", string(camera.Auto), camera.Help)
	cmd.Flags().DurationVar(&period, "duration", 3*time.Second, "time to receive images for")
	cmd.Flags().BoolVar(&watch, "watch", false,
		"print a line every second until ^C, and write no drawing")
	cmd.Flags().StringVarP(&out, "out", "o", "camera.png", "drawing to write")
	flags.add(cmd, "all")
	atLeast(cmd.Flags(), "duration", &period, 100*time.Millisecond)
	completeNames(cmd, "transport", []string{string(camera.Auto), string(camera.Raw),
		string(camera.Compressed)})
	return cmd
}

// files looks at images of one scene.
func (l *looker) files(paths []string) error {
	images, err := readImages(l.camera.Bits, paths...)
	if err != nil {
		return err
	}
	for i, p := range images {
		if err := l.see(p, 0); err != nil {
			return fmt.Errorf("%s: %w", paths[i], err)
		}
	}
	l.Source = paths[0]
	return nil
}

// tell prints what was seen and writes its image.
func (l *looker) tell(cmd *cobra.Command, c *common, out string) error {
	l.finish()
	if err := writeWith(out, l.sheet); err != nil {
		return err
	}
	if c.json {
		return printJSON(cmd, l.sighting)
	}
	fmt.Fprint(cmd.OutOrStdout(), l.String())
	fmt.Fprintf(cmd.OutOrStdout(), "image      %s\n", out)
	return nil
}
