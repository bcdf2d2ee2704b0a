package sdf

import (
	"encoding/xml"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"

	"stripswm/nodes/sim"
	"stripswm/nodes/sim/scene"
)

// The camera of the worlds. Its topics are those that launch/config/gazebo_bridge.yaml passes on.
const (
	Rate  = 30 // images a second
	Topic = "camera/image_raw"
)

// Options are the choices that depend on the machine.
type Options struct {
	Width, Height int  // of the camera's images, pixels
	Shadows       bool // which need a GPU to keep the rate
}

// Default is what software rendering can do at the camera's rate.
func Default() Options { return Options{Width: 320, Height: 240} }

// World returns the world in its initial state, without nuisance, as SDF 1.7. Equal worlds give
// equal bytes. It fails with ErrUnshown where Gazebo cannot show the world.
func World(w *sim.World, o Options) ([]byte, error) {
	sc, err := solid(w, w.Initial(), scene.NewJitter(0, 0))
	if err != nil {
		return nil, err
	}
	world := el("world",
		el("physics", text("max_step_size", "0.004"), text("real_time_factor", "1"),
			text("real_time_update_rate", "250")).
			with("name", "kinematic").with("type", "ode"),
		el("scene", text("ambient", numbers(ambient, ambient, ambient, 1)),
			text("background", colour(sc.Floor.Scale(far))), text("shadows", strconv.FormatBool(o.Shadows))),
		lamp(sc.Light, o.Shadows),
		eye(sc.View, o),
		furniture(sc),
	).with("name", sim.Table(w).Name())
	for i, b := range seen(sc) {
		shapes, err := pieces(b.Shape)
		if err != nil {
			return nil, fmt.Errorf("world %s: %w", w.Name(), err)
		}
		world.Children = append(world.Children, static(model(i), pose(b.At, b.Rot), b.Material,
			shapes...))
	}
	out, err := xml.MarshalIndent(el("sdf", world).with("version", "1.7"), "", " ")
	if err != nil {
		return nil, fmt.Errorf("world %s: %w", w.Name(), err)
	}
	const head = "<?xml version=\"1.0\"?>\n<!-- Written by nodes/sim/sdf; change nodes/sim and run " +
		"go generate ./nodes/sim/sdf. -->\n"
	return append(append([]byte(head), out...), '\n'), nil
}

// static is a model that moves only when it is put somewhere.
func static(name string, at element, m scene.Material, shapes ...piece) element {
	link := el("link").with("name", "link")
	for i, p := range shapes {
		link.Children = append(link.Children, el("visual", pose(p.at, p.rot), p.geometry,
			material(m)).with("name", fmt.Sprintf("visual_%d", i)))
	}
	return el("model", text("static", "true"), at, link).with("name", name)
}

func material(m scene.Material) element {
	shine := m.Gloss + 0.3*m.Metal
	return el("material", text("ambient", colour(m.Color)), text("diffuse", colour(m.Color)),
		text("specular", numbers(shine, shine, shine, 1)))
}

// furniture is the ground, the table and the mats on it.
func furniture(sc *scene.Scene) element {
	t := sc.Table
	size := t.Max.Sub(t.Min)
	middle := t.Min.Mix(t.Max, 0.5)
	middle.Z = -t.Thickness / 2
	size.Z = t.Thickness
	const depth = 0.75 // of the ground below the table top
	m := static("table", text("pose", numbers(0, 0, 0, 0, 0, 0)),
		scene.Material{Color: t.Wood.Early.Mix(t.Wood.Late, 0.4), Gloss: 0.05},
		piece{middle, scene.Level, box(size)})
	link := &m.Children[len(m.Children)-1]
	add := func(name string, p piece, of scene.Material) {
		link.Children = append(link.Children, el("visual", pose(p.at, p.rot), p.geometry,
			material(of)).with("name", name))
	}
	add("ground", piece{scene.Vec{Z: -depth}, scene.Level, box(scene.Vec{X: 6, Y: 6, Z: 0.02})},
		scene.Material{Color: sc.Floor})
	for i, mat := range sc.Mats {
		const thick = 0.001
		at := scene.Vec{X: mat.At.X, Y: mat.At.Y}
		add(fmt.Sprintf("mat_%d", i), piece{at, scene.Yaw(mat.Yaw),
			box(scene.Vec{X: 2 * mat.HalfX, Y: 2 * mat.HalfY, Z: thick})}, mat.Material)
	}
	return m
}

// far is the share of the light that reaches the ground where the table is far, as the embedded
// camera has it.
const far = 0.42

// Gazebo adds these up on a surface that faces the lamp. They are chosen so that level surfaces,
// which see the lamp at an angle, are not over-exposed, and have the embedded camera's colours
// (TestGazeboImages in test/launch).
const ambient, diffuse = 0.35, 0.80

// lamp is a point of light where the scene's soft lamp is: SDF has no soft ones. It does not grow
// weaker with the distance, since Gazebo adds up sRGB values and not light.
func lamp(l scene.Light, shadows bool) element {
	return el("light", text("cast_shadows", strconv.FormatBool(shadows)), text("pose", vector(l.At)+
		" 0 0 0"),
		text("diffuse", numbers(diffuse, diffuse, diffuse, 1)), text("specular", "0.3 0.3 0.3 1"),
		el("attenuation", text("range", "10"), text("constant", "1"), text("linear", "0"),
			text("quadratic", "0"))).
		with("name", "lamp").with("type", "point")
}

