package scene

import "math"

// Material is how a surface meets light.
type Material struct {
	Color  Vec     // albedo, linear light
	Gloss  float64 // strength of the highlight, 0 (chalk) to 1 (lacquer)
	Shine  float64 // sharpness of the highlight: the Blinn-Phong exponent
	Metal  float64 // share of light that is mirrored and tinted, 0 to 1
	Mottle float64 // relative unevenness of the albedo
}

// Body is a shape somewhere, made of something.
type Body struct {
	Shape    Shape
	At       Vec
	Rot      Rot
	Material Material
	// Object numbers, from 1, what the body is part of and the robot's skills move; 0 is
	// the room, which stays.
	Object int
	Unseen bool // stands outside the image and only throws its shadow into it
}

// Mat is a thin coloured rectangle that lies on the table.
type Mat struct {
	At       Vec // Z is ignored
	Yaw      float64
	HalfX    float64
	HalfY    float64
	Material Material
}

// Table is a wooden slab whose top is the plane z = 0.
type Table struct {
	Min, Max  Vec // corners of the top; Z is ignored
	Thickness float64
	Wood      Wood
}

// Wood is a table top of planks that run along x. Equal values give equal textures.
type Wood struct {
	Early, Late Vec     // colours between which the grain moves, linear light
	Plank       float64 // width of a plank, metres
	Seed        uint64
}

// View is a pinhole camera. FOV is the angle, in radians, that the shorter side of the image
// covers, so that what lies inside that square is seen at every aspect ratio. Roll turns the image
// clockwise, radians; no world has one.
type View struct {
	Eye, Target Vec
	FOV, Roll   float64
}

// Turned is the view of a camera that turned to the right and down by shares of the image's shorter
// side, rolled, and zoomed in by a share.
func (v View) Turned(right, down, roll, zoom float64) View {
	ahead := v.Target.Sub(v.Eye)
	across := ahead.Cross(Vec{Z: 1}).Unit()
	up := across.Cross(ahead).Unit()
	side := 2 * ahead.Len() * math.Tan(v.FOV/2) // of what the image shows at the target
	v.Target = v.Target.Add(across.Scale(right * side)).Sub(up.Scale(down * side))
	v.Roll += roll
	v.FOV = 2 * math.Atan(math.Tan(v.FOV/2)/(1+zoom))
	return v
}

// Light is one soft round lamp and the light that the room throws back.
type Light struct {
	At      Vec     // centre of the lamp, above the table
	Radius  float64 // metres: the larger, the softer the shadows
	Key     Vec     // colour and strength of the lamp on a surface that faces it
	Ambient Vec     // colour and strength of the room
}

// Sensor is what happens to the light inside the camera.
type Sensor struct {
	Exposure float64 // factor on the light
	Balance  Vec     // factor a channel
	Noise    float64 // standard deviation at mid grey, of full scale
	Vignette float64 // share of light lost in the corners
	Smear    Vec     // motion blur: X, Y are its length, as a share of the image width
	JPEG     int     // quality 1 to 100 of the compression it went through; 0 for none
}

// Scene is all that an image shows: a table with what is on it, its light and the viewpoint, or a
// flat Sheet, which needs none of these.
type Scene struct {
	Sheet  *Sheet
	Table  Table
	Floor  Vec // colour of the ground below, linear light
	Mats   []Mat
	Bodies []Body // at most MaxBodies
	View   View
	Light  Light
	Sensor Sensor
	// Changing says that the world's states differ in more than where bodies are.
	Changing bool
}

// MaxBodies is how many bodies a scene may have.
const MaxBodies = 64
