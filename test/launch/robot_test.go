package launch

import (
	"bufio"
	"context"
	"fmt"
	"image"
	"math/rand/v2"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"stripswm/models/strips"
	"stripswm/msgs"
	"stripswm/nodes/ros"
	"stripswm/nodes/sim"
	"stripswm/nodes/sim/camera"
	"stripswm/test/internal/process"
)

// robotVariable names the socket of a table; with it, this binary is the program that runs
// a skill there (command), as a robot's owner has one.
const robotVariable = "STRIPSWM_ROBOT"

// table is somebody's: what is on it is moved by a program, and a camera of theirs looks at it.
type table struct {
	mu     sync.Mutex
	world  *sim.World
	state  sim.State
	shots  uint64
	frame  *image.RGBA // as the camera sees it now, without its noise
	camera camera.Camera
}

// newTable shows its world, and takes skills at a socket.
func newTable(t *testing.T, world *sim.World) (*table, string) {
	t.Helper()
	b := &table{world: world, state: world.Initial(), camera: camera.New(128, 128)}
	must(0, b.publish())
	socket := filepath.Join(t.TempDir(), "robot")
	l := must(net.Listen("unix", socket))
	t.Cleanup(func() { l.Close() })
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			line, _ := bufio.NewReader(c).ReadString('\n')
			action, _ := strconv.Atoi(strings.TrimSpace(line))
			fmt.Fprintln(c, b.move(strips.ActionID(action)))
			c.Close()
		}
	}()
	return b, socket
}

// publish has the camera see the state again: things lie a little otherwise, the light is another.
func (b *table) publish() (err error) {
	b.shots++
	b.frame, err = b.camera.Render(b.world, b.state, 1<<57|b.shots)
	return err
}

// move executes a skill, and says "done", or why not.
func (b *table) move(a strips.ActionID) string {
	b.mu.Lock()
	defer b.mu.Unlock()
	next, ok := b.world.Apply(b.state, a)
	if !ok {
		return "nothing there"
	}
	b.state = next
	must(0, b.publish())
	return "done"
}

func (b *table) now() sim.State {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.state
}

// aisle is beside the table, in the camera's view: somebody walks there. What matters is the rest,
// tableRegion.
const (
	aisle       = 64
	tableRegion = "region:=[0.0, 0.0, 0.66, 1.0]"
)

// bayer is the image as a sensor behind a colour filter gives it, red first, with its noise.
func (b *table) bayer(rng *rand.Rand) *msgs.Image {
	b.mu.Lock()
	defer b.mu.Unlock()
	w, h := b.camera.Width+aisle, b.camera.Height
	m := &msgs.Image{Width: uint32(w), Height: uint32(h), Encoding: "bayer_rggb8", Step: uint32(w),
		Data: make([]byte, w*h)}
	passer := rng.IntN(256)
	for y := range h {
		for x := range w {
			v := float64(passer)
			if x < b.camera.Width {
				channel := y%2 + x%2 // red, green, green, blue
				v = float64(b.frame.Pix[b.frame.PixOffset(x, y)+channel])
			}
			m.Data[y*w+x] = uint8(min(max(v+rng.NormFloat64(), 0), 255))
		}
	}
	return m
}

// compressed is an image as image_transport compresses it: the filter's mosaic as a grey JPEG.
func compressed(m *msgs.Image) *msgs.CompressedImage {
	grey := &image.Gray{Pix: m.Data, Stride: int(m.Step), Rect: image.Rect(0, 0, int(m.Width),
		int(m.Height))}
	c := must(msgs.NewJPEG(m.Header, grey, 95))
	c.Format = m.Encoding + "; jpeg compressed "
	return c
}

// A driver publishes a table's images, raw or compressed.
type driver struct {
	s    *system
	mu   sync.Mutex
	raw  *ros.Publisher[*msgs.Image]
	jpeg *ros.Publisher[*msgs.CompressedImage]
}

