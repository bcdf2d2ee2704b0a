package main

import (
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"stripswm/nodes/sim"
	"stripswm/nodes/sim/gazebo"
	"stripswm/nodes/sim/sdf"
)

// gazeboFlags are the settings of Gazebo.
type gazeboFlags struct {
	world   worldFlags
	install string
	width   int
	port    int
	shadows bool
}

// gazeboPort is where Gazebo's master listens if nobody says otherwise.
const gazeboPort = 11345

func (f *gazeboFlags) add(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.install, "install", "",
		"tree with a Gazebo 11 (default: where make gazebo put it; else the machine's own)")
	cmd.Flags().IntVar(&f.width, "size", sdf.Default().Width,
		"width of the camera's images, pixels; they are three quarters as high")
	cmd.Flags().BoolVar(&f.shadows, "shadows", false, "render shadows: 145 ms for each image")
	within(cmd.Flags(), "size", &f.width, 64, 1280)
}

// sdf is the world to show.
func (f *gazeboFlags) sdf(w sim.World) ([]byte, error) {
	return sdf.World(w, sdf.Options{Width: f.width, Height: f.width * 3 / 4, Shadows: f.shadows})
}

// found is the install to use.
func (f *gazeboFlags) found() gazebo.Install {
	if f.install != "" {
		return gazebo.Install(f.install)
	}
	places := []string{".deps/gazebo"}
	if self, err := os.Executable(); err == nil {
		places = append(places, filepath.Join(filepath.Dir(self), "..", ".deps", "gazebo"))
	}
	for _, place := range places {
		if gazebo.Install(place).Check() == nil {
			return gazebo.Install(place)
		}
	}
	return ""
}

func gazeboCommand(c *common) *cobra.Command {
	var f gazeboFlags
	cmd := &cobra.Command{
		Use:   "gazebo --world NAME",
		Short: "Show a world in Gazebo 11, without a window",
		Long: `gazebo runs Gazebo classic's server on a world with bodies. It renders in software on a
virtual display, and prints "ready" when the world runs. ^C ends it.

simrig moves the bodies and publishes the images of the camera, with the parameters
world_backend:=gazebo and gazebo_master:=http://127.0.0.1:PORT. up gazebo starts both.
Gazebo's master always listens on all addresses: protect its port with a firewall.`,
		Example: `  stripswm gazebo --world blocksworld
  stripswm gazebo --world dinnertable --size 640 --port 11400`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			w, err := f.world.world()
			if err != nil {
				return err
			}
			text, err := f.sdf(w)
			if err != nil {
				return usageError{err}
			}
			log := cmd.ErrOrStderr()
			if c.quiet {
				log = io.Discard
			}
			server, err := gazebo.Start(cmd.Context(), f.found(), text, f.port, log)
			if err != nil {
				return err
			}
			defer server.Stop()
			fmt.Fprintln(cmd.OutOrStdout(), readyLine)
			return server.Wait(cmd.Context())
		},
	}
	f.world.add(cmd, "world", "blocksworld", "world with bodies to show")
	f.add(cmd)
	cmd.Flags().IntVar(&f.port, "port", gazeboPort, "port of Gazebo's master")
	within(cmd.Flags(), "port", &f.port, 1024, 65535)
	return cmd
}

// freePort is one that nobody listens at.
func freePort() (int, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return 0, err
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port, nil
}
