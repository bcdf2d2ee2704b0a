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
		Short: "Show what a camera sees: region, sharpness, exposure, and how much an untouched scene changes",
		Long: `camera looks at a camera's topic for a while, with nothing moving in its view, says how sharp
and how bright its images are and how far they differ from one another, and writes an
image: the image with a grid of tenths and the region, what the networks see of it,
and where it changes.

The difference is that of the recorder, which takes a scene for at rest if no patch of
the region changes by more than its parameter motion_threshold. With --watch there is a
line a second until ^C, to focus a lens by: turn it until sharpness is largest.

Instead of a topic, two image files of an untouched scene will do.`,
		Example: `  stripswm camera --out camera.png
  stripswm camera --topic /wrist/image_raw --region 0.25,0.1,0.5,0.8
  stripswm camera --watch
  stripswm camera now.png later.png`,
		Args: cobra.MaximumNArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 1 {
				return usagef("give a second image of the scene, to tell how far it changes")
			}
			eye, err := flags.camera()
			if err != nil {
				return err
			}
			way, err := camera.ParseTransport(transport)
			if err != nil {
				return usageError{err}
			}
			l := &looker{camera: eye}
			switch {
			case len(args) > 0:
				err = l.files(args)
			case watch:
				return watchCamera(cmd, topic, way, eye)
			default:
				err = l.once(cmd, topic, way, period)
			}
			if err != nil {
				return err
			}
			return l.tell(cmd, c, out)
		},
	}
	cmd.Flags().StringVar(&topic, "topic", "/camera/image_raw", "topic of the raw images; compressed ones are beside it")
	cmd.Flags().StringVar(&transport, "transport", string(camera.Auto), camera.Help)
	cmd.Flags().DurationVar(&period, "for", 3*time.Second, "how long to look")
	cmd.Flags().BoolVar(&watch, "watch", false, "a line a second until ^C, and no image")
	cmd.Flags().StringVarP(&out, "out", "o", "camera.png", "image to write")
	flags.add(cmd, "all")
	atLeast(cmd.Flags(), "for", &period, 100*time.Millisecond)
	completeNames(cmd, "transport", []string{string(camera.Auto), string(camera.Raw), string(camera.Compressed)})
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
