package main

import (
	"fmt"
	"os"

	"github.com/spf13/cobra"
)

func upGazeboCommand(c *common) *cobra.Command {
	var r simRig
	var f gazeboFlags
	cmd := &cobra.Command{
		Use:   "gazebo --bundle DIR",
		Short: "Start a rig in Gazebo 11, the planner, and with --record the recorder",
		Long: `up gazebo is up sim with Gazebo classic instead of the embedded camera. It runs Gazebo's
server without a window. simrig moves the bodies and publishes the images of Gazebo's
camera.

Goal images must come from Gazebo: take them from the camera, or call the service
/simrig/new_goal, which publishes an image of another state.`,
		Example: `  stripswm up gazebo --record runs/bag                       # record what your skills do
  stripswm up gazebo --bundle runs/gazebo/bundle
  stripswm up gazebo --world dinnertable --size 640 --record runs/bag`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			children, err := r.children()
			if err != nil {
				return err
			}
			port, err := freePort()
			if err != nil {
				return err
			}
			self, err := os.Executable()
			if err != nil {
				return err
			}
			children[0].params = append(children[0].params, "world_backend:=gazebo",
				fmt.Sprintf("gazebo_master:=http://127.0.0.1:%d", port))
			shown := child{name: "gazebo", path: self, arguments: []string{
				"gazebo", "--world", r.world.name, "--port", fmt.Sprint(port), "--size", fmt.Sprint(f.width),
				fmt.Sprintf("--shadows=%t", f.shadows), "--install", string(f.found()),
			}}
			return processGroup{
				children: append([]child{shown}, children...), log: cmd.ErrOrStderr(), quiet: c.quiet,
				ready: func() { fmt.Fprintln(cmd.OutOrStdout(), readyLine) },
			}.run(cmd.Context())
		},
	}
	r.add(cmd)
	f.add(cmd)
	return cmd
}
