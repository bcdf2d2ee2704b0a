package sdf

import (
	"encoding/xml"
	"fmt"
	"math"
	"strconv"

	"stripswm/nodes/sim"
	"stripswm/nodes/sim/scene"
)

// The camera of the worlds. Its topics are those that launch/config/gazebo_bridge.yaml passes on.
const (
	Rate  = 30 // images a second
	Topic = "camera/image_raw"
)

// Options are what a machine can do.
type Options struct {
	Width, Height int  // of the camera's images, pixels
	Shadows       bool // which take a GPU
}

// Default is what software rendering does at the camera's rate.
func Default() Options { return Options{Width: 320, Height: 240} }

// World returns the world in its initial state, without nuisance, as SDF 1.7. Equal worlds give
// equal bytes. It fails with ErrFlat on a world without bodies.
func World(w sim.World, o Options) ([]byte, error) {
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

// What Gazebo adds up at a surface that faces the lamp. A level one, which sees it aslant, is not
// whiter than white, and the colours are the embedded camera's (TestGazeboImages in test/launch).
const ambient, diffuse = 0.35, 0.80

// lamp is one point, where the scene's lamp is: soft lamps are not for SDF. Its light does not grow
// less with the distance, since Gazebo adds up sRGB values and not light.
func lamp(l scene.Light, shadows bool) element {
	return el("light", text("cast_shadows", strconv.FormatBool(shadows)), text("pose", vector(l.At)+
		" 0 0 0"),
		text("diffuse", numbers(diffuse, diffuse, diffuse, 1)), text("specular", "0.3 0.3 0.3 1"),
		el("attenuation", text("range", "10"), text("constant", "1"), text("linear", "0"),
			text("quadratic", "0"))).
		with("name", "lamp").with("type", "point")
}

// eye is a static model with the camera, which looks along its x axis.
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
