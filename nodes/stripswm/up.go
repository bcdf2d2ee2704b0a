package main

import (
	"cmp"
	"fmt"
	"image/png"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"stripswm/models/bundle"
	"stripswm/nodes/sim"
	"stripswm/nodes/sim/camera"
	"stripswm/nodes/sim/gazebo"
	"stripswm/nodes/sim/sdf"
)

// upCommand starts the nodes of a rig as processes of this machine.
func upCommand(c *common) *cobra.Command {
	up := &cobra.Command{
		Use:   "up",
		Short: "Start the nodes of a rig as processes of this machine",
	}
	up.AddCommand(upSimCommand(c), upGazeboCommand(c))
	return up
}

// simRig is what up sim starts.
type simRig struct {
	world                  worldFlags
	bundle, record, device string
	size, seed             int64
	skillTime              float64
	goal                   string // image to write
	params                 []string
}

func upSimCommand(c *common) *cobra.Command {
	var r simRig
	cmd := &cobra.Command{
		Use:   "sim --bundle DIR",
		Short: "Start a simulated rig, the planner, and with --record the recorder",
		Long: `up sim starts three nodes as processes of this machine: simrig (camera and skill executor
of a simulated world), planner, and with --record the recorder. Their logs go to stderr,
each line with the node's name. When all nodes are ready, "ready" is printed on stdout.
^C stops them. If one ends, the others are stopped too.

The nodes' programs are searched beside this program, then on PATH. They are visible on
this machine only, unless ROS_AUTOMATIC_DISCOVERY_RANGE or ROS_LOCALHOST_ONLY is set.
Different values of ROS_DOMAIN_ID separate several rigs.`,
		Example: `  stripswm up sim --bundle runs/demo/bundle --goal goal.png
  stripswm plan --goal goal.png --execute          # in another terminal
  stripswm up sim --record runs/bag                # no planner: record only
  stripswm up sim --record runs/bag --skills state-dependent
  stripswm up sim --bundle runs/demo/bundle -p simrig:fail_probability:=0.2`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			children, err := r.children()
			if err != nil {
				return err
			}
			if err := r.writeGoal(); err != nil {
				return err
			}
			return startNodes(cmd, c, children)
		},
	}
	r.add(cmd)
	within(cmd.Flags(), &r.size, "size", 128, camera.MinSize, camera.MaxSize,
		"side of the camera's images, pixels, as in the recording that was learned from")
	cmd.Flags().StringVar(&r.goal, "goal", "",
		"PNG file to write with an image of another state, to plan to")
	return cmd
}

// startNodes runs processes until ^C.
func startNodes(cmd *cobra.Command, c *common, children []child) error {
	return processGroup{
		children: children, log: cmd.ErrOrStderr(), quiet: c.quiet,
		ready: func() { fmt.Fprintln(cmd.OutOrStdout(), readyLine) },
	}.run(cmd.Context())
}

// add declares the flags of every rig.
func (r *simRig) add(cmd *cobra.Command) {
	r.size = 128
	r.world.add(cmd, "world", "", "world to simulate (default: the bundle's, or blocksworld)")
	r.world.addStates(cmd, "")
	cmd.Flags().StringVar(&r.bundle, "bundle", "",
		"learned bundle to plan with; without it no planner is started")
	cmd.Flags().StringVar(&r.record, "record", "", "recording to make")
	cmd.Flags().StringVar(&r.device, "device", "cpu", "where to classify: cpu, cuda or tensorrt")
	atLeast(cmd.Flags(), &r.seed, "seed", 1, 0, "seed of nuisance and faults")
	within(cmd.Flags(), &r.skillTime, "skill-time", 1, 0, 3600, "seconds that a skill takes")
	cmd.Flags().StringArrayVarP(&r.params, "param", "p", nil,
		"NODE:NAME:=VALUE, a parameter of one of the nodes")
}

