package sdf_test

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gopkg.in/yaml.v3"
	"stripswm/nodes/sim"
	"stripswm/nodes/sim/scene"
	"stripswm/nodes/sim/sdf"
)

const worlds = "../../../launch/worlds"

func world(t *testing.T, name string) *sim.World {
	t.Helper()
	w, err := sim.New(name)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// document is what the tests read of a world file.
type document struct {
	World struct {
		Name   string `xml:"name,attr"`
		Models []struct {
			Name   string `xml:"name,attr"`
			Static bool   `xml:"static"`
			Pose   string `xml:"pose"`
			Sensor struct {
				Topic string  `xml:"topic"`
				FOV   float64 `xml:"camera>horizontal_fov"`
			} `xml:"link>sensor"`
			Visuals []struct {
				Pose   string  `xml:"pose"`
				Size   string  `xml:"geometry>box>size"`
				Radius float64 `xml:"geometry>cylinder>radius"`
				Length float64 `xml:"geometry>cylinder>length"`
			} `xml:"link>visual"`
		} `xml:"model"`
	} `xml:"world"`
}

func read(t *testing.T, name string) document {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(worlds, name+".sdf"))
	if err != nil {
		t.Fatal(err)
	}
	var d document
	if err := xml.Unmarshal(data, &d); err != nil {
		t.Fatal(err)
	}
	return d
}

func numbers(t *testing.T, text string) []float64 {
	t.Helper()
	var values []float64
	for _, word := range strings.Fields(text) {
		var v float64
		if _, err := fmt.Sscan(word, &v); err != nil {
			t.Fatal(err)
		}
		values = append(values, v)
	}
	return values
}

// rotation is SDF's definition of roll, pitch and yaw, in elementary rotations.
func rotation(roll, pitch, yaw float64) scene.Rot {
	s, c := math.Sincos(pitch)
	about := scene.Rot{X: scene.Vec{X: c, Z: -s}, Y: scene.Vec{Y: 1}, Z: scene.Vec{X: s, Z: c}}
	return scene.Pitch(roll).Then(about).Then(scene.Yaw(yaw)) // Pitch turns about x
}

func near(a, b scene.Vec) bool { return a.Sub(b).Len() < 1e-4 }

func TestFilesAreUpToDate(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(worlds, "*.sdf"))
	if err != nil || len(files) != len(sdf.Files) {
		t.Errorf("files %v, %v", files, err)
	}
	for _, name := range sdf.Files {
		want, err := sdf.World(world(t, name), sdf.Default())
		if err != nil {
			t.Fatal(err)
		}
		got, err := os.ReadFile(filepath.Join(worlds, name+".sdf"))
		if err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s.sdf is not what nodes/sim says (%v): run go generate ./nodes/sim/sdf", name, err)
		}
	}
}

// A world that Gazebo cannot show says so.
func TestUnshown(t *testing.T) {
	unshown := 0
	for _, name := range sim.Tables() {
		if slices.Contains(sdf.Worlds(), name) {
			continue
		}
		unshown++
		w := world(t, name)
		if _, err := sdf.World(w, sdf.Default()); !errors.Is(err, sdf.ErrUnshown) ||
			!strings.Contains(err.Error(), name) {
			t.Errorf("%s as SDF: %v", name, err)
		}
		if _, err := sdf.Poses(w, w.Initial(), scene.NewJitter(0, 0)); !errors.Is(err, sdf.ErrUnshown) {
			t.Errorf("poses of %s: %v", name, err)
		}
	}
	if unshown == 0 || len(sdf.Worlds()) == 0 {
		t.Errorf("%d worlds are not shown, and %v are", unshown, sdf.Worlds())
	}
}