// eye is a static model with the camera, which looks along the x axis of its model.
func eye(v scene.View, o Options) element {
	d := v.Target.Sub(v.Eye).Unit()
	width, height := float64(o.Width), float64(o.Height)
	focal := height / 2 / math.Tan(v.FOV/2)
	camera := el("sensor",
		text("always_on", "true"), text("update_rate", numbers(Rate)), text("topic", Topic),
		el("camera",
			text("horizontal_fov", numbers(2*math.Atan(width/2/focal))),
			el("image", text("width", numbers(width)), text("height", numbers(height)),
				text("format", "R8G8B8")),
			el("clip", text("near", "0.05"), text("far", "10"))),
	).with("name", "camera").with("type", "camera")
	at := text("pose", numbers(v.Eye.X, v.Eye.Y, v.Eye.Z, 0, math.Asin(-d.Z), math.Atan2(d.Y, d.X)))
	return el("model", text("static", "true"), at, el("link", camera).with("name", "link")).with(
		"name", "camera")
}

// ErrUnshown is returned for a world of which Gazebo cannot show all states.
var ErrUnshown = errors.New("only worlds whose bodies move alone can be shown in Gazebo")

// Files are the worlds of which launch/worlds has a file, for launch files. stripswm gazebo writes
// the file of any world that it is asked for.
var Files = []string{"blocksworld", "dinnertable", "dinnertablereal"}

// Worlds returns the names of the worlds that Gazebo can show, sorted, with fine skills only.
func Worlds() []string {
	return slices.DeleteFunc(sim.Tables(), func(name string) bool {
		w, err := sim.New(name)
		if err == nil {
			_, err = solid(w, w.Initial(), scene.NewJitter(0, 0))
		}
		return errors.Is(err, ErrUnshown)
	})
}

// solid returns the scene of a state, if it has bodies.
func solid(w *sim.World, s sim.State, j *scene.Jitter) (*scene.Scene, error) {
	sc, err := w.Scene(s, j)
	switch {
	case err != nil:
	case sc.Sheet != nil:
		err = fmt.Errorf("world %s: its images are flat: %w", w.Name(), ErrUnshown)
	case sc.Changing:
		err = fmt.Errorf("world %s: bodies vanish, or change their colours: %w", w.Name(), ErrUnshown)
	}
	return sc, err
}

// A Pose is where a model stands: the origin of its shape, in metres, and its axes.
type Pose struct {
	Model string
	At    scene.Vec
	Rot   scene.Rot
}

// Poses returns the poses of all body models in a state, in the order of their names; j draws how
// they lie within their places. It fails on a state that the world does not have, and with
// ErrUnshown where Gazebo cannot show the world.
func Poses(w *sim.World, s sim.State, j *scene.Jitter) ([]Pose, error) {
	sc, err := solid(w, s, j)
	if err != nil {
		return nil, err
	}
	var poses []Pose
	for _, b := range seen(sc) {
		poses = append(poses, Pose{model(len(poses)), b.At, b.Rot})
	}
	return poses, nil
}

// seen are the bodies that have models: a world's scenes have the same ones in the same order.
// Cutlery that hangs from the gripper has mirrored axes, which no rotation has: its z axis, across
// the sheet, is turned round.
func seen(sc *scene.Scene) []scene.Body {
	var bodies []scene.Body
	for _, b := range sc.Bodies {
		if !b.Unseen {
			b.Rot.Z = b.Rot.X.Cross(b.Rot.Y)
			bodies = append(bodies, b)
		}
	}
	return bodies
}

func model(i int) string { return fmt.Sprintf("body_%02d", i) }

// Quaternion returns the rotation as geometry_msgs has it. (S. W. Shepperd, Quaternion from
// rotation matrix, 1978: the largest component comes from the diagonal, the others from it.)
func (p Pose) Quaternion() (x, y, z, w float64) {
	r := p.Rot
	trace := r.X.X + r.Y.Y + r.Z.Z
	switch max(trace, r.X.X, r.Y.Y, r.Z.Z) {
	case trace:
		s := 2 * math.Sqrt(1+trace)
		return (r.Y.Z - r.Z.Y) / s, (r.Z.X - r.X.Z) / s, (r.X.Y - r.Y.X) / s, s / 4
	case r.X.X:
		s := 2 * math.Sqrt(1+2*r.X.X-trace)
		return s / 4, (r.X.Y + r.Y.X) / s, (r.Z.X + r.X.Z) / s, (r.Y.Z - r.Z.Y) / s
	case r.Y.Y:
		s := 2 * math.Sqrt(1+2*r.Y.Y-trace)
		return (r.X.Y + r.Y.X) / s, s / 4, (r.Y.Z + r.Z.Y) / s, (r.Z.X - r.X.Z) / s
	}
	s := 2 * math.Sqrt(1+2*r.Z.Z-trace)
	return (r.Z.X + r.X.Z) / s, (r.Y.Z + r.Z.Y) / s, s / 4, (r.X.Y - r.Y.X) / s
}

// angles returns roll, pitch and yaw as SDF has them: about the fixed x, y and z axes, in that
// order.
func angles(r scene.Rot) (roll, pitch, yaw float64) {
	if math.Abs(r.X.Z) > 1-1e-9 { // x up or down: roll and yaw are one
		return 0, math.Copysign(math.Pi/2, -r.X.Z), math.Atan2(-r.Y.X, r.Y.Y)
	}
	return math.Atan2(r.Y.Z, r.Z.Z), math.Asin(-r.X.Z), math.Atan2(r.X.Y, r.X.X)
}

func pose(at scene.Vec, rot scene.Rot) element {
	roll, pitch, yaw := angles(rot)
	return text("pose", numbers(at.X, at.Y, at.Z, roll, pitch, yaw))
}