func (s *system) drive(b *table) *driver {
	d, noise := &driver{s: s}, rand.New(rand.NewPCG(5, 16))
	s.node.Every(context.Background(), 15*time.Millisecond, func(now time.Time) {
		m := b.bayer(noise)
		m.Header = msgs.Header{Stamp: msgs.TimeFrom(now), FrameID: "camera"}
		d.mu.Lock()
		defer d.mu.Unlock()
		if d.raw != nil {
			d.raw.Publish(m)
		} else if d.jpeg != nil {
			d.jpeg.Publish(compressed(m))
		}
	})
	return d
}

// turn starts the driver again with the other transport, raw first, and waits until somebody
// listens, if anybody does.
func (d *driver) turn(heard bool) {
	d.mu.Lock()
	was := d.raw
	if was == nil {
		if d.jpeg != nil {
			must(0, d.jpeg.Close())
		}
		d.raw, d.jpeg = must(ros.Advertise[*msgs.Image](d.s.node, "/camera/image_raw",
			ros.SensorData)), nil
	} else {
		must(0, was.Close())
		d.raw, d.jpeg = nil, must(ros.Advertise[*msgs.CompressedImage](d.s.node,
			"/camera/image_raw/compressed", ros.SensorData))
	}
	raw, jpeg := d.raw, d.jpeg
	d.mu.Unlock()
	if !heard {
		return
	}
	ctx := process.Soon(d.s.t)
	if raw != nil {
		must(0, raw.WaitForSubscribers(ctx, 1))
	} else {
		must(0, jpeg.WaitForSubscribers(ctx, 1))
	}
	time.Sleep(500 * time.Millisecond) // for images to be at hand
}

// command is the program that runs a skill: its last argument is the skill.
func command(socket string) (exit int) {
	c, err := net.Dial("unix", socket)
	if err != nil {
		fmt.Println(err)
		return 1
	}
	defer c.Close()
	fmt.Fprintln(c, os.Args[len(os.Args)-1])
	answer, err := bufio.NewReader(c).ReadString('\n')
	fmt.Print(answer)
	switch {
	case err != nil:
		return 1
	case answer != "done\n":
		return 3
	}
	return 0
}

// TestSomebodysRobot goes a new user's way: a camera that is not ours, which publishes raw and
// compressed in turn and has more in view than the table, a robot whose skills are a program, the
// example executor, recorder, learner and planner, to the first goals.
func TestSomebodysRobot(t *testing.T) {
	t.Parallel()
	s := newSystem(t)
	b, socket := newTable(t, s.world)
	camera := s.drive(b)
	camera.turn(false)
	rng := rand.New(rand.NewPCG(4, 16))
	s.startIn([]string{robotVariable + "=" + socket}, "executor", "command:="+must(os.Executable()))

	dir := t.TempDir()
	recorder := s.start("recorder", "directory:="+dir+"/bag", "settle:=0.05", "motion_window:=0.03",
		"min_free:=1", tableRegion)
	const transitions = 300
	begin := time.Now()
	s.explore(transitions, func(attempt int) {
		if attempt%50 == 0 {
			camera.turn(true)
		}
	})
	recorder.Stop(syscall.SIGTERM)
	t.Logf("%d transitions recorded in %v", transitions, time.Since(begin).Round(time.Second))
	bundle := s.learn("bag:="+dir+"/bag", "out:="+dir+"/out", "budget:=4.0", "threads:=1", most)

	p := s.plan(bundle)
	for i := range 4 {
		camera.turn(true)
		from := sim.GroundTruth(b.world).Distances(b.now())
		goal := &table{world: b.world, camera: b.camera, shots: uint64(1e6 + i)}
		for from[goal.state] < 1 {
			goal.state = sim.State(p.random.IntN(b.world.NumStates()))
		}
		must(0, goal.publish())
		result, status := p.reach(goal.bayer(rng), nil)
		if at := b.now(); status != ros.GoalSucceeded || at != goal.state {
			t.Errorf("goal %d, state %d: %v, at %d, code %d %q", i, goal.state, status, at, result.ErrorCode,
				result.ErrorMsg)
		}
	}
}
