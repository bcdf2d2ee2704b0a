// Package camera renders images of the worlds of package sim: with a ray caster, and with a painter
// for the flat worlds.
//
// The main type is [Camera]. It asks the world for the scene of a state, with the nuisance of a
// seed, and renders it:
//
//	world, state, seed --> scene.Scene --> light map --> rays --> sensor --> image
//
//	image, err := camera.New(128, 128).Render(world, world.Initial(), 1)
//
// [Camera.Render] works in four steps.
//
//  1. The light map says which parts of the lamp and of the room each point of the table sees, so
//     that shadows are soft.
//  2. One ray for each pixel meets the table and those bodies whose bounding box covers the pixel.
//     Boxes and cylinders have a formula. For other shapes the ray advances by their distance
//     field.
//  3. Where neighbouring pixels show different things, more rays smooth the border.
//  4. The sensor adds exposure, white balance, noise, motion blur and JPEG.
//
// A flat [scene.Sheet] is painted, one mark after the other; the sensor is the same.
package camera