// TestModels holds the files against the scenes: bodies where they are, each piece within its
// shape's box, and the camera's opening what the scene asks for.
func TestModels(t *testing.T) {
	for _, name := range sdf.Files {
		w, d := world(t, name), read(t, name)
		sc, err := w.Scene(w.Initial(), scene.NewJitter(0, 0))
		if err != nil {
			t.Fatal(err)
		}
		if d.World.Name != name || len(d.World.Models) != len(sc.Bodies)+2 {
			t.Fatalf("%s: world %q of %d models, %d bodies", name, d.World.Name, len(d.World.Models),
				len(sc.Bodies))
		}
		camera := d.World.Models[0]
		vertical := 2 * math.Atan(math.Tan(camera.Sensor.FOV/2)*3/4)
		if math.Abs(vertical-sc.View.FOV) > 1e-4 || camera.Sensor.Topic != sdf.Topic {
			t.Errorf("%s: %f high where the scene has %f, topic %s", name, vertical, sc.View.FOV,
				camera.Sensor.Topic)
		}
		p := numbers(t, camera.Pose)
		if forward := rotation(p[3], p[4], p[5]).X; !near(forward,
			sc.View.Target.Sub(sc.View.Eye).Unit()) {
			t.Errorf("%s: the camera looks along %v", name, forward)
		}
		for i, b := range sc.Bodies {
			m := d.World.Models[i+2]
			p := numbers(t, m.Pose)
			if rot := rotation(p[3], p[4], p[5]); !m.Static ||
				!near(scene.Vec{X: p[0], Y: p[1], Z: p[2]}, b.At) || !near(rot.X, b.Rot.X) ||
				!near(rot.Z, b.Rot.Z) {
				t.Errorf("%s: %s at %s, body at %v, %v", name, m.Name, m.Pose, b.At, b.Rot)
			}
			if len(m.Visuals) == 0 {
				t.Errorf("%s: %s shows nothing", name, m.Name)
			}
			for _, v := range m.Visuals {
				half := scene.Vec{X: v.Radius, Y: v.Radius, Z: v.Length / 2}
				if s := numbers(t, v.Size); len(s) == 3 {
					half = scene.Vec{X: s[0], Y: s[1], Z: s[2]}.Scale(0.5)
				}
				within(t, b.Shape, numbers(t, v.Pose), half)
			}
		}
	}
}

// within allows a piece to stick out of the shape's box by three millimetres.
func within(t *testing.T, s scene.Shape, pose []float64, half scene.Vec) {
	t.Helper()
	rot, at, limit := rotation(pose[3], pose[4], pose[5]), scene.Vec{X: pose[0], Y: pose[1],
		Z: pose[2]}, s.Half()
	for i := range 8 {
		corner := half
		for k, v := range []*float64{&corner.X, &corner.Y, &corner.Z} {
			if i>>k&1 != 0 {
				*v = -*v
			}
		}
		// A cylinder's corners are not in it, hence the factor.
		c := at.Add(rot.Apply(corner).Scale(1 / math.Sqrt2))
		const slack = 0.003
		if math.Abs(c.X) > limit.X+slack || math.Abs(c.Y) > limit.Y+slack ||
			math.Abs(c.Z) > limit.Z+slack || half.Len() == 0 {
			t.Errorf("%T: a piece of half size %v at %v sticks out of %v", s, half, at, limit)
			return
		}
	}
}

// TestPoses holds quaternions against the scenes of many states, with nuisance: turned by them, the
// axes must be the body's.
func TestPoses(t *testing.T) {
	for _, name := range sdf.Files {
		w := world(t, name)
		d := read(t, name)
		for s := sim.State(0); int(s) < w.NumStates(); s += sim.State(1 + w.NumStates()/200) {
			for _, strength := range []float64{0, 1} {
				poses, err := sdf.Poses(w, s, scene.NewJitter(uint64(s), strength))
				if err != nil {
					t.Fatal(err)
				}
				sc, err := w.Scene(s, scene.NewJitter(uint64(s), strength))
				if err != nil {
					t.Fatal(err)
				}
				if len(poses) != len(d.World.Models)-2 {
					t.Fatalf("%s, state %d: %d poses, %d models", name, s, len(poses), len(d.World.Models)-2)
				}
				for i, p := range poses {
					if p.Model != d.World.Models[i+2].Name {
						t.Fatalf("%s: pose %d is of %s", name, i, p.Model)
					}
					x, y, z, q := p.Quaternion()
					body := sc.Bodies[i].Rot // its z axis may be mirrored
					for _, axis := range []struct{ of, is scene.Vec }{{scene.Vec{X: 1}, body.X},
						{scene.Vec{Y: 1}, body.Y}} {
						v := scene.Vec{X: x, Y: y, Z: z}
						turn := v.Cross(axis.of).Scale(2)
						if got := axis.of.Add(turn.Scale(q)).Add(v.Cross(turn)); !near(got, axis.is) {
							t.Errorf("%s, state %d, %s: axis %v, want %v", name, s, p.Model, got, axis.is)
						}
					}
				}
			}
		}
		if _, err := sdf.Poses(w, -1, scene.NewJitter(0, 0)); err == nil {
			t.Errorf("%s: state -1 has poses", name)
		}
	}
}