// children lists the processes, the rig first.
func (r *simRig) children() ([]child, error) {
	if r.bundle == "" && r.record == "" {
		return nil, usagef("--bundle, --record or both are needed")
	}
	world, err := r.chooseWorld()
	if err != nil {
		return nil, err
	}
	size := strconv.FormatInt(r.size, 10)
	all := []child{{name: "simrig", params: []string{
		"world:=" + world.Name(), "width:=" + size, "height:=" + size, "seed:=" +
			strconv.FormatInt(r.seed, 10),
		fmt.Sprintf("skill_duration:=%f", r.skillTime),
		"states:=" + cmp.Or(r.world.states, exploredStates),
	}}}
	if r.bundle != "" {
		all = append(all, child{name: "planner", params: []string{"bundle:=" + r.bundle, "device:=" +
			r.device}})
	}
	if r.record != "" {
		all = append(all, child{name: "recorder", params: []string{"directory:=" + r.record}})
	}
	for _, p := range r.params {
		node, assignment, ok := strings.Cut(p, ":")
		i := slices.IndexFunc(all, func(c child) bool { return c.name == node })
		if !ok || !strings.Contains(assignment, ":=") || i < 0 {
			return nil, usagef("--param %s: want NODE:NAME:=VALUE, NODE one of those started", p)
		}
		all[i].params = append(all[i].params, assignment)
	}
	return all, nil
}

// chooseWorld takes the bundle's world if none is named, and refuses a bundle that is none.
func (r *simRig) chooseWorld() (*sim.World, error) {
	if r.bundle != "" {
		b, err := bundle.Open(r.bundle)
		if err != nil {
			return nil, err
		}
		r.world.name = cmp.Or(r.world.name, b.Manifest.Domain)
		if r.world.name == b.Manifest.Domain {
			if err := r.world.recorded(b); err != nil {
				return nil, err
			}
		}
	}
	r.world.name = cmp.Or(r.world.name, "blocksworld")
	return r.world.world()
}

// goalDistance is how many skills the written goal is away from the world's
// initial state, where there is such a state.
const goalDistance = 4

// writeGoal writes an image of a state to plan to.
func (r *simRig) writeGoal() error {
	if r.goal == "" {
		return nil
	}
	w, err := r.world.world()
	if err != nil {
		return err
	}
	graph, err := sim.Explored(w, uint64(r.seed))
	if err != nil {
		return err
	}
	state := w.Initial()
	for d := range goalDistance + 1 {
		if far := graph.AtDistance(w.Initial(), d); len(far) > 0 {
			state = far[int(r.seed)%len(far)]
		}
	}
	img, err := camera.New(int(r.size), int(r.size)).Render(w, state, 1<<62|uint64(r.seed))
	if err != nil {
		return usageError{err}
	}
	return writeWith(r.goal, func(f io.Writer) error { return png.Encode(f, img) })
}

// executable is the path of a node's program.
func executable(name string) (string, error) {
	if self, err := os.Executable(); err == nil {
		beside := filepath.Join(filepath.Dir(self), name)
		if info, err := os.Stat(beside); err == nil && !info.IsDir() {
			return beside, nil
		}
	}
	path, err := exec.LookPath(name)
	if err != nil {
		return "", fmt.Errorf("the program %s is neither beside stripswm nor on PATH: build it with "+
			"`go build -o bin/ ./nodes/...`", name)
	}
	return path, nil
}

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
			return startNodes(cmd, c, append([]child{shown}, children...))
		},
	}
	r.add(cmd)
	f.add(cmd)
	return cmd
}

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
	within(cmd.Flags(), &f.width, "size", sdf.Default().Width, 64, 1280,
		"width of the camera's images, pixels; they are three quarters as high")
	cmd.Flags().BoolVar(&f.shadows, "shadows", false, "render shadows: 145 ms for each image")
}

// sdf is the world to show.
func (f *gazeboFlags) sdf(w *sim.World) ([]byte, error) {
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
	within(cmd.Flags(), &f.port, "port", gazeboPort, 1024, 65535, "port of Gazebo's master")
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