// TestShapesStay holds the shapes of the models against those of all states.
func TestShapesStay(t *testing.T) {
	for _, name := range sdf.Worlds() {
		w := world(t, name)
		first, err := w.Scene(w.Initial(), scene.NewJitter(0, 0))
		if err != nil {
			t.Fatal(err)
		}
		for s := sim.State(0); int(s) < w.NumStates(); s += sim.State(1 + w.NumStates()/500) {
			sc, err := w.Scene(s, scene.NewJitter(0, 0))
			if err != nil {
				t.Fatal(err)
			}
			for i, b := range sc.Bodies {
				if b.Shape.Half() != first.Bodies[i].Shape.Half() || b.Material != first.Bodies[i].Material {
					t.Fatalf("%s: body %d is another one in state %d", name, i, s)
				}
			}
		}
	}
}

// TestLibsdformat asks the library that Gazebo reads its worlds with, where it is installed.
func TestLibsdformat(t *testing.T) {
	tool, err := exec.LookPath("ign")
	if err != nil {
		t.Skip("no libsdformat here: apt-get install libsdformat-dev sdformat-sdf ignition-tools")
	}
	for _, name := range sdf.Files {
		path := filepath.Join(worlds, name+".sdf")
		for _, option := range []string{"-k", "-p"} {
			out, err := exec.Command(tool, "sdf", option, path).CombinedOutput()
			if err != nil || bytes.Contains(out, []byte("Error")) &&
				!bytes.Contains(out, []byte("backtrace")) || bytes.Contains(out, []byte("not defined in SDF")) {
				t.Errorf("ign sdf %s %s: %v\n%.2000s", option, path, err, out)
			}
			if option == "-k" && !bytes.Contains(out, []byte("Valid.")) {
				t.Errorf("ign sdf %s %s: %s", option, path, out)
			}
		}
	}
}

// TestConfiguration holds what the launch file gives to Gazebo and its bridge against the worlds.
func TestConfiguration(t *testing.T) {
	data, err := os.ReadFile("../../../launch/config/gazebo_bridge.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var bridges []map[string]string
	if err := yaml.Unmarshal(data, &bridges); err != nil {
		t.Fatal(err)
	}
	types := map[string]string{}
	for _, b := range bridges {
		if len(b) != 5 || b["direction"] != "GZ_TO_ROS" || b["ros_topic_name"] != b["gz_topic_name"] {
			t.Errorf("bridge %v", b)
		}
		types[b["gz_topic_name"]] = b["ros_type_name"] + " " + b["gz_type_name"]
	}
	for topic, want := range map[string]string{"/" + sdf.Topic: "sensor_msgs/msg/Image gz.msgs.Image",
		"/clock": "rosgraph_msgs/msg/Clock gz.msgs.Clock",
		"/" + filepath.Dir(sdf.Topic) + "/camera_info": "sensor_msgs/msg/CameraInfo gz.msgs.CameraInfo"} {
		if types[topic] != want {
			t.Errorf("%s is bridged as %q, want %q", topic, types[topic], want)
		}
	}
	for _, name := range []string{"fortress", "harmonic"} {
		data, err := os.ReadFile("../../../launch/config/gazebo_" + name + ".config")
		if err != nil {
			t.Fatal(err)
		}
		var c struct {
			Plugins []struct {
				File string `xml:"filename,attr"`
			} `xml:"plugins>plugin"`
		}
		if err := xml.Unmarshal(data, &c); err != nil || len(c.Plugins) != 4 {
			t.Errorf("%s: %v, %v", name, c, err)
		}
	}
}

func Example() {
	w, err := sim.New("blocksworld")
	if err != nil {
		fmt.Println(err)
		return
	}
	poses, err := sdf.Poses(w, w.Initial(), scene.NewJitter(0, 0))
	fmt.Println(poses[2].Model, poses[2].At, err)
	// Output: body_02 {-0.15 0 0.125} <nil>
}
